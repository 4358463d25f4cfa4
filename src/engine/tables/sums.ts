// Sums of cells: of the rows that a question names, as often as it says, of the first things and the further ones, of all rows,
// and what a thing costs for several days.

import { type Amount, areExact, type Column, columnOf, totalLike } from "../language/cells.ts";
import {
  asksPrice,
  IS_TIME,
  forWhom,
  listedIn,
  namesParts,
  namesSpan,
  type Operation,
  unitAsked,
} from "../language/comparisons.ts";
import { shareOf, wordSet } from "../language/match.ts";
import { tierOf, tiersFor } from "../language/ordinals.ts";
import { countIn, rateIn, ratesIn } from "../language/rates.ts";
import { isLightWord, stem, stemsOf, termsOf } from "../language/terms.ts";
import { type Value, valuesOf } from "../language/values.ts";
import { columnAsked } from "./columns.ts";
import { MAX_ROWS } from "./extremes.ts";
import { isKnown, rowsNamed } from "./rows.ts";
import {
  type Asked,
  asksTotal,
  cellOf,
  keyOf,
  mentions,
  type Result,
  type Row,
  type Table,
} from "./table.ts";

type Sum = Operation & { kind: "sum" };

/** A sum that the question asks for with words such as `together`; undefined if it is not sure of what. */
export function sumOf(table: Table, asked: Asked, operation: Sum): Result | undefined {
  const column = columnAsked(table, asked, operation);
  if (!column) return undefined;
  const tiers = tiersAsked(table, asked);
  if (tiers) return added(table, column, tiers);
  const named = namesSpan(asked.text) ? undefined : rowsNamed(table, asked);
  if (named === undefined) return undefined;
  const { rows, isGroup } = named;
  if (rows.length === 0) return sumOfAll(table, column, { asked, operation });
  const multiples = multiplesIn(asked, column, { rows, isGroup });
  if (!multiples || (isGroup && !table.isComplete) || leavesOut(asked, rows, table)) return undefined;
  const isMultiple = multiples.times > 1 || multiples.counts.some((count) => count > 1);
  if (isMultiple && !isAllSaid(asked, rows, table)) return undefined;
  const isOnce = multiples.counts[0] === 1 && (multiples.times === 1 || listedIn(asked.text).length > 0);
  if (rows.length < 2 && isOnce) return undefined;
  return added(table, column, { rows, ...multiples });
}

/** What several things of a row cost, or a row for several days, without words such as `together`. */
export function productOf(table: Table, asked: Asked): Result | undefined {
  if (!asksPrice(asked.text) && !/\bhow (?:much|many)\b/i.test(asked.text)) return undefined;
  if (valuesOf(asked.search).length === 0 || namesParts(asked.text) || namesSpan(asked.text))
    return undefined;
  const column = columnAsked(table, asked, { kind: "sum", ofAll: false });
  if (!column) return undefined;
  const tiers = tiersAsked(table, asked);
  if (tiers) return added(table, column, tiers);
  const rows = rowsNamed(table, asked)?.rows ?? [];
  const multiples = rows.length > 0 ? multiplesIn(asked, column, { rows, isGroup: false }) : undefined;
  const isOnce =
    rows.length === 1
      ? multiples?.times === 1 && multiples.counts[0] === 1
      : !multiples?.counts.some((count) => count > 1);
  return multiples && !isOnce && !leavesOut(asked, rows, table) && isAllSaid(asked, rows, table)
    ? added(table, column, { rows, ...multiples })
    : undefined;
}

/** The row of the total, or the sum of all rows, if the question asks for nothing else. */
function sumOfAll(
  table: Table,
  column: Column,
  { asked, operation }: { asked: Asked; operation: Sum },
): Result | undefined {
  const { rows, headers, total, isComplete } = table;
  const unit = unitAsked(asked.text)?.word;
  const counted = new Set(
    valuesOf(asked.text).flatMap(({ start, end }) =>
      termsOf(asked.text.slice(start, end)).map((term) => term.stem),
    ),
  );
  const isOnlyAbout = asked.terms.every(
    (term) =>
      isLightWord(term.word) ||
      asksTotal(term.word) ||
      term.word === unit ||
      counted.has(term.stem) ||
      shareOf(term, rows[0]!.wordsInContext) > 0,
  );
  const isOfColumn = unit !== undefined || mentions(asked.terms, column.header);
  if (!operation.ofAll || !isOnlyAbout || !isOfColumn) return undefined;
  if (total && cellOf(total, column.header) !== undefined)
    return { isWhole: true, statement: `Total of ${column.header}:`, rows: [total] };
  // The prices of a list may be alternatives: `how much does it cost in total` does not ask for all rows. How much one
  // needs may be another number.
  if (/\b(?:needs?|needed|must|required?|have to)\b/i.test(asked.text)) return undefined;
  if (!isComplete || (asksPrice(asked.text) && !mentions(asked.terms, headers[0]!))) return undefined;
  const multiples = multiplesIn(asked, column, { rows, isGroup: true });
  return multiples && added(table, column, { rows, ...multiples });
}

/** Rows and how often each is meant. */
interface Summands {
  rows: readonly Row[];
  counts: readonly number[];
  /** By what the sum is multiplied: 3 for three days at a price per day. */
  times: number;
}

function added(
  table: Table,
  { header, amounts }: Column,
  { rows, counts, times }: Summands,
): Result | undefined {
  const found: Amount[] = rows.flatMap((row) => amounts[table.rows.indexOf(row)] ?? []);
  const isRepeated = new Set(rows.map(({ plain }) => plain)).size < rows.length;
  if (found.length < rows.length || rows.length > MAX_ROWS || isRepeated || !areExact(found))
    return undefined;
  if (found.some(({ unit, amount }) => Number.isNaN(amount) || (unit && unit.offset !== 0))) return undefined;
  const cells = rows.map((row) => cellOf(row, header));
  if (cells.length > 1 && !columnOf(header, cells)) return undefined;
  // Three days at 20 € per day are 60 €.
  const summands = times === 1 ? found : found.map((amount) => ({ ...amount, per: "" }));
  const sum = found.reduce((so, { amount }, i) => so + amount * counts[i]!, 0) * times;
  const multiples = rows.flatMap((row, i) => (counts[i] === 1 ? [] : [`${counts[i]} × ${keyOf(row)}`]));
  const what = [
    ...(multiples.length > 0 ? [multiples.join(" and ")] : []),
    ...(times === 1 ? [] : [`${times} times each`]),
  ];
  return {
    isWhole: true,
    statement: `Total of ${header}${what.length === 0 ? "" : ` with ${what.join(", ")}`}: ${totalLike(summands, sum)}, from ${rows.length === 1 && times > 1 ? "this row" : "these rows"}:`,
    rows,
  };
}

/** `Two dogs` are the row for the first dog and the one for the second; undefined if the table has no such rows. */
function tiersAsked({ rows, headers }: Table, { search, terms }: Asked): Summands | undefined {
  const header = stemsOf(headers[0] ?? "");
  const asked = new Set(terms.map((term) => term.stem));
  const tiers = rows.flatMap((row) => {
    const tier = tierOf(keyOf(row));
    return tier ? [{ ...tier, row }] : [];
  });
  // Of `first dog` and `dangerous dog, first`, the one that the question says no more about.
  const [best, ...others] = [...Map.groupBy(tiers, ({ name }) => [...name].sort().join(" ")).values()]
    .map((group) => ({ group, name: group[0]!.name }))
    .filter(({ name }) => name.isSubsetOf(asked))
    .sort((a, b) => b.name.size - a.name.size);
  if (!best || best.group.length < 2 || others[0]?.name.size === best.name.size) return undefined;
  const { group } = best;
  const counting = best.name.size === 0 ? header : best.name;
  const names = (words: string) => counting.intersection(stemsOf(words)).size > 0;
  const counted = valuesOf(search).flatMap((value) =>
    names(value.unit?.name ?? phraseBehind(search, value)) ? [countIn(value)] : [],
  );
  const [count] = counted;
  if (counted.length !== 1 || !count || !Number.isInteger(count) || count < 2 || count > 50) return undefined;
  const indexes = tiersFor(group, count);
  if (!indexes) return undefined;
  const used = group.flatMap((one, i) =>
    indexes.includes(i) ? [{ one, count: indexes.filter((at) => at === i).length }] : [],
  );
  return { rows: used.map(({ one }) => one.row), counts: used.map((one) => one.count), times: 1 };
}

/** What a value counts, with the words behind it: `perfectly harmless dogs`. */
const phraseBehind = (text: string, { end }: Value) =>
  text.slice(end).split(/[,;.?!]|\b(?:and|or|plus|for|in|to|from|on|at|per|with)\b/i)[0]!;

/** How often each row is meant: `3 helmets and 2 gloves`, `for three days`; undefined if a value of the question belongs to none. */
function multiplesIn(
  { text }: Asked,
  { header }: Column,
  { rows, isGroup }: { rows: readonly Row[]; isGroup: boolean },
): Omit<Summands, "rows"> | undefined {
  const counts = rows.map(() => 1);
  const rates = ratesOf(header, rows);
  const known = rates.size;
  let times = 1;
  for (const value of valuesOf(text)) {
    const next = phraseBehind(text, value);
    const [first, second] = termsOf(next);
    const isIn = (row: Row, term = first) => !!term && shareOf(term, wordSet(keyOf(row))) >= 0.8;
    const hits = rows.map(
      (row) => (isIn(row) ? 2 : 0) + (isIn(row, second) ? 1 : 0) || (isShortIn(row, next) ? 2 : 0),
    );
    const most = Math.max(...hits);
    const isOnce = hits.filter((one) => one === most).length === 1;
    const written = termsOf(text.slice(value.start, value.end));
    // The number of `Orca 2` is part of a name.
    const isOfName = (row: Row) => written.some((term) => stemsOf(keyOf(row)).has(term.stem));
    const isOfAll =
      hits.every((hit) => hit > 0) || mentions(termsOf(next), rows[0]?.cells?.[0]?.header ?? "");
    const isOfGroup = isGroup && value.amount === rows.length && isOfAll;
    const rate = rateIn(text, value, rates);
    const counted = value.sort === "number" && most > 0 && isOnce ? hits.indexOf(most) : -1;
    if (IS_TIME.test(text.slice(value.end))) return undefined;
    if (counted >= 0 && !isOfName(rows[counted]!)) counts[counted] = value.amount;
    else if (rate !== undefined) {
      times *= countIn(value);
      rates.delete(rate);
    } else if (!isOfGroup && !isKnown(text, value, rows)) return undefined;
  }
  // Of a price per person and night, three nights alone are not enough.
  const isWhole = rates.size === known || rates.size === 0;
  return Number.isInteger(times) && isWhole ? { counts, times } : undefined;
}

/** Whether a text begins with a name of one letter, such as the grade of `one A`. */
const isShortIn = (row: Row, text: string) => keyOf(row) !== "" && text.trim() === keyOf(row);

/** For what the cells of all rows are stated: `day` of `20 € per day`. */
function ratesOf(header: string, rows: readonly Row[]): Set<string> {
  const rates = rows.map(({ cells = [] }) => {
    const said = cells.filter((cell) => cell.header === header || /^per\b/i.test(cell.value));
    return new Set([header, ...said.map(({ value }) => value)].flatMap(ratesIn));
  });
  return rates.reduce((all, one) => all.intersection(one));
}

/** Whether all words of the question are said of the rows: no `family rooms` of a single room. */
function isAllSaid({ text, terms }: Asked, rows: readonly Row[], { headers }: Table): boolean {
  const known = wordSet(headers.join("\n"));
  const unit = unitAsked(text)?.word;
  const stated = new Set(
    valuesOf(text).flatMap(({ start, end, noun }) => [
      ...stemsOf(text.slice(start, end)),
      // `3 packs of flour` are of flour.
      ...(text.slice(end).trimStart().startsWith(`${noun} of `) ? stemsOf(noun) : []),
    ]),
  );
  return terms.every(
    (term) =>
      term.weight < 1 ||
      term.word.length < 2 ||
      stated.has(term.stem) ||
      term.word === unit ||
      asksPrice(term.word) ||
      asksTotal(term.word) ||
      shareOf(term, known) > 0 ||
      rows.some((row) => shareOf(term, row.wordsInContext) > 0),
  );
}

/** Whether the question lists something that is in none of the rows. */
function leavesOut({ text, terms }: Asked, rows: readonly Row[], { headers }: Table): boolean {
  const known = new Set([...stemsOf(headers.join("\n")), ...rows.map((row) => stem(keyOf(row)))]);
  for (const { start, end } of valuesOf(text))
    for (const word of stemsOf(text.slice(start, end))) known.add(word);
  for (const { wordsInContext } of rows) for (const word of wordsInContext.stems) known.add(word);
  return [...listedIn(text), ...forWhom(text)].some(
    (word) => !known.has(word) && terms.some((term) => term.stem === word && term.weight >= 1),
  );
}
