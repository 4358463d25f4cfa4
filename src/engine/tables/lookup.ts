// The cell that a question asks for: in the row that it names in full, or whose range contains its value, below a header that
// it names in full. Where several fit, it finds none.

import { amountOf, isOfPrices } from "../language/cells.ts";
import { asksPrice, comparedByAdjective, directionIn, unitAsked } from "../language/comparisons.ts";
import { shareOf, wordSet } from "../language/match.ts";
import { stemsOf, type Term, termsOf } from "../language/terms.ts";
import { type Value, valuesOf } from "../language/values.ts";
import { amountsBelow } from "./columns.ts";
import { rowInRange } from "./ranges.ts";
import { isKnown } from "./rows.ts";
import { type Asked, cellOf, isWrittenIn, type Result, type Row, type Table } from "./table.ts";

/** `How high` asks for a height. */
const HOW = /\bhow (?!much\b|many\b)(\p{L}+)/iu;
/** A reason, a way or a share is in no cell. */
const ASKS_MORE =
  /\bwhy\b|\b(?:percentage|share|proportion|fraction) of\b|\bhow (?:do|can|could|should|to)\b/i;
/** A longer cell is only quoted with its row. */
const MAX_UNITS = 120;
const EMPTY = /^(?:[–—-]+|n\/?a|none|\?)?$/i;

/** The cell in a row and a column that the question names; undefined if it names none, or several. */
export function cellAsked(table: Table, asked: Asked): Result | undefined {
  if (!table.isComplete) return undefined;
  const named = headersNamed(table, asked);
  const isMeasured = HOW.test(asked.text) || asksPrice(asked.text);
  if ((named.length === 0 && !isMeasured) || ASKS_MORE.test(asked.text)) return undefined;
  const inRange = rowInRange(table, asked);
  const found = inRange ?? rowInFull(table, asked);
  if (!found) return undefined;
  const besides = named.filter(({ header }) => header !== found.header);
  const others = besides.length > 0 ? besides : headersMeant(table, asked);
  const most = Math.max(...others.map(({ size }) => size));
  const [header, ...equal] = others.filter(({ size }) => size === most).map((one) => one.header);
  if (header === undefined || equal.length > 0) return undefined;
  const value = cellOf(found.row, header);
  if (value === undefined || EMPTY.test(value) || value.length > MAX_UNITS) return undefined;
  // Two of them cost more than one.
  const isCounted = ({ amount, key }: Value) => amount !== 1 && key !== inRange?.value.key;
  if (!valuesOf(asked.text).every((one) => !isCounted(one) || isKnown(asked.text, one, [found.row])))
    return undefined;
  const isPrice = asksPrice(asked.text);
  const unit = unitAsked(asked.text)?.unit;
  const { sort } = amountOf(value, header) ?? {};
  if (unit && sort !== unit.sort && !(unit.sort === "money" && sort === "number")) return undefined;
  if (isPrice && !/^(?:money|number)$/.test(sort ?? "")) return undefined;
  // A word that is said nowhere may ask for something else.
  const said = wordSet(header);
  const isSaid = (term: Term) => Math.max(shareOf(term, said), shareOf(term, found.row.wordsInContext)) > 0;
  const stated = stemsOf(inRange ? wordsAt(asked.search, inRange.value) : "");
  const adjective = HOW.exec(asked.text)?.[1]?.toLowerCase();
  const telling = asked.terms.filter(
    ({ weight, word, stem: own }) =>
      weight >= 1 && !stated.has(own) && !(isPrice && asksPrice(word)) && word.toLowerCase() !== adjective,
  );
  if (!telling.every(isSaid)) return undefined;
  return { isWhole: false, statement: `${header}: ${value}, in this row:`, rows: [found.row] };
}

/** A value with the rest of its last word: `7-year-old`. */
const wordsAt = (text: string, { start, end }: Value) =>
  text.slice(start, end) + /^[^\s,;?!]*/.exec(text.slice(end))![0];

/** The only row of which the question contains all words of a cell that no other row has. */
function rowInFull(
  { rows, headers }: Table,
  { text, terms }: Asked,
): { row: Row; header: string } | undefined {
  const asked = new Set(terms.map((term) => term.stem));
  const named = headers.flatMap((header) => {
    const cells = rows.map((row) => stemsOf(cellOf(row, header) ?? ""));
    const isKey = new Set(cells.map((cell) => [...cell].sort().join(" "))).size === rows.length;
    // `Stage 2` names a 2 below `Stage`.
    const isNamed = (cell: ReadonlySet<string>) =>
      cell.isSubsetOf(asked) &&
      ([...cell].some((word) => !/^(?!(?:19|20)\d\d$)\d+$/.test(word)) ||
        (cell.size > 0 && isWrittenIn(`${header} ${[...cell].join(" ")}`, text)));
    return isKey
      ? rows.flatMap((row, i) => (isNamed(cells[i]!) ? [{ row, header, words: cells[i]! }] : []))
      : [];
  });
  // Of `Orca` and `Orca 2`, the longer name is meant.
  const longest = named.filter(
    ({ words }) => !named.some((other) => words.size < other.words.size && words.isSubsetOf(other.words)),
  );
  const [first] = longest;
  return first && longest.every(({ row }) => row === first.row) ? first : undefined;
}

/** The headers of which the question contains all words, with their number. */
function headersNamed(table: Table, { terms }: Asked): { header: string; size: number }[] {
  const asked = terms.map(({ word }) => wordSet(word));
  return table.headers.flatMap((header) => {
    const words = termsOf(header.replace(/\(.*?\)/g, ""));
    const isAsked = (word: Term) => asked.some((one) => shareOf(word, one) >= 0.7);
    return words.length > 0 && words.every(isAsked) ? [{ header, size: words.length }] : [];
  });
}

/** The headers of prices if the question asks for one, or of what `how high` asks for. */
function headersMeant(table: Table, { text }: Asked): { header: string; size: number }[] {
  const compared = comparedByAdjective(HOW.exec(text)?.[1] ?? "");
  return table.headers.slice(1).flatMap((header) => {
    const column = amountsBelow(table, header);
    const direction = column && compared && directionIn(compared, column);
    // A length can be a height, a width or a depth.
    const isOfAdjective = direction?.isNamed || (direction?.isMeant && column?.sort !== "length");
    const isPrice = column && asksPrice(text) && isOfPrices(column);
    return isOfAdjective || isPrice ? [{ header, size: 0 }] : [];
  });
}
