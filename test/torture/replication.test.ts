// The short share of the group `replication` of bun run torture: one kill. Skipped where there is no Litestream.

import { expect, test } from "bun:test";
import { replication } from "../../scripts/torture/replication.ts";
import { litestreamPath } from "../../scripts/torture/replication/litestream.ts";
import { checksOf, isMet, openTorture } from "../../scripts/torture/torture.ts";

const hasLitestream = litestreamPath() !== undefined;
if (!hasLitestream)
  console.error("test/torture/replication.test.ts: skipped, there is no Litestream for this machine");

test.skipIf(!hasLitestream)("a killed server can be restored from its replica", async () => {
  const torture = openTorture({ seed: 7, share: 0.01 });
  try {
    const checks = await checksOf(replication, torture);
    expect(checks.filter((check) => !isMet(check))).toEqual([]);
    expect(
      checks.find(({ check }) => check.includes("documents in the last replica"))?.value,
    ).toBeGreaterThan(5);
  } finally {
    torture.close();
  }
});
