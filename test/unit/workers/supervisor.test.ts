// A supervised worker: started on demand, replaced after a missed deadline or a crash, shut down before it is
// terminated.

import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { CheckpointApi } from "../../../src/db/checkpoint-worker.ts";
import { storageProblemOf } from "../../../src/db/storage-errors.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import {
  MAX_SHUT_DOWN_MS,
  type SupervisedWorker,
  superviseWorker,
  type WorkerOptions,
} from "../../../src/workers/supervisor.ts";
import { DeadlineExceeded } from "../../../src/workers/limits.ts";
import { failureOf } from "../../helpers/failure-of.ts";
import type { TestApi } from "./test-worker.ts";

const opened: SupervisedWorker<TestApi>[] = [];
afterEach(async () => {
  for (const worker of opened.splice(0)) await worker.close();
});

/** A supervised worker on a manual clock, with the threads that it created and a log of their starts and ends. */
function open(options: Partial<WorkerOptions<TestApi>> = {}) {
  const clock = new ManualClock();
  const threads: Worker[] = [];
  const events: string[] = [];
  let terminated = Promise.withResolvers<void>();
  const worker = superviseWorker<TestApi>({
    role: "test",
    clock,
    spawn() {
      events.push("start");
      terminated = Promise.withResolvers();
      const thread = new Worker(join(import.meta.dir, "test-worker.ts"));
      const terminate = thread.terminate.bind(thread);
      thread.terminate = () => {
        events.push("terminate");
        terminated.resolve();
        return terminate();
      };
      threads.push(thread);
      return thread;
    },
    onCrash: ({ message }) => events.push(message),
    ...options,
  });
  opened.push(worker);
  /** Terminates the latest thread, as if it had crashed. */
  const crash = async () => {
    const thread = threads.at(-1)!;
    const ended = new Promise((resolve) => thread.addEventListener("close", resolve));
    thread.terminate();
    await ended;
  };
  /** Resolves when the latest thread is terminated by the supervisor. */
  const termination = () => terminated.promise;
  return { worker, clock, threads, events, crash, termination };
}

describe("calls", () => {
  test("the first one starts the thread, all others use the same", async () => {
    const { worker, events } = open();
    expect(events).toEqual([]);
    const ids = await Promise.all([worker.call.id(null), worker.call.id(null)]);
    expect(new Set([...ids, await worker.call.id(null)]).size).toBe(1);
    expect(events).toEqual(["start"]);
    expect(worker.start()).toBe(true);
    expect(events).toEqual(["start"]);
  });

  test("a failure in the thread arrives with kind and message, and the thread stays", async () => {
    const { worker, events } = open();
    expect(await failureOf(worker.call.fail("taken"))).toMatchObject({ kind: "conflict", message: "taken" });
    expect(await worker.call.echo("still here")).toBe("still here");
    expect(events).toEqual(["start"]);
  });

  test("a problem that the thread worked around is reported, and the call returns", async () => {
    const problems: string[] = [];
    const { worker, events } = open({ onNotice: (problem) => problems.push(problem) });
    expect(await worker.call.report("a slow way")).toBe("worked around");
    expect(problems).toEqual(["a slow way"]);
    expect(await open().worker.call.report("nobody listens")).toBe("worked around");
    expect(events).toEqual(["start"]);
  });

  test("too many in flight are rejected, those before them are not", async () => {
    const { worker } = open();
    // The thread posts its replies from the event loop, which does not run before the last call is made.
    const calls = Array.from({ length: 2_001 }, (_, i) => worker.call.echo(String(i)));
    expect(await failureOf(calls.at(-1)!)).toMatchObject({
      kind: "unavailable",
      message: "too many calls wait for the test worker",
    });
    expect((await Promise.all(calls.slice(0, -1))).at(-1)).toBe("1999");
    expect(await worker.call.echo("again")).toBe("again");
  });
});

describe("a deadline", () => {
  test("in time, nothing happens", async () => {
    const { worker, events } = open();
    expect(await worker.within(10_000).echo("quick")).toBe("quick");
    expect(events).toEqual(["start"]);
  });

  test("missed, that worker alone is terminated; the next call gets a new thread without back-off", async () => {
    const { worker, events } = open();
    const other = open();
    const before = await worker.call.id(null);
    const otherBefore = await other.worker.call.id(null);
    const alsoWaiting = failureOf(worker.call.hang(null));
    expect(await failureOf(worker.within(20).hang(null))).toBeInstanceOf(DeadlineExceeded);
    expect(await alsoWaiting).toMatchObject({ kind: "unavailable" });
    for (let i = 0; i < 6; i++) {
      expect(await failureOf(worker.within(20).hang(null))).toBeInstanceOf(DeadlineExceeded);
    }
    expect(await worker.call.id(null)).not.toBe(before);
    expect(events).toEqual([...Array(7).fill(["start", "terminate"]).flat(), "start"]);
    expect(await other.worker.call.id(null)).toBe(otherBefore);
    expect(other.events).toEqual(["start"]);
  });
});

describe("a start that fails", () => {
  test("rejects all calls with the code of the error, and counts as a crash", async () => {
    const crashes: string[] = [];
    const worker = superviseWorker<CheckpointApi>({
      role: "checkpoint",
      options: { databasePath: join(import.meta.dir, "missing.db") },
      onCrash: ({ message }) => crashes.push(message),
    });
    const failures = await Promise.all([1, 2].map(() => failureOf(worker.call.checkpoint(null))));
    for (const failure of failures) {
      expect(failure).toMatchObject({ kind: "unavailable" });
      expect(storageProblemOf(failure)).toBe("unreadable");
    }
    expect(crashes).toEqual(["the checkpoint worker cannot start: unable to open database file"]);
    await worker.close();
  });
});

describe("a crash", () => {
  test("rejects calls in flight; restarts are immediate once, then wait for the back-off", async () => {
    const { worker, clock, events, crash } = open();
    const before = await worker.call.id(null);
    const inFlight = failureOf(worker.call.hang(null));
    await crash();
    expect(await inFlight).toMatchObject({ kind: "unavailable", message: "the test worker ended" });
    expect(events).toContain("the test worker ended");
    expect(await worker.call.id(null)).not.toBe(before);

    await crash();
    expect(await failureOf(worker.call.id(null))).toMatchObject({
      kind: "unavailable",
      message: "the test worker ended",
    });
    expect(worker.start()).toBe(false);
    clock.advance(999);
    expect(worker.start()).toBe(false);
    clock.advance(1);
    expect(await worker.call.echo("back")).toBe("back");
    expect(events.filter((event) => event === "start")).toHaveLength(3);
  });

  test("an exception outside of any call is a crash", async () => {
    const { worker, events } = open();
    expect(await failureOf(worker.call.throwOutside("broken"))).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("broken"),
    });
    expect(events.filter((event) => event.includes("broken"))).toHaveLength(1);
    expect(await worker.call.echo("back")).toBe("back");
  });
});

describe("a thread that does not become ready", () => {
  test("is shut down, counts as crashed, and is replaced within the back-off", async () => {
    let attempts = 0;
    const { worker, clock, events, termination } = open({
      ready: (call) => (++attempts <= 2 ? call.fail("not ready") : call.echo("ready")),
      shutDown: async (call) => void events.push(await call.echo("shut down")),
    });
    const failed = ["start", "not ready", "shut down", "terminate"];
    for (const expected of [failed, [...failed, ...failed]]) {
      expect(worker.start()).toBe(true);
      await termination();
      expect(events).toEqual(expected);
    }
    expect(await failureOf(worker.call.echo("x"))).toMatchObject({
      kind: "unavailable",
      message: "not ready",
    });
    clock.advance(1_000);
    expect(await worker.call.echo("x")).toBe("x");
    expect(attempts).toBe(3);
  });

  test("is terminated before close resolves", async () => {
    const gate = Promise.withResolvers<void>();
    const failing = Promise.withResolvers<void>();
    const { worker, events } = open({
      ready: (call) => call.fail("not ready"),
      onCrash: () => failing.resolve(),
      shutDown: () => gate.promise,
    });
    worker.start();
    await failing.promise;
    const closing = worker.close();
    expect(events).toEqual(["start"]);
    gate.resolve();
    await closing;
    expect(events).toEqual(["start", "terminate"]);
  });
});

describe("close", () => {
  test("calls shutDown before it terminates the thread; calls afterwards are rejected", async () => {
    const { worker, events } = open({
      shutDown: async (call) => void events.push(await call.echo("shut down")),
    });
    await worker.call.echo("x");
    const inFlight = failureOf(worker.call.hang(null));
    await worker.close();
    expect(events).toEqual(["start", "shut down", "terminate"]);
    const closed = { kind: "unavailable", message: "the test worker is closed" };
    expect(await inFlight).toMatchObject(closed);
    expect(await failureOf(worker.call.echo("x"))).toMatchObject(closed);
    expect(await failureOf(worker.within(1_000).echo("x"))).toMatchObject(closed);
    expect(worker.start()).toBe(false);
    expect(events).toHaveLength(3);
  });

  test("does not start a thread to close it", async () => {
    const { worker, events } = open({ shutDown: (call) => call.echo("shut down") });
    await worker.close();
    expect(events).toEqual([]);
  });

  test("terminates the thread if shutDown rejects, or has not returned after MAX_SHUT_DOWN_MS", async () => {
    const failing = open({ shutDown: (call) => call.fail("no") });
    await failing.worker.call.echo("x");
    await failing.worker.close();
    expect(failing.events).toEqual(["start", "terminate"]);

    const hanging = open({ shutDown: (call) => call.hang(null) });
    await hanging.worker.call.echo("x");
    const closing = hanging.worker.close();
    hanging.clock.advance(MAX_SHUT_DOWN_MS - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(hanging.events).toEqual(["start"]);
    hanging.clock.advance(1);
    await closing;
    expect(hanging.events).toEqual(["start", "terminate"]);
  });
});
