// The short share of the group `upgrade` of bun run torture: the oldest database file, with the shipped model.

import { expect, test } from "bun:test";
import { checksOf, isMet, openTorture } from "../../scripts/torture/torture.ts";
import { upgrade } from "../../scripts/torture/upgrade.ts";

test("the oldest database gives the same answers as the newest", async () => {
  const torture = openTorture({ seed: 1, share: 0.01 });
  try {
    const checks = await checksOf(upgrade, torture);
    expect(checks.filter((check) => !isMet(check))).toEqual([]);
    expect(checks).toHaveLength(2);
  } finally {
    torture.close();
  }
});
