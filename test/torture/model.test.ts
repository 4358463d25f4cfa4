// The short share of the group `model` of bun run torture, and every counterexample that it has found.

import { expect, test } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { FIRST_STEPS, model, openWorld } from "../../scripts/torture/model.ts";
import { type Step, take } from "../../scripts/torture/model/steps.ts";
import { checksOf, isMet, openTorture } from "../../scripts/torture/torture.ts";
import { useServer } from "../helpers/start.ts";

const SEED = 20_261_122;

const clock = new ManualClock();
const started = useServer({ clock });

/** Steps that once gave a reply that the specification does not allow, with the fault. */
const KEPT: [string, Step[]][] = [
  [
    "literal search answered 500 beside an empty document that was not indexed yet",
    [
      { do: "createDocument", by: 0, body: { title: "tea", content: "" }, into: [] },
      { do: "searchLiterally", by: 0, q: "tea", isSettled: false },
    ],
  ],
];

test.each(KEPT)("%s", async (name, steps) => {
  const world = openWorld(started, clock, Bun.hash(name).toString(36));
  for (const step of steps) await take(world, step);
});

test("a reply that differs from the model is reported", async () => {
  const world = openWorld(started, clock, "differs");
  for (const step of FIRST_STEPS) await take(world, step);
  world.records.documents[0]!.fields.title = "Another title";
  expect(take(world, { do: "readDocument", by: 0, document: 0 })).rejects.toThrow("Another title");
});

test("50 runs of 40 steps agree with the model", async () => {
  const torture = openTorture({ seed: SEED, share: 1 });
  try {
    const checks = await checksOf((one) => model(one, { runs: 50, commands: 40 }), torture);
    expect(checks.filter((check) => !isMet(check))).toEqual([]);
  } finally {
    torture.close();
  }
});
