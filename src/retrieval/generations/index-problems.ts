// Compares the search index with the records: rows that belong to nothing, records and chunks that cannot be found.
// Damage of pages is SQLite's own check; this one assumes that the tables can be read.

import type { Database } from "bun:sqlite";
import { type Calibration, MIN_READABLE_SHARE, readableShare } from "../../engine/embedding/calibration.ts";
import { INDEX_FORMAT } from "./generations.ts";
import { countOrphans } from "./orphans.ts";
import { countDifferentWords, MAX_SAMPLED_WORDS } from "../words/word-sample.ts";

/**
 * `orphans` belong to nothing; `unindexed` records are not searched; chunks of `vectors` are not found by meaning;
 * `words` are not found in all chunks, or slowly.
 */
export type IndexProblemKind = "orphans" | "unindexed" | "vectors" | "words";

export interface IndexProblem {
  kind: IndexProblemKind;
  /** What is wrong, after a number: `chunks without a document`. */
  what: string;
  count: number;
}

interface Question {
  kind: IndexProblemKind;
  what: string;
  /** Selects one number, n. */
  sql: string;
}

const LIVE = "index_generations AS g WHERE g.state = 'live'";
/** Generations whose rows are complete; those of an earlier format are made again by the server. */
const CURRENT = `${LIVE} AND g.format = ${INDEX_FORMAT}`;
const HAS_NO_JOB = (kinds: string, id: string) =>
  `NOT EXISTS (SELECT 1 FROM jobs WHERE subject = ${id} AND kind IN (${kinds}))`;

const QUESTIONS: readonly Question[] = [
  {
    kind: "unindexed",
    what: "documents that are not indexed and wait for no job",
    // A page that could not be fetched has no text yet.
    sql: `SELECT count(*) AS n FROM documents AS d
      WHERE NOT EXISTS (SELECT 1 FROM ${LIVE} AND g.document_id = d.id AND g.revision = d.revision)
      AND ${HAS_NO_JOB("'document.index', 'document.scrape'", "d.id")}
      AND NOT (d.revision = 0 AND EXISTS (SELECT 1 FROM document_fetches WHERE document_id = d.id))`,
  },
  {
    kind: "unindexed",
    what: "prompts that are not indexed and wait for no job",
    sql: `SELECT count(*) AS n FROM prompts AS p WHERE NOT EXISTS (SELECT 1 FROM prompt_vectors WHERE prompt_id = p.id)
      AND ${HAS_NO_JOB("'prompt.index'", "p.id")}`,
  },
  {
    kind: "unindexed",
    what: "documents of which chunks are missing",
    sql: `SELECT count(*) AS n FROM ${CURRENT} AND g.chunk_count <> (
      SELECT count(*) FROM chunks WHERE key >= g.first_chunk AND key < g.first_chunk + g.chunk_count)`,
  },
  {
    kind: "unindexed",
    what: "chunks without full-text rows",
    sql: `SELECT count(*) AS n FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id
      WHERE g.state = 'live' AND g.format = ${INDEX_FORMAT} AND (
        c.key NOT IN (SELECT id FROM chunk_trigrams_docsize)
        OR (c.level <> 'document' AND c.key NOT IN (SELECT id FROM chunk_words_docsize)))`,
  },
  {
    kind: "vectors",
    what: "chunks whose vector is missing",
    sql: `SELECT count(DISTINCT b.chunk_key) AS n FROM chunk_bits AS b JOIN index_generations AS g ON g.id = b.generation_id
      WHERE g.state = 'live' AND b.vector_key NOT IN (SELECT key FROM chunk_vectors)`,
  },
];

/**
 * Everything that is wrong, in one snapshot; empty if nothing is. `calibration` tells which texts the model can read:
 * without it, chunks that have no vector at all are not reported. Throws the error of SQLite if the tables cannot be
 * read.
 */
export function findIndexProblems(database: Database, calibration: Calibration | null): IndexProblem[] {
  return database.transaction(() => {
    const problems = countOrphans(database).map((found): IndexProblem => ({ kind: "orphans", ...found }));
    for (const { kind, what, sql } of QUESTIONS) {
      const { n: count } = database.query<{ n: number }, []>(sql).get()!;
      problems.push({ kind, what, count });
    }
    const count = countDifferentWords(database);
    problems.push({
      kind: "words",
      what: `of ${MAX_SAMPLED_WORDS} words are not read as SQLite reads them`,
      count,
    });
    if (calibration) {
      const count = countUnembedded(database, calibration);
      problems.push({ kind: "vectors", what: "chunks without a vector", count });
    }
    return problems.filter(({ count }) => count > 0);
  })();
}

/** Counts chunks that the model can read and that have no vector. Sections and documents with children need none. */
function countUnembedded(database: Database, calibration: Calibration): number {
  const rows = database
    .query<{ text: string }, []>(
      `SELECT CASE c.level WHEN 'document' THEN g.title ELSE c.text END AS text
       FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id
       WHERE g.state = 'live' AND c.key NOT IN (SELECT chunk_key FROM chunk_bits)
         AND (c.level = 'paragraph' OR NOT EXISTS (SELECT 1 FROM chunks WHERE parent_key = c.key))`,
    )
    .iterate();
  let count = 0;
  for (const { text } of rows) if (readableShare(text, calibration) >= MIN_READABLE_SHARE) count++;
  return count;
}
