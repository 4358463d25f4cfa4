// How often a crashing worker is started again.

import { expect, test } from "bun:test";
import { createRestartLimit } from "../../../src/workers/restart-limit.ts";

test("the first restart is immediate, later ones wait longer, at most five starts a minute", () => {
  const limit = createRestartLimit();
  const table: [nowMs: number, allowed: boolean][] = [
    [0, true],
    [0, true],
    [999, false],
    [1_000, true],
    [4_999, false],
    [5_000, true],
    [20_999, false],
    [21_000, true],
    [40_000, false],
    [59_999, false],
    [60_000, true],
    [60_001, false],
  ];
  for (const [nowMs, allowed] of table) expect([nowMs, limit.allows(nowMs)]).toEqual([nowMs, allowed]);
});

test("a worker that crashes once an hour is always restarted immediately", () => {
  const limit = createRestartLimit();
  for (let hour = 0; hour < 50; hour++) expect(limit.allows(hour * 3_600_000)).toBe(true);
});
