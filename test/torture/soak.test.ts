// The short share of the group `soak` of bun run torture: a few seconds of its load. How memory and latencies develop
// says nothing in that time; that requests succeed, and that the records stay the same in number, does.

import { expect, test } from "bun:test";
import { slopeOf } from "../../scripts/torture/soak/samples.ts";
import { soak } from "../../scripts/torture/soak.ts";
import { checksOf, openTorture } from "../../scripts/torture/torture.ts";

test("the slope of samples", () => {
  const points = [0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x + (x % 2) }));
  expect(slopeOf(points)).toBeCloseTo(2.2);
  expect(slopeOf(points.slice(0, 1))).toBe(0);
});

/** The load takes 8 s on a slow machine that does nothing else. */

test("the load of the soak is answered", async () => {
  const torture = openTorture({ seed: 1, share: 0.001 });
  try {
    const checks = new Map((await checksOf(soak, torture)).map(({ check, value }) => [check, value]));
    expect(checks.get("requests failed")).toBe(0);
    expect(checks.get("requests answered")).toBeGreaterThan(0);
    expect(checks.get("largest WAL")).toBeGreaterThan(0);
  } finally {
    torture.close();
  }
});
