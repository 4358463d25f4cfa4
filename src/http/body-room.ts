// Bounds the bytes of request bodies that are in memory at the same time, of one user and of all: those that arrive,
// and those that wait for the thread that reads them.

import { Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const { heldBytes, heldBytesOfUser } = LIMITS.body;
const RETRY_AFTER_S = 1;

/** The room that one body takes. */
export interface HeldBody {
  /** So many more bytes have arrived. Throws Failure("rate-limited") if there is no room for them. */
  add(bytes: number): void;
  /** The bytes are not in memory any more. */
  release(): void;
}

export interface BodyRoom {
  hold(userId: string): HeldBody;
}

/** Opens the room of one server. */
export function openBodyRoom(): BodyRoom {
  const ofUsers = new Map<string, number>();
  let total = 0;
  const change = (userId: string, bytes: number) => {
    total += bytes;
    const ofUser = (ofUsers.get(userId) ?? 0) + bytes;
    if (ofUser > 0) ofUsers.set(userId, ofUser);
    else ofUsers.delete(userId);
  };
  return {
    hold(userId) {
      let held = 0;
      return {
        add(bytes) {
          const ofUser = ofUsers.get(userId) ?? 0;
          if (total + bytes > heldBytes || ofUser + bytes > heldBytesOfUser)
            throw new Failure("rate-limited", "too many large bodies are being read", {
              retryAfterS: RETRY_AFTER_S,
            });
          held += bytes;
          change(userId, bytes);
        },
        release() {
          change(userId, -held);
          held = 0;
        },
      };
    },
  };
}
