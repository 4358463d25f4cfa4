// Runs a small share of a group of `bun run torture` as a test.

import { expect, test } from "bun:test";
import { Missing } from "../../scripts/bench/bench.ts";
import { checksOf, isMet, openTorture, type TortureGroup } from "../../scripts/torture/torture.ts";

const SEED = 18;
/** For busy machines: a share takes a few seconds. */
const TIMEOUT_MS = 180_000;

/** The test fails with the checks that are not met. It only says so where the machine lacks a tool. */
export function testShare(name: string, group: TortureGroup, share: number): void {
  test(
    name,
    async () => {
      const notes: string[] = [];
      const torture = {
        ...openTorture({ seed: SEED, share }),
        note: (text: string) => void notes.push(text),
      };
      try {
        const checks = await checksOf(group, torture);
        expect(checks.length).toBeGreaterThan(0);
        const unmet = checks.filter((check) => !isMet(check)).map(({ check, value }) => `${check}: ${value}`);
        expect(unmet.length > 0 ? [...unmet, ...notes] : []).toEqual([]);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        console.log(`skipped: ${name}: ${error.message}`);
      } finally {
        torture.close();
      }
    },
    TIMEOUT_MS,
  );
}
