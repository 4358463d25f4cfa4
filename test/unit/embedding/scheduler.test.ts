// The order of work in the embedding worker.

import { describe, expect, test } from "bun:test";
import { createScheduler, type Job } from "../../../src/engine/embedding/scheduler.ts";

const LARGE = { urgent: 1_000, patient: 1_000 };

/** A job of `steps` steps that logs its name at each. */
async function* job(name: string, steps: number, log: string[]): Job<string> {
  for (let step = 1; step < steps; step++) {
    log.push(name);
    yield;
  }
  log.push(name);
  return name;
}

describe("createScheduler", () => {
  test("runs urgent jobs first, also before the next step of a started job", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(LARGE);
    const indexing = [
      scheduler.add("patient", 1, job("p1", 3, log)),
      scheduler.add("patient", 1, job("p2", 2, log)),
    ];
    const query = scheduler.add("urgent", 1, job("q", 1, log));
    expect(await Promise.all([...indexing, query])).toEqual(["p1", "p2", "q"]);
    expect(log).toEqual(["p1", "q", "p1", "p1", "p2", "p2"]);
  });

  test("runs urgent jobs in turns, so that a short one does not wait for a long one", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(LARGE);
    await Promise.all([
      scheduler.add("urgent", 1, job("long", 4, log)),
      scheduler.add("urgent", 1, job("short", 1, log)),
    ]);
    expect(log).toEqual(["long", "short", "long", "long", "long"]);
  });

  test("runs one step of indexing after 64 urgent steps", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(LARGE);
    await Promise.all([
      scheduler.add("urgent", 1, job("q", 200, log)),
      scheduler.add("patient", 1, job("p", 2, log)),
    ]);
    expect(log.indexOf("p")).toBe(64);
    expect(log.lastIndexOf("p")).toBe(64 + 1 + 64);
  });

  test("considers jobs that arrive during a step when it chooses the next step", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(LARGE);
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

  test("rejects jobs beyond the capacity, and accepts them when there is capacity again", async () => {
    const scheduler = createScheduler({ urgent: 10, patient: 10 });
    const held = scheduler.add("patient", 8, job("held", 2, []));
    await expect(scheduler.add("patient", 3, job("late", 1, []))).rejects.toMatchObject({
      kind: "unavailable",
    });
    expect(await scheduler.add("urgent", 10, job("other lane", 1, []))).toBe("other lane");
    await held;
    expect(await scheduler.add("patient", 10, job("fits", 1, []))).toBe("fits");
  });

  test("a job that fails does not affect others", async () => {
    async function* failing(): Job<string> {
      yield;
      throw new Error("broken text");
    }
    const scheduler = createScheduler(LARGE);
    const failed = scheduler.add("urgent", 1, failing());
    const other = scheduler.add("urgent", 1, job("other", 3, []));
    await expect(failed).rejects.toThrow("broken text");
    expect(await other).toBe("other");
  });

  test("stop waits for the running step and rejects all jobs", async () => {
    const log: string[] = [];
    const scheduler = createScheduler(LARGE);
    const started = scheduler.add("patient", 1, job("started", 5, log));
    const waiting = scheduler.add("patient", 1, job("waiting", 1, log));
    const outcomes = Promise.allSettled([started, waiting]);
    await scheduler.stop();
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(log).toEqual(["started"]);
    await expect(scheduler.add("urgent", 1, job("late", 1, log))).rejects.toMatchObject({
      kind: "unavailable",
    });
  });
});
