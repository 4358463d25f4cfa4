// All question sets: the six of test/quality/reason and the others, which are here.

import { join } from "node:path";
import { type QuestionSet, readSets } from "../bench/reason-cases.ts";

/** The sets of this folder. */
export const readLabSets = (): QuestionSet[] => readSets(join(import.meta.dir, "sets"));

/** All sets, by name. */
export const readAllSets = (): QuestionSet[] =>
  [...readSets(), ...readLabSets()].sort((a, b) => (a.name < b.name ? -1 : 1));
