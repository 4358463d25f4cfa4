// The queues that operations wait in: how many requests of a kind are worked on at the same time.

import { type FairQueue, openFairQueue, type QueueLimits } from "../kernel/fair-queue.ts";

/** The queues of one server; an operation names the one that it waits in. */
export const QUEUES = {
  // One thread embeds and one scans: more at a time only make all of them late.
  search: {
    what: "searches",
    running: 8,
    runningOfUser: 4,
    waiting: 512,
    waitingOfUser: 64,
    retryAfterS: 1,
  },
  // An answer takes as long as the language model, if there is one.
  answer: {
    what: "questions",
    running: 16,
    runningOfUser: 4,
    waiting: 128,
    waitingOfUser: 12,
    retryAfterS: 2,
  },
  // One thread reads them, each for up to a second.
  body: {
    what: "large bodies",
    running: 1,
    runningOfUser: 1,
    waiting: 256,
    waitingOfUser: 64,
    retryAfterS: 1,
  },
  // Each has a page in memory, and takes up to 30 seconds.
  refresh: {
    what: "refreshes",
    running: 8,
    runningOfUser: 4,
    waiting: 64,
    waitingOfUser: 8,
    retryAfterS: 10,
  },
} as const satisfies Record<string, QueueLimits>;

export type QueueName = keyof typeof QUEUES;

/** Opens all queues of one server. */
export function openQueues(): Record<QueueName, FairQueue> {
  const queues = Object.entries(QUEUES).map(([name, limits]) => [name, openFairQueue(limits)]);
  return Object.fromEntries(queues);
}
