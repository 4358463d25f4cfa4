// Which of the chunks that were found an answer may use.

import { expect, test } from "bun:test";
import { withinBounds } from "../../../src/engine/answers/3-rank/bounds.ts";
import { prepare, rank } from "../../../src/engine/answers/3-rank/rank.ts";
import models from "../../../src/engine/answers/weights.json";
import { chunk, inputOf } from "./evidence.ts";

const evidence = [
  chunk("far", "The clay is red. It comes from the river."),
  chunk("near", "A lamp weighs 4 kg."),
  chunk("other", "The lamp hangs in the hall, between two doors that are always open."),
];
const rankings = rank(prepare(inputOf("How heavy is the lamp?", evidence)), models);

test("the chunks that most probably answer are kept, with their passages only", () => {
  const bounded = withinBounds(rankings, evidence, { limit: 2, maxTokens: 1_000 });
  expect(bounded.gathered).toEqual([1, 2]);
  const chunks = bounded.rankings.flatMap(({ ranked }) => ranked.map(({ passage }) => passage.chunk));
  expect(chunks.toSorted()).toEqual([1, 2]);
});

test("tokens are counted as the contract says, and one chunk is always kept", () => {
  const [near, other] = [5, 17];
  const gathered = (maxTokens: number) => withinBounds(rankings, evidence, { limit: 3, maxTokens }).gathered;
  expect(gathered(1)).toEqual([1]);
  expect(gathered(near + other - 1)).toEqual([1]);
  expect(gathered(near + other)).toEqual([1, 2]);
});

test("without evidence", () => {
  const bounds = { limit: 8, maxTokens: 6_000 };
  expect(withinBounds([], [], bounds)).toEqual({ gathered: [], rankings: [] });
});
