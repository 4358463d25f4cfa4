// The question sets of this folder.

import { expect, test } from "bun:test";
import { checkSets } from "../../test/quality/check-sets.ts";
import { readLabSets } from "./sets.ts";

const sets = readLabSets();

test("the sets are found", () => expect(sets.length).toBeGreaterThan(20));

checkSets(sets);
