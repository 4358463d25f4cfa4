// A queue of work that users share: how much is done at the same time, in all and of one user. Further work waits, and
// the users take turns.

import { Failure } from "./errors.ts";

export interface QueueLimits {
  /** What the requests are, in the plural, for the message of a rejection. */
  what: string;
  running: number;
  runningOfUser: number;
  waiting: number;
  waitingOfUser: number;
  /** After which time a rejected request may be sent again. */
  retryAfterS: number;
}

/** Whose request it is, and the signal that nobody waits for its response any more. */
export interface Requester {
  userId: string;
  cancelled: AbortSignal;
}

export interface FairQueue {
  /**
   * Calls `work` as soon as there is room, at once if there is room now. Rejects with Failure("rate-limited") if too
   * many requests wait, and with the reason of `cancelled` if that fires first.
   */
  run<Result>(requester: Requester, work: () => Result | Promise<Result>): Promise<Result>;
}

/** The requests of one user. */
interface Share {
  running: number;
  /** Called when it is their turn, in their order. */
  waiting: Set<() => void>;
}

/** Opens a queue. */
export function openFairQueue(limits: QueueLimits): FairQueue {
  /** Users with requests, the one whose last start is longest ago first. */
  const shares = new Map<string, Share>();
  let running = 0;
  let waiting = 0;

  const hasRoom = (share: Share) => running < limits.running && share.running < limits.runningOfUser;

  const start = (userId: string, share: Share) => {
    running++;
    share.running++;
    shares.delete(userId);
    shares.set(userId, share);
  };

  /** Starts a request of the user with the fewest running ones. Returns false if no request can be started. */
  const startNext = (): boolean => {
    let next: [userId: string, share: Share] | undefined;
    for (const [userId, share] of shares) {
      if (share.waiting.size === 0 || !hasRoom(share)) continue;
      if (!next || share.running < next[1].running) next = [userId, share];
    }
    if (!next) return false;
    const [begin] = next[1].waiting;
    start(...next);
    begin!();
    return true;
  };

  const forgetIfIdle = (userId: string, share: Share) => {
    if (share.running === 0 && share.waiting.size === 0) shares.delete(userId);
  };

  const end = (userId: string, share: Share) => {
    running--;
    share.running--;
    forgetIfIdle(userId, share);
    while (waiting > 0 && startNext());
  };

  const wait = ({ userId, cancelled }: Requester, share: Share) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting--;
        share.waiting.delete(begin);
        cancelled.removeEventListener("abort", cancel);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const cancel = () => {
        leave();
        forgetIfIdle(userId, share);
        reject(cancelled.reason);
      };
      waiting++;
      share.waiting.add(begin);
      cancelled.addEventListener("abort", cancel);
    });

  return {
    async run(requester, work) {
      const { userId, cancelled } = requester;
      cancelled.throwIfAborted();
      const share = shares.get(userId) ?? { running: 0, waiting: new Set() };
      if (hasRoom(share)) start(userId, share);
      else {
        if (waiting >= limits.waiting || share.waiting.size >= limits.waitingOfUser) {
          const { what, retryAfterS } = limits;
          throw new Failure("rate-limited", `too many ${what} at the same time`, { retryAfterS });
        }
        shares.set(userId, share);
        await wait(requester, share);
      }
      try {
        return await work();
      } finally {
        // In the next turn of the event loop, so that other requests are served between two that never wait for
        // anything.
        setImmediate(end, userId, share);
      }
    },
  };
}
