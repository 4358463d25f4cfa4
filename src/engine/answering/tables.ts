// Answers that follow from several rows of a table: the cheapest, those above a value, sums and counts. Cells are read as
// typed values. It knows nothing of probabilities except which tables are near the question.

import type { IndexedPassage } from "./features.ts";
import { shareOf } from "../language/match.ts";
import type { Ranking } from "./ranking.ts";
import { stem, stemsOf, type Term, termsOf } from "../language/terms.ts";
import { valuesOf } from "../language/values.ts";
import { linesOf } from "../language/word-lists.ts";
import superlatives from "../language/words/superlatives.txt" with { type: "text" };

/** A result and the rows that it follows from, in the order of the table. */
export interface Computed {
  statement: string;
  rows: IndexedPassage[];
}

/** What to compute. */
type Operation =
  | { kind: "extreme"; most: boolean }
  | { kind: "threshold"; above: boolean; amount: number; sort: string }
  | { kind: "sum" };

/** Superlatives, which value they ask for, and words that the column's header may have instead. */
const SUPERLATIVES = linesOf(superlatives).map((line) => {
  const [value, words = "", headers = ""] = line.split(": ");
  const word = new RegExp(`\\b(?:${words.split(" ").join("|")})\\b`, "i");
  return { word, most: value === "highest", about: headers.split(" ") };
});
const COMPARATIVE =
  /\b(?:(?<above>more|heavier|longer|larger|bigger|higher|greater|older|dearer|taller|over|above|at least|exceeds?)|(?<below>less|lighter|shorter|smaller|lower|fewer|cheaper|younger|under|below|at most|up to))\b(?:\s+\w+)?(?:\s+than)?\s+(?=[€$£]?\s?\d|\w+ )/i;
const TOGETHER =
  /\b(?:together|in total|altogether|in all|combined|(?:the |in )?sum|total (?:of|cost|price|number))\b/i;

const MAX_ROWS = 8;
const MIN_PROBABILITY = 0.01;

/** Results by the index of the part; only for parts that ask for something to compute and have a table that fits. */
export function computeFromTables(rankings: readonly Ranking[]): Map<number, Computed> {
  const computed = new Map<number, Computed>();
  for (const ranking of rankings) {
    const operation = operationOf(ranking.part.text);
    const result = operation && compute(ranking, operation);
    if (result) computed.set(ranking.index, result);
  }
  return computed;
}

function operationOf(text: string): Operation | undefined {
  if (TOGETHER.test(text) && /\b(?:how|what)\b/i.test(text)) return { kind: "sum" };
  const comparative = COMPARATIVE.exec(text);
  if (comparative && /\b(?:which|what|who|how many|list|name)\b/i.test(text)) {
    const [value] = valuesOf(text.slice(comparative.index));
    if (value && !Number.isNaN(value.amount) && value.start < 30)
      return {
        kind: "threshold",
        above: comparative.groups!.above !== undefined,
        amount: value.amount,
        sort: value.sort,
      };
  }
  // `At most` and `how long … at the latest` ask for no row.
  const asksThing =
    /\b(?:which|what|who)\b/i.test(text) && !/\bat (?:the )?(?:most|least|latest|earliest)\b/i.test(text);
  const superlative = asksThing && SUPERLATIVES.find(({ word }) => word.test(text));
  if (superlative) return { kind: "extreme", most: superlative.most };
  return undefined;
}

/** The rows of one table with the numbers of each column. */
interface Table {
  rows: IndexedPassage[];
  headers: string[];
  probability: number;
}

/** The tables among the passages, the most probable first. */
function tablesOf({ ranked }: Ranking): Table[] {
  const rows = ranked.filter(({ passage }) => passage.kind === "row");
  const byChunk = Map.groupBy(rows, ({ passage }) => passage.chunk);
  return [...byChunk.values()]
    .map((group) => ({
      rows: group.map(({ passage }) => passage).sort((a, b) => a.position - b.position),
      headers: [
        ...new Set(group.flatMap(({ passage }) => (passage.cells ?? []).map(({ header }) => header))),
      ],
      probability: Math.max(...group.map(({ probability }) => probability)),
    }))
    .filter(({ rows: { length }, probability }) => length >= 2 && probability >= MIN_PROBABILITY)
    .sort((a, b) => b.probability - a.probability);
}

function compute(ranking: Ranking, operation: Operation): Computed | undefined {
  const { text, terms } = ranking.part;
  for (const table of tablesOf(ranking).slice(0, 2)) {
    const selected = selectRows(table, terms, operation);
    const column = columnOf(table, text, operation);
    if (column === undefined || selected.length < 2) continue;
    const typed = selected.flatMap((row) => {
      const value = amountIn(row, column);
      return value === undefined ? [] : [{ row, value }];
    });
    if (typed.length < 2) continue;
    const name = column === "" ? "" : ` by ${column}`;
    switch (operation.kind) {
      case "extreme": {
        const amounts = typed.map(({ value }) => value);
        const wanted = operation.most ? Math.max(...amounts) : Math.min(...amounts);
        const rows = typed.filter(({ value }) => value === wanted).map(({ row }) => row);
        if (rows.length > 2) continue;
        return {
          statement: `The ${operation.most ? "highest" : "lowest"} of ${typed.length} rows${name}:`,
          rows,
        };
      }
      case "threshold": {
        const rows = typed
          .filter(({ value }) => (operation.above ? value > operation.amount : value < operation.amount))
          .map(({ row }) => row);
        if (rows.length === 0 || rows.length > MAX_ROWS) continue;
        return { statement: `${rows.length} of ${typed.length} rows${name}:`, rows };
      }
      case "sum": {
        if (selected.length > 4) continue;
        const total = selected.reduce((sum, row) => sum + (writtenAmount(cellOf(row, column) ?? "") ?? 0), 0);
        const [cell] = typed.map(({ row }) => cellOf(row, column));
        return {
          statement: `Total of ${column}: ${likeCell(cell ?? "", total)}, from these rows:`,
          rows: selected,
        };
      }
    }
  }
  return undefined;
}

const cellOf = ({ cells = [] }: IndexedPassage, column: string) =>
  cells.find(({ header }) => header === column)?.value;

/** The amount of a cell: of a bare number, or of the only value in it. */
function amountIn(row: IndexedPassage, column: string): number | undefined {
  const cell = cellOf(row, column);
  if (cell === undefined) return undefined;
  const bare = /^[~≈]?\s*([-−]?\d[\d,. ]*)$/.exec(cell)?.[1];
  if (bare !== undefined) {
    // `Weight kg` and `78` are 78 kg.
    const measured = column.split(/[\s()[\],]+/).flatMap((unit) => valuesOf(`${bare} ${unit}`));
    const inUnit = measured.find(({ sort, amount }) => sort !== "number" && !Number.isNaN(amount));
    return inUnit?.amount ?? Number(bare.replace(/[, ](?=\d{3})/g, "").replace("−", "-"));
  }
  const [value] = valuesOf(cell);
  if (!value) return undefined;
  if (!Number.isNaN(value.amount)) return value.amount;
  if (value.sort === "year") return Number(value.key);
  const [day, month, year] = value.key.split(" ").map(Number);
  return value.sort === "date" && year ? year * 372 + (month ?? 0) * 31 + (day ?? 0) : undefined;
}

/** The rows that the question names; for a condition or an extreme all rows, unless some have a cell that it names. */
function selectRows({ rows, headers }: Table, terms: readonly Term[], { kind }: Operation): IndexedPassage[] {
  const headerStems = new Set(headers.flatMap((header) => [...stemsOf(header)]));
  const naming = terms.filter((term) => !headerStems.has(term.stem) && !/^\d/.test(term.word));
  const shares = rows.map((row) => {
    const key = termsOf(row.cells?.[0]?.value ?? "");
    const hits = naming.filter((term) => shareOf(term, row.words) >= 0.8).length;
    const keyHits = key.filter(({ stem: own }) => terms.some((term) => term.stem === own)).length;
    return { row, hits, isKeyed: key.length > 0 && keyHits >= Math.max(1, key.length / 2) };
  });
  if (kind === "sum") {
    const keyed = shares.filter(({ isKeyed }) => isKeyed);
    const named = keyed.length >= 2 ? keyed : shares.filter(({ hits }) => hits > 0);
    // Of two rows for one thing, such as a price per day and one per week, the one that the question is closer to.
    const keyOf = ({ row }: (typeof shares)[number]) => row.cells?.[0]?.value ?? "";
    return named
      .filter((one) =>
        named.every((other) => other === one || keyOf(other) !== keyOf(one) || other.hits < one.hits),
      )
      .map(({ row }) => row);
  }
  const most = Math.max(0, ...shares.map(({ hits }) => hits));
  const named = shares.filter(({ hits }) => hits === most).map(({ row }) => row);
  return most > 0 && named.length >= 2 ? named : rows;
}

/** The column of numbers that the question is about: by its header, by a unit, or the only one. */
function columnOf({ rows, headers }: Table, text: string, operation: Operation): string | undefined {
  const numeric = headers.filter(
    (header) =>
      rows.filter((row) => amountIn(row, header) !== undefined).length >= Math.max(2, rows.length / 2),
  );
  const asked = termsOf(text);
  const about =
    operation.kind === "extreme" ? (SUPERLATIVES.find(({ word }) => word.test(text))?.about ?? []) : [];
  const sorts = new Set(valuesOf(text).map(({ sort }) => sort));
  const scored = numeric.map((header, index) => {
    const words = { stems: stemsOf(header), joined: "" };
    const named = asked.filter((term) => shareOf(term, words) > 0).length;
    const meant = about.some((word) => words.stems.has(stem(word))) ? 0.9 : 0;
    const ofSort = rows.some((row) =>
      valuesOf(`${cellOf(row, header) ?? ""} ${header.split(" ").at(-1)}`).some(
        ({ sort }) => sort !== "number" && sorts.has(sort),
      ),
    );
    return {
      header,
      score: named + meant + (ofSort ? 0.8 : 0) - (index === 0 && header === headers[0] ? 0.5 : 0),
    };
  });
  // Of `Weight` and `Crew weight`, the shorter one is meant.
  const [best] = scored.sort((a, b) => b.score - a.score || a.header.length - b.header.length);
  if (!best || (best.score <= 0 && numeric.length > 1))
    return operation.kind === "sum" ? numeric.at(-1) : undefined;
  return best.header;
}

/** The number in a cell as it is written, whatever its unit. */
function writtenAmount(cell: string): number | undefined {
  const digits = /[-−]?\d[\d,. ]*\d|\d/.exec(cell)?.[0];
  return digits === undefined ? undefined : Number(digits.replace(/[, ](?=\d{3})/g, "").replace("−", "-"));
}

/** A total written like a cell: `£345.00` and `£19.00` give `£364.00`. */
function likeCell(cell: string, total: number): string {
  const decimals = /\d\.(\d+)/.exec(cell)?.[1]?.length ?? 0;
  const rounded = Number(total.toFixed(6));
  const digits = decimals > 0 ? rounded.toFixed(decimals) : String(rounded);
  return /\d/.test(cell) ? cell.replace(/\d[\d,. ]*\d|\d/, digits) : digits;
}
