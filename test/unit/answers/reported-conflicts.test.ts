// How many conflicts are reported, and of which parts; with the shipped weights.

import { expect, test } from "bun:test";
import { decide } from "../../../src/engine/answers/3-rank/answered.ts";
import { findConflicts } from "../../../src/engine/answers/6-conflicts.ts";
import { prepare, rank } from "../../../src/engine/answers/3-rank/rank.ts";
import models from "../../../src/engine/answers/weights.json";
import { ask } from "./ask.ts";
import { chunk, inputOf } from "./evidence.ts";

const QUESTION = "How long are daily backups kept?";
const backups = (id: string, days: number) => chunk(id, `Daily backups are kept for ${days} days.`);

test("of three documents with three values, the most probable pair", async () => {
  const { conflicts } = await ask(QUESTION, backups("a", 35), backups("b", 21), backups("c", 14));
  expect(conflicts.length).toBe(1);
});

test.each([
  [9, 1],
  [-9, 0],
])("only for a part that is answered (log-odds %s: %s)", (bias, count) => {
  const evidence = [backups("a", 35), backups("b", 21)];
  const rankings = rank(prepare(inputOf(QUESTION, evidence)), models);
  const decided = rankings.map((one) => decide(one, evidence, { ...models, answered: { bias } }));
  expect(findConflicts(decided, evidence, models).length).toBe(count);
});
