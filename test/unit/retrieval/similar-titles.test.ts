// Titles that are like what was typed.

import { expect, test } from "bun:test";
import { similarTo } from "../../../src/retrieval/search/lists/similar-titles.ts";

test.each<[typed: string, title: string, isLike: boolean]>([
  ["runbok", "Queue depth runbook", true],
  ["runnbook", "Queue depth runbook", true],
  ["runbokk", "Queue depth runbook", true],
  ["rnubook", "Queue depth runbook", true],
  ["depht run", "Queue depth runbook", true],
  ["eclair", "Éclair", true],
  ["rumbuk", "Queue depth runbook", false],
  ["runbook queue cat", "Queue depth runbook", false],
  ["qet", "Queue", false],
  ["-", "Queue", false],
])("%j and %j: %p", (typed, title, isLike) => expect(similarTo(typed)(title)).toBe(isLike));
