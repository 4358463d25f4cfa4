// Reads which chunks contain a term, and how often, from FTS5's own table fts5vocab. It is slow, and used where the
// fast reader of doclists.ts cannot be: when it does not know what SQLite stored, and to check what it reads.

import type { Database } from "bun:sqlite";
import type { IndexTerm } from "./words.ts";

/** Weight of an occurrence in title or heading, compared with one in the text. */
export const CONTEXT_WEIGHT = 2;

/** Some chunks that contain a term, in ascending order of their keys. Parallel arrays. */
export interface Doclist {
  keys: Float64Array;
  /** At most 255; an occurrence in title or heading counts CONTEXT_WEIGHT times. */
  frequencies: Uint8Array;
  /** Number of occurrences in these chunks. */
  occurrences: number;
}

/** Greater than every character of a term. */
const LAST = "\u{10ffff}";

/** Declares the table of this connection. It is temporary, so that a read handle may have it. */
function declareInstances(database: Database): void {
  database.run(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_instances USING fts5vocab (main, chunk_words, 'instance')",
  );
}

/**
 * The chunks of a term, or of all terms that start with a prefix, whose key is at least `firstKey`. At most `maximum`
 * occurrences are read.
 */
export function readVocabulary(
  database: Database,
  { kind, text }: IndexTerm,
  firstKey: number,
  maximum: number,
): Doclist {
  declareInstances(database);
  const rows = database
    .query<{ key: number; weight: number; occurrences: number }, [string, string, number, number]>(
      `SELECT doc AS key, sum(iif(col = 'context', ${CONTEXT_WEIGHT}, 1)) AS weight, count(*) AS occurrences
       FROM (SELECT doc, col FROM temp.word_instances WHERE term >= ? AND term <= ? AND doc >= ? LIMIT ?)
       GROUP BY doc ORDER BY doc`,
    )
    .all(text, kind === "prefix" ? text + LAST : text, firstKey, maximum);
  return {
    keys: Float64Array.from(rows, ({ key }) => key),
    frequencies: Uint8Array.from(rows, ({ weight }) => Math.min(255, weight)),
    occurrences: rows.reduce((sum, { occurrences }) => sum + occurrences, 0),
  };
}
