// The units of words/units.txt: what they measure, their spellings, and expressions that find them. It reads no
// numbers.

import { fold } from "../../kernel/text.ts";
import { linesOf } from "./word-lists.ts";
import units from "./words/units.txt" with { type: "text" };

export interface Unit {
  /** What it measures: `money`, `duration`, `mass` … */
  sort: string;
  name: string;
  /** A number in this unit is `(number + offset) * factor` in the smallest unit of the sort. */
  factor: number;
  offset: number;
}

const UNITS = new Map(
  linesOf(units).flatMap((line) => {
    const [sort = "", conversion = "", ...names] = line.split(" ");
    const spellings = names.map((spelling) => spelling.replaceAll("_", " "));
    const [factor, offset = 0] = conversion.split("@").map(Number);
    const unit: Unit = { sort, name: spellings[0]!, factor: factor!, offset };
    return spellings.map((spelling) => [spelling, unit] as const);
  }),
);

/** The unit with this spelling, in any case. */
export const unitOf = (spelling: string): Unit | undefined =>
  UNITS.get(fold(spelling).trim().replace(/\s+/g, " "));

/** What units measure, without money and time. */
export const MEASURES: readonly string[] = [...new Set([...UNITS.values()].map(({ sort }) => sort))].filter(
  (sort) => sort !== "money" && sort !== "duration",
);

const oneOf = (spellings: readonly string[]) =>
  spellings
    .toSorted((a, b) => b.length - a.length)
    .map((spelling) => spelling.replace(/[$/]/g, "\\$&").replace(" ", "\\s"))
    .join("|");
const spellingsOf = (isWanted: (spelling: string, unit: Unit) => boolean) =>
  oneOf([...UNITS].filter(([spelling, unit]) => isWanted(spelling, unit)).map(([spelling]) => spelling));

/** Sources of expressions without groups, in lower case. */
export const UNIT = spellingsOf(() => true);
/** Signs and codes that can be before an amount of money. */
export const CURRENCY = spellingsOf(
  (spelling, { sort }) => sort === "money" && /^\p{Sc}$|\$$|^\p{L}{2,3}$/u.test(spelling),
);
/** Units without words such as `second`, which mean something else behind a year. */
export const UNIT_BEHIND_YEAR = spellingsOf(
  (spelling, { sort }) => sort !== "duration" || !UNITS.has(`${spelling}s`) || spelling === "min",
);
