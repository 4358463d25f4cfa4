// The thread that serves requests: they are worked on one after another, each until it waits for something, and only
// for a moment in a turn of the event loop, so that other work comes in between. Users take turns. What is made for
// clients that do not read it is bounded, too.

import type { Clock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import type { Requester } from "../kernel/fair-queue.ts";
import { LIMITS } from "../kernel/limits.ts";

const { requests, responses } = LIMITS;
const RETRY_AFTER_S = 1;
/**
 * In a turn of the event loop, no further request is begun after this time, and after this number of those that wait.
 */
const MAX_TURN_MS = 5;
const MAX_REQUESTS = 32;

/** The part of one request in the work of the thread. */
export interface Turn {
  /**
   * Resolves when the request may be worked on, up to the next time that it waits. Rejects with Failure("rate-limited")
   * if it is new and too many requests wait, and with the reason of `cancelled` if that fires first.
   */
  take(): Promise<void>;
  /** The same before a part of a response is made, which is when the user's responses in memory are not too large. */
  takeWithRoom(): Promise<void>;
  /** From now on this many bytes of its response are in memory. */
  hold(bytes: number): void;
  /** Resolves when the client has room for more of its response. Rejects if it reads nothing for too long. */
  whenRead(written: Promise<unknown>): Promise<void>;
}

export interface Turns {
  /** The part of a request that begins now. */
  of(requester: Requester): Turn;
}

interface Waiting {
  /** Whether it waits for room, too. */
  needsRoom: boolean;
  begin(): void;
}

/** A user with requests that wait, or with responses in memory. */
interface User {
  waiting: Set<Waiting>;
  bytes: number;
}

/** Opens the turns of one thread. */
export function openTurns(clock: Clock): Turns {
  /** The one whose last turn is longest ago first. */
  const users = new Map<string, User>();
  let waiting = 0;
  let bytes = 0;
  /** How often the next turn of the event loop, or the current one, will look for a request that waits. */
  let looks = 0;
  let isFirstLook = false;
  /** Monotonic, ms: until then, requests are begun. */
  let endsAt = 0;

  const userOf = (id: string): User => {
    const user = users.get(id) ?? { waiting: new Set(), bytes: 0 };
    users.set(id, user);
    return user;
  };
  const forgetIdle = (id: string, user: User) => {
    if (user.waiting.size === 0 && user.bytes === 0) users.delete(id);
  };

  // A user without responses in memory does not wait for the clients of others.
  const hasRoom = (user: User) =>
    user.bytes === 0 || (user.bytes < responses.unreadBytesOfUser && bytes < responses.unreadBytes);

  /** Between two callbacks of setImmediate, everything is done that the first one has begun. */
  const lookInNextTurn = () => {
    if (looks > 0) return;
    endsAt = clock.monotonic() + MAX_TURN_MS;
    isFirstLook = true;
    looks = Math.max(1, Math.min(waiting, MAX_REQUESTS));
    for (let n = 0; n < looks; n++) setImmediate(look);
  };

  const look = () => {
    looks--;
    const now = clock.monotonic();
    if (isFirstLook) endsAt = now + MAX_TURN_MS;
    isFirstLook = false;
    const hasBegun = now < endsAt && beginNext();
    if (hasBegun || now >= endsAt) lookInNextTurn();
  };

  /** Returns false if no request may begin. */
  const beginNext = (): boolean => {
    for (const [id, user] of users) {
      for (const one of user.waiting) {
        if (one.needsRoom && !hasRoom(user)) continue;
        users.delete(id);
        users.set(id, user);
        one.begin();
        return true;
      }
    }
    return false;
  };

  const wait = ({ userId, cancelled }: Requester, needsRoom: boolean) =>
    new Promise<void>((resolve, reject) => {
      const user = userOf(userId);
      const leave = () => {
        waiting--;
        user.waiting.delete(one);
        forgetIdle(userId, user);
        cancelled.removeEventListener("abort", cancel);
      };
      const cancel = () => {
        leave();
        reject(cancelled.reason);
      };
      const one: Waiting = {
        needsRoom,
        begin() {
          leave();
          resolve();
        },
      };
      waiting++;
      user.waiting.add(one);
      cancelled.addEventListener("abort", cancel);
    });

  return {
    of(requester) {
      const { userId, cancelled } = requester;
      let isNew = true;
      let held = 0;
      const take = async (needsRoom: boolean) => {
        cancelled.throwIfAborted();
        const user = users.get(userId);
        const isLate = looks > 0 && clock.monotonic() >= endsAt;
        const mustWait = isLate || waiting > 0 || (needsRoom && user !== undefined && !hasRoom(user));
        const isFull = waiting >= requests.waiting || (user?.waiting.size ?? 0) >= requests.waitingOfUser;
        if (mustWait && isNew && isFull) {
          const retryAfterS = RETRY_AFTER_S;
          throw new Failure("rate-limited", "too many requests at the same time", { retryAfterS });
        }
        isNew = false;
        const begun = mustWait ? wait(requester, needsRoom) : undefined;
        lookInNextTurn();
        await begun;
      };
      return {
        take: () => take(false),
        takeWithRoom: () => take(true),
        hold(now) {
          const more = now - held;
          if (more === 0) return;
          const user = userOf(userId);
          held = now;
          user.bytes += more;
          bytes += more;
          forgetIdle(userId, user);
          // Others may have room now.
          if (more < 0) lookInNextTurn();
        },
        async whenRead(written) {
          const read = new AbortController();
          const late = clock.sleep(responses.unreadS * 1_000, read.signal).then(() => {
            throw new Failure("unavailable", "the client does not read its response");
          });
          await Promise.race([written, late]).finally(() => {
            read.abort();
            late.catch(() => {});
          });
        },
      };
    },
  };
}
