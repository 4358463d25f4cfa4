// How many questions are answered at the same time, in all and for each user. It must not know how they are answered.

import { Failure } from "../../kernel/errors.ts";

export interface Admission {
  /**
   * Admits a question; the caller calls the returned function once, when it is answered. Throws Failure("rate-limited")
   * when too many are being answered.
   */
  enter(userId: string): () => void;
}

/** An answer takes some milliseconds, or as long as the language model. */
const RETRY_AFTER_S = 1;

/** Opens the admission of one server. */
export function openAdmission(limits: { concurrent: number; concurrentOfUser: number }): Admission {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    enter(userId) {
      const own = counts.get(userId) ?? 0;
      if (own >= limits.concurrentOfUser || total >= limits.concurrent) {
        throw new Failure("rate-limited", "too many questions are being answered at the same time", {
          retryAfterS: RETRY_AFTER_S,
        });
      }
      counts.set(userId, own + 1);
      total++;
      return () => {
        total--;
        const left = (counts.get(userId) ?? 1) - 1;
        if (left > 0) counts.set(userId, left);
        else counts.delete(userId);
      };
    },
  };
}
