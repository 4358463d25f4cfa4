// Sleeping: on the system's clock, and on one that tests advance.

import { describe, expect, test } from "bun:test";
import { type Clock, ManualClock, systemClock } from "../../../src/kernel/clock.ts";

/** Whether a promise has settled once everything that is due has run. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test("sleeping on the system's clock takes at least the given time", async () => {
  const startedAt = systemClock.monotonic();
  await systemClock.sleep(20);
  // Timers may fire a fraction of a millisecond early.
  expect(systemClock.monotonic() - startedAt).toBeGreaterThan(18);
});

test("each sleeper of a manual clock wakes when the clock was advanced far enough", async () => {
  const clock = new ManualClock();
  const short = clock.sleep(100);
  const long = clock.sleep(200);
  clock.advance(99);
  expect(await hasSettled(short)).toBe(false);
  clock.advance(1);
  expect([await hasSettled(short), await hasSettled(long)]).toEqual([true, false]);
  clock.step(1_000);
  expect(await hasSettled(long)).toBe(false);
  clock.advance(100);
  expect(await hasSettled(long)).toBe(true);
});

test("a clock that advances on sleep does not wait", async () => {
  const clock = new ManualClock(1_000, { advancesOnSleep: true });
  await clock.sleep(60_000);
  expect([clock.now(), clock.monotonic()]).toEqual([61_000, 60_000]);
});

describe.each<[string, () => Clock]>([
  ["the system's clock", () => systemClock],
  ["a manual clock", () => new ManualClock()],
])("%s", (_name, open) => {
  test("rejects with the reason of the signal, at once", async () => {
    const reason = new Error("stopped");
    const controller = new AbortController();
    const sleeping = open()
      .sleep(60_000, controller.signal)
      .catch((error: unknown) => error);
    controller.abort(reason);
    expect(await sleeping).toBe(reason);
    const late = open()
      .sleep(60_000, controller.signal)
      .catch((error: unknown) => error);
    expect(await late).toBe(reason);
  });
});
