// How many rows of a table have what a question says: `how many rooms have a balcony`.

import { shareOf, wordSet } from "../language/match.ts";
import { isLightWord, type Term, termsOf } from "../language/terms.ts";
import { MAX_ROWS } from "./extremes.ts";
import { rowsWithValues } from "./rows.ts";
import {
  type Asked,
  cellOf,
  headersWithYes,
  mentions,
  namesOtherColumn,
  namingHeaders,
  type Result,
  saysYes,
  type Table,
} from "./table.ts";

const HOW_MANY =
  /\bhow many (?:of (?:the |our |your |these |those |all )*)?((?:[\p{L}-]+ ){0,2}?[\p{L}-]+)(?= (?:are|have|do|can|were|had|with|in|on|at|for|of|from|by|belong|come)\b)/iu;

/** The rows that `how many` counts; undefined if it counts no rows, or what they must have is not sure. */
export function countOf(table: Table, asked: Asked): Result | undefined {
  const counted = termsOf(HOW_MANY.exec(asked.text)?.[1] ?? "");
  const noun = counted.slice(-1);
  const ofRows = mentions(noun, namingHeaders(table).join("\n")) && !namesOtherColumn(table, noun);
  if (!ofRows || !table.isComplete) return undefined;
  const valued = rowsWithValues(table, asked);
  const withYes = [...headersWithYes(table)].filter((header) => isNamed(header, asked));
  if (!valued && withYes.length === 0) return undefined;
  const rows = (valued ?? table.rows).filter((row) =>
    withYes.every((header) => saysYes(cellOf(row, header) ?? "")),
  );
  const isSaid = (term: Term) =>
    isLightWord(term.word) || rows.every((row) => shareOf(term, row.wordsInContext) > 0);
  if (rows.length === 0 || rows.length > MAX_ROWS || !asked.terms.every(isSaid)) return undefined;
  return { isWhole: true, statement: `${rows.length} of ${table.rows.length} rows:`, rows };
}

/** Whether a question contains all words of a header. */
const isNamed = (header: string, { text }: Asked) => {
  const words = wordSet(text);
  const terms = termsOf(header);
  return terms.length > 0 && terms.every((term) => shareOf(term, words) >= 0.7);
};
