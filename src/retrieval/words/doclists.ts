// Reads which chunks contain a term, and how often, from the tables in which FTS5 stores the word index. Chunk keys are
// never used twice, so what FTS5 notes about deleted rows is not needed. Everything that can be checked about the bytes
// is: tests and `doctor` compare what is read here with fts5vocab, and postings.ts uses that, which is slow, where a
// check fails.

import type { Database } from "bun:sqlite";
import { Bytes, continuationOf, expectThat, findTerms, firstRowAt, type Place } from "./fts5-leaf.ts";
import { type Fts5Segment, structureReader } from "./fts5-structure.ts";
import { CONTEXT_WEIGHT, type Doclist } from "./vocabulary.ts";
import type { IndexTerm } from "./words.ts";

/**
 * Reads the chunks of a term, or of all terms that start with a prefix, whose key is at least `firstKey`: a list for
 * each term, or several of different chunks. Deleted chunks may be among them.
 */
export type ReadDoclists = (term: IndexTerm, firstKey: number) => Iterable<Doclist>;

/** The row of a leaf is its number plus this times the id of its segment. */
const ROWS_A_SEGMENT = 2 ** 37;
/** The first byte of every term. */
const TERM_MARK = "0";
/** Of a list that continues, so many times the leaves that were read before are read at once. */
const GROWTH = 2;
/**
 * In a list of positions: the number of a column follows. Positions in column 0, title and headings, come first,
 * unmarked.
 */
const COLUMN_MARK = 1;
/** The number of the column with the text, the only one that follows a mark. */
const TEXT_COLUMN = 1;

/** The leaf on which a term is, if it is in the segment with this index. */
interface StartLeaf {
  segment: number;
  number: number;
  leaf: Uint8Array;
}

/** What is read from each segment. */
interface Wanted {
  /** A term or prefix as FTS5 stores it. */
  target: Uint8Array;
  isPrefix: boolean;
  firstKey: number;
}

/** Opens the tables of a read handle. Reading throws UnexpectedBytes where they are not as expected. */
export function openDoclists(database: Database): ReadDoclists {
  const structure = structureReader(database, "chunk_words");
  const rowOf = database.query<{ block: Uint8Array }, [number]>(
    "SELECT block FROM chunk_words_data WHERE id = ?",
  );
  const rowsFrom = database.query<{ block: Uint8Array }, [number, number]>(
    "SELECT block FROM chunk_words_data WHERE id BETWEEN ? AND ? ORDER BY id",
  );
  // While a segment is being merged into another, the table of terms still lists leaves before its first one. The
  // lowest bit of pgno is a flag.
  const leavesFor = database.query<StartLeaf, [Uint8Array, string]>(
    `SELECT start.segment, start.number, row.block AS leaf FROM (
       SELECT wanted.key AS segment, wanted.value ->> 'id' AS id, max(wanted.value ->> 'first', ifnull((
         SELECT pgno >> 1 FROM chunk_words_idx WHERE segid = wanted.value ->> 'id' AND term <= ?
         ORDER BY term DESC LIMIT 1), 0)) AS number
       FROM json_each(?) AS wanted) AS start
     CROSS JOIN chunk_words_data AS row ON row.id = start.id * ${ROWS_A_SEGMENT} + start.number`,
  );
  const leafAfter = database.query<{ number: number }, [number, Uint8Array]>(
    "SELECT pgno >> 1 AS number FROM chunk_words_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1",
  );
  const blockOf = (row: number): Uint8Array => {
    const found = rowOf.get(row);
    expectThat(found !== null, "a leaf is missing");
    return found.block;
  };
  const leafOf = ({ id }: Fts5Segment, number: number) => blockOf(id * ROWS_A_SEGMENT + number);

  /** The last leaf after `from` on which the list of the target continues with a chunk up to `firstKey`; or `from`. */
  const lastUpTo = (segment: Fts5Segment, from: number, { target, firstKey }: Wanted): number => {
    let low = from + 1;
    let high = (leafAfter.get(segment.id, target)?.number ?? segment.last) + 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const leaf = leafOf(segment, middle);
      const at = firstRowAt(leaf);
      if (at > 0 && at < continuationOf(leaf).to && new Bytes(leaf, at).integer() <= firstKey)
        low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };

  /** Adds the parts of a list on the leaves after `from`. Returns the leaf on which it ends. */
  const addRest = ({ id, last }: Fts5Segment, from: number, parts: ListPart[]): number => {
    let number = from;
    while (number < last) {
      const end = Math.min(last, number + GROWTH * parts.length);
      const rows = rowsFrom.all(id * ROWS_A_SEGMENT + number + 1, id * ROWS_A_SEGMENT + end);
      expectThat(rows.length === end - number, "a leaf of a list is missing");
      for (const { block } of rows) {
        number++;
        const place = continuationOf(block);
        parts.push({ leaf: block, place });
        if (!place.isLast) return number;
      }
    }
    return number;
  };

  function* readSegment(segment: Fts5Segment, start: StartLeaf, wanted: Wanted): Iterable<Doclist> {
    const { target, isPrefix, firstKey } = wanted;
    let { number, leaf } = start;
    for (;;) {
      const { places, isDone } = findTerms(leaf, target, isPrefix);
      let end = number;
      for (const place of places) {
        let first: ListPart = { leaf, place };
        // The leaves of the list of one term are known, those of the terms with a prefix are not.
        const from = place.isLast && firstKey > 0 && !isPrefix ? lastUpTo(segment, number, wanted) : number;
        if (from > number) first = fromFirstRow(leafOf(segment, from));
        const parts = [first];
        if (first.place.isLast) end = addRest(segment, from, parts);
        yield parseList(parts, firstKey);
      }
      number = Math.max(number + 1, end);
      if (isDone || number > segment.last) return;
      leaf = leafOf(segment, number);
    }
  }

  return function* read({ kind, text }, firstKey) {
    const target = new TextEncoder().encode(TERM_MARK + text);
    // A segment that was merged into another completely is listed without leaves.
    const segments = structure().segments.filter(({ last }) => last > 0);
    const starts = leavesFor.all(target, JSON.stringify(segments));
    expectThat(starts.length === segments.length, "the first leaf of a segment is missing");
    for (const start of starts)
      yield* readSegment(segments[start.segment]!, start, { target, isPrefix: kind === "prefix", firstKey });
  };
}

/** A part of a list. */
interface ListPart {
  leaf: Uint8Array;
  place: Place;
}

/** The part of a list that starts with the first row on a leaf. */
function fromFirstRow(leaf: Uint8Array): ListPart {
  return { leaf, place: { ...continuationOf(leaf), from: firstRowAt(leaf) } };
}

/**
 * Parses the rows of a list from `firstKey` on: for each the difference to the previous row id, the length of its
 * positions, and the positions. Throws UnexpectedBytes unless row ids ascend and everything ends where it should.
 */
function parseList(parts: readonly ListPart[], firstKey: number): Doclist {
  const length = parts.reduce((sum, { place: { from, to } }) => sum + to - from, 0);
  const bytes = new Uint8Array(length);
  // Where row ids are stored whole: the first of the list and the first on each leaf.
  const wholeAt = [0];
  let filled = 0;
  for (const { leaf, place } of parts) {
    bytes.set(leaf.subarray(place.from, place.to), filled);
    const first = firstRowAt(leaf);
    if (filled > 0 && first >= place.from && first < place.to) wholeAt.push(filled + first - place.from);
    filled += place.to - place.from;
  }
  const keys = new Float64Array(length >> 1);
  const frequencies = new Uint8Array(length >> 1);
  let occurrences = 0;
  let count = 0;
  let key = 0;
  let whole = 0;
  // Integers are read here and not by the class Bytes, which takes twice as long. What is read after the end is caught
  // where ends are compared.
  for (let at = 0; at < length; ) {
    let previous = key;
    if (at === wholeAt[whole]) {
      previous = 0;
      whole++;
    }
    let byte = bytes[at++]!;
    let difference = byte & 0x7f;
    while (byte >= 0x80) {
      byte = bytes[at++]!;
      difference = difference * 128 + (byte & 0x7f);
    }
    expectThat(previous + difference > key, "the row ids of a list do not ascend");
    key = previous + difference;
    byte = bytes[at++]!;
    let size = byte & 0x7f;
    while (byte >= 0x80) {
      byte = bytes[at++]!;
      size = size * 128 + (byte & 0x7f);
    }
    // The lowest bit says that the row was deleted, which is stored elsewhere in a table with contentless_delete.
    const positionsEnd = at + size / 2;
    expectThat(
      size > 0 && size % 2 === 0 && positionsEnd <= length,
      "the positions of a row do not fit into its list",
    );
    if (key < firstKey) {
      at = positionsEnd;
      continue;
    }
    let weight = CONTEXT_WEIGHT;
    let frequency = 0;
    while (at < positionsEnd) {
      byte = bytes[at++]!;
      if (byte === COLUMN_MARK) {
        expectThat(bytes[at++] === TEXT_COLUMN && weight === CONTEXT_WEIGHT, "a column is not known");
        weight = 1;
        continue;
      }
      // A position is an integer of several bytes, of which the last may look like a mark.
      while (byte >= 0x80) byte = bytes[at++]!;
      frequency += weight;
      occurrences++;
    }
    expectThat(at === positionsEnd && frequency > 0, "the positions of a row do not end with it");
    keys[count] = key;
    frequencies[count++] = Math.min(255, frequency);
  }
  expectThat(whole === wholeAt.length, "the first row of a leaf is not where its head says");
  return { keys: keys.subarray(0, count), frequencies: frequencies.subarray(0, count), occurrences };
}
