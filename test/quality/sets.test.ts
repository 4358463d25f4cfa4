// The six question sets that the quality test and `bun run bench reason` ask.

import { expect, test } from "bun:test";
import { readSets } from "../../scripts/bench/reason-cases.ts";
import { checkSets } from "./check-sets.ts";

const sets = readSets();

test("there are six sets", () => expect(sets.length).toBe(6));

checkSets(sets);
