// Conflicts in words rather than amounts: how often, which colour, which door, who is told; with the shipped weights.

import { expect, test } from "bun:test";
import { contradict } from "./ask.ts";

test.each([])("a conflict: %s %s %s", (question, a, b) => expect(contradict(question, a, b).length).toBe(1));

test.each([
  [
    "How often does the board meet?",
    "The board meets once a month.",
    "The board meets monthly, in the office.",
  ],
])("no conflict: %s %s %s", (question, a, b) => expect(contradict(question, a, b)).toEqual([]));
