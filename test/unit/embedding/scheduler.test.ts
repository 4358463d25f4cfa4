// The order of work in the embedding worker.

import { describe, expect, test } from "bun:test";
import { createScheduler, type Job } from "../../../src/engine/embedding/scheduler.ts";

const ROOMY = { urgent: 1_000, patient: 1_000 };

/** A job of `steps` steps that writes its name down at each. */
async function* job(name: string, steps: number, log: string[]): Job<string> {
  for (let step = 1; step < steps; step++) {
    log.push(name);
    yield;
  }
  log.push(name);
  return name;
}

describe("createScheduler", () => {
  test("lets urgent jobs past, also past a job that has begun", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(ROOMY);
    const indexing = [
      scheduler.add("patient", 1, job("p1", 3, log)),
      scheduler.add("patient", 1, job("p2", 2, log)),
    ];
    const query = scheduler.add("urgent", 1, job("q", 1, log));
    expect(await Promise.all([...indexing, query])).toEqual(["p1", "p2", "q"]);
    expect(log).toEqual(["p1", "q", "p1", "p1", "p2", "p2"]);
  });

  test("gives urgent jobs turns, so that a long one does not hold up a short one", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(ROOMY);
    await Promise.all([
      scheduler.add("urgent", 1, job("long", 4, log)),
      scheduler.add("urgent", 1, job("short", 1, log)),
    ]);
    expect(log).toEqual(["long", "short", "long", "long", "long"]);
  });

  test("gives indexing a step after 64 urgent ones", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(ROOMY);
    await Promise.all([
      scheduler.add("urgent", 1, job("q", 200, log)),
      scheduler.add("patient", 1, job("p", 2, log)),
    ]);
    expect(log.indexOf("p")).toBe(64);
    expect(log.lastIndexOf("p")).toBe(64 + 1 + 64);
  });

  test("hears of what arrives while a step runs before it chooses the next", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(ROOMY);
    let query: Promise<string> | undefined;
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      query = scheduler.add("urgent", 1, job("q", 1, log));
    };
    async function* busy(): Job<string> {
      port1.postMessage("arrives during the step");
      log.push("p");
      yield;
      log.push("p");
      return "p";
    }
    await scheduler.add("patient", 1, busy());
    await query;
    expect(log).toEqual(["p", "q", "p"]);
    port1.close();
  });

  test("refuses what would not fit, and takes it again when there is room", async () => {
    const scheduler = createScheduler({ urgent: 10, patient: 10 });
    const held = scheduler.add("patient", 8, job("held", 2, []));
    await expect(scheduler.add("patient", 3, job("late", 1, []))).rejects.toMatchObject({
      kind: "unavailable",
    });
    expect(await scheduler.add("urgent", 10, job("other lane", 1, []))).toBe("other lane");
    await held;
    expect(await scheduler.add("patient", 10, job("fits", 1, []))).toBe("fits");
  });

  test("a job that fails takes nobody along", async () => {
    async function* failing(): Job<string> {
      yield;
      throw new Error("broken text");
    }
    const scheduler = createScheduler(ROOMY);
    const failed = scheduler.add("urgent", 1, failing());
    const other = scheduler.add("urgent", 1, job("other", 3, []));
    await expect(failed).rejects.toThrow("broken text");
    expect(await other).toBe("other");
  });

  test("stop ends after the step that runs and refuses the rest", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(ROOMY);
    const begun = scheduler.add("patient", 1, job("begun", 5, log));
    const waiting = scheduler.add("patient", 1, job("waiting", 1, log));
    const outcomes = Promise.allSettled([begun, waiting]);
    await scheduler.stop();
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(log).toEqual(["begun"]);
    await expect(scheduler.add("urgent", 1, job("late", 1, log))).rejects.toMatchObject({
      kind: "unavailable",
    });
  });
});
