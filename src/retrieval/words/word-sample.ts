// Compares what doclists.ts reads with fts5vocab, for some words of a real index: doctor's proof that searches see
// them.

import type { Database } from "bun:sqlite";
import { openDoclists, type ReadDoclists } from "./doclists.ts";
import { UnexpectedBytes } from "./fts5-leaf.ts";
import { readVocabulary } from "./vocabulary.ts";
import type { IndexTerm } from "./words.ts";

/** Half of them are the most frequent words, whose lists are long; the others are spread over the rest by frequency. */
export const MAX_SAMPLED_WORDS = 200;
/** More frequent words are left out: fts5vocab needs 2 ms for 1,000 occurrences. */
const MAX_OCCURRENCES = 20_000;

/**
 * The number of words, of MAX_SAMPLED_WORDS, whose chunks or frequencies are read differently. Call it inside a
 * transaction. Reads the whole word index once: 2 s for 12 million words of text.
 */
export function countDifferentWords(database: Database): number {
  const read = openDoclists(database);
  const isStored = database.query<{ found: 1 }, [number]>(
    "SELECT 1 AS found FROM chunk_words_docsize WHERE id = ?",
  );
  return sampleOf(database).filter((text) => {
    const term: IndexTerm = { text, kind: "word" };
    const found = frequenciesIn(read, term);
    const { keys, frequencies } = readVocabulary(database, term, 0, MAX_OCCURRENCES);
    for (const [i, key] of keys.entries())
      if (found?.get(key) === frequencies[i]) found?.delete(key);
      else return true;
    // Deleted chunks may still be listed.
    return !found || found.keys().some((key) => isStored.get(key) !== null);
  }).length;
}

function sampleOf(database: Database): string[] {
  database.run(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab (main, chunk_words, 'row')",
  );
  const half = MAX_SAMPLED_WORDS / 2;
  return database
    .query<{ term: string }, []>(
      `WITH ranked AS (
         SELECT term, row_number() OVER (ORDER BY cnt DESC, term) AS rank, count(*) OVER () AS total
         FROM temp.word_counts WHERE cnt <= ${MAX_OCCURRENCES})
       SELECT term FROM ranked WHERE rank <= ${half} OR rank % max(1, total / ${half}) = 0
       LIMIT ${MAX_SAMPLED_WORDS}`,
    )
    .all()
    .map(({ term }) => term);
}

/** Frequencies by chunk key; undefined if they cannot be read. */
function frequenciesIn(read: ReadDoclists, term: IndexTerm): Map<number, number> | undefined {
  const found = new Map<number, number>();
  try {
    for (const { keys, frequencies } of read(term, 0))
      for (const [i, key] of keys.entries()) found.set(key, frequencies[i]!);
    return found;
  } catch (error) {
    if (error instanceof UnexpectedBytes) return undefined;
    throw error;
  }
}
