// One queue of requests: how many run, who is next, and who is rejected.

import { describe, expect, test } from "bun:test";
import { openFairQueue } from "../../../src/kernel/fair-queue.ts";

const LIMITS = {
  what: "questions",
  running: 3,
  runningOfUser: 2,
  waiting: 4,
  waitingOfUser: 3,
  retryAfterS: 7,
};
const full = expect.objectContaining({
  kind: "rate-limited",
  retryAfterS: 7,
  message: "too many questions at the same time",
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue, the names of the requests that were started in their order, and a function that ends one. */
function openQueue() {
  const queue = openFairQueue(LIMITS);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    ask(name: string, cancelled = new AbortController().signal) {
      const result = queue.run({ userId: name[0]!, cancelled }, () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      });
      result.catch(() => {});
      return result;
    },
    async end(name: string) {
      ends.get(name)!();
      // The place is free in the next turn.
      await turn();
      await turn();
    },
  };
}

test("each user and all together have places; further requests wait, and users take turns", async () => {
  const { ask, started, end } = openQueue();
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) ask(name);
  expect(started).toEqual(["a1", "a2", "b1"]);
  await end("a1");
  // The one with the fewest running, not the one who asked first.
  expect(started.slice(3)).toEqual(["c1"]);
  await end("a2");
  expect(started.slice(4)).toEqual(["a3"]);
  await end("b1");
  expect(started.slice(5)).toEqual(["b2"]);
  await end("c1");
  expect(started.slice(6)).toEqual(["a4"]);
});

test("beyond the waiting ones of a user or of all, requests are rejected until there is room", async () => {
  const { ask, started, end } = openQueue();
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) ask(name);
  await expect(ask("a6")).rejects.toEqual(full);
  ask("b1");
  ask("b2");
  await expect(ask("c1")).rejects.toEqual(full);
  await end("a1");
  ask("c2");
  await expect(ask("d1")).rejects.toEqual(full);
  expect(started).toEqual(["a1", "a2", "b1", "a3"]);
});

describe("a request that nobody waits for", () => {
  test("is never started, and its place in the queue is free", async () => {
    const { ask, started, end } = openQueue();
    const cancelled = new AbortController();
    for (const name of ["a1", "a2"]) ask(name);
    const waiting = ask("a3", cancelled.signal);
    ask("a4");
    ask("a5");
    cancelled.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    ask("a6");
    await expect(ask("a7")).rejects.toEqual(full);
    await end("a1");
    expect(started).toEqual(["a1", "a2", "a4"]);
  });

  test("is not started if it is known before", async () => {
    const { ask, started } = openQueue();
    await expect(ask("a1", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(started).toEqual([]);
  });
});

test("work that throws or returns at once also frees its place", async () => {
  const queue = openFairQueue({ ...LIMITS, running: 1 });
  const requester = { userId: "a", cancelled: new AbortController().signal };
  const failed = queue.run(requester, () => {
    throw new Error("broken");
  });
  const next = queue.run(requester, () => "next");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

test("with room, the work starts in the same call", () => {
  const { ask, started } = openQueue();
  ask("a1");
  expect(started).toEqual(["a1"]);
});
