// Search over the caller's own prompts: one vector each, and their texts. It reads the truth and writes prompt_vectors.

import type { Database } from "bun:sqlite";
import { signBits } from "../engine/embedding/bits.ts";
import { createCalibration, readableShare } from "../engine/embedding/calibration.ts";
import { LIMITS } from "../kernel/limits.ts";
import { bytesOf, cosine, hammingDistance, type SpaceVector, type VectorEngine } from "./dense.ts";
import { holdsTags } from "./filter.ts";
import type { HybridQuery } from "./hybrid.ts";
import { foldForTrigrams } from "./rows.ts";
import { shareOfWords } from "./words.ts";

/** Which prompts a search may look at: this user's own with every one of the tags. Others' public ones never. */
export interface PromptFilter {
  userId: string;
  tags: string[];
}

export interface PromptHit {
  promptId: string;
  cosine: number;
  /** Similarity from 0 to 1. */
  score: number;
}

interface Near {
  promptId: string;
  cosine: number;
}

/** How much of a prompt is read to judge its script and words. */
const HEAD_CHARACTERS = 4_096;

/** Conditions on `prompts AS p`. */
export function promptConditions({ userId, tags }: PromptFilter): { sql: string; parameters: string[] } {
  if (tags.length === 0) return { sql: "p.user_id = ?", parameters: [userId] };
  return { sql: `p.user_id = ? AND ${holdsTags("p.tags")}`, parameters: [userId, JSON.stringify(tags)] };
}

/** What a prompt's vector was made of: the space and the digest of the text. Undefined where it has none. */
export function indexedText(
  database: Database,
  promptId: string,
): { spaceId: number; textHash: string } | undefined {
  return (
    database
      .query<{ spaceId: number; textHash: string }, [string]>(
        "SELECT space_id AS spaceId, text_hash AS textHash FROM prompt_vectors WHERE prompt_id = ?",
      )
      .get(promptId) ?? undefined
  );
}

/** Stores a prompt's vector, unit length, EMBEDDING_DIMENSION floats, in place of the one before. */
export function putPromptVector(
  database: Database,
  promptId: string,
  spaceId: number,
  textHash: string,
  vector: Float32Array,
): void {
  database
    .query(
      `INSERT INTO prompt_vectors (prompt_id, space_id, text_hash, bits, embedding) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (prompt_id) DO UPDATE SET space_id = excluded.space_id, text_hash = excluded.text_hash,
         bits = excluded.bits, embedding = excluded.embedding`,
    )
    .run(promptId, spaceId, textHash, signBits(vector), bytesOf(vector));
}

/**
 * The prompts nearest to a question, best first: like chunks, at most LIMITS.search.candidates of each space. As far as the
 * model does not read the script of question or prompt, the share of the question's words takes the cosine's place.
 */
export function searchPrompts(
  database: Database,
  engine: VectorEngine,
  { text, vectors }: HybridQuery,
  filter: PromptFilter,
): PromptHit[] {
  const search = engine === "sqlite-vec" ? searchWithExtension : searchInJavaScript;
  const headOf = database.query<{ head: string }, [number, string]>(
    "SELECT substr(title || char(10) || description || char(10) || content, 1, ?) AS head FROM prompts WHERE id = ?",
  );
  const found = vectors.flatMap(({ calibration, ...query }) => {
    const onScale = createCalibration(calibration.points);
    const asked = readableShare(text, calibration);
    return search(database, query, filter).map(({ promptId, cosine }): PromptHit => {
      const { head } = headOf.get(HEAD_CHARACTERS, promptId)!;
      const readable = Math.min(asked, readableShare(head, calibration));
      const words = readable < 1 ? shareOfWords(text, head) : 0;
      return { promptId, cosine, score: readable * onScale(cosine) + (1 - readable) * words };
    });
  });
  return found.sort((a, b) => b.score - a.score || (a.promptId < b.promptId ? -1 : 1));
}

function searchWithExtension(
  database: Database,
  { spaceId, vector }: SpaceVector,
  filter: PromptFilter,
): Near[] {
  const own = promptConditions(filter);
  return database
    .query<Near, (string | number | Uint8Array)[]>(
      `WITH candidates AS MATERIALIZED (
         SELECT p.id, vec_distance_hamming(vec_bit(v.bits), vec_bit(?)) AS hamming
         FROM prompts AS p CROSS JOIN prompt_vectors AS v ON v.prompt_id = p.id
         WHERE ${own.sql} AND v.space_id = ?
         ORDER BY hamming, p.id LIMIT ${LIMITS.search.candidates}
       )
       SELECT c.id AS promptId, 1 - vec_distance_cosine(v.embedding, ?) AS cosine
       FROM candidates AS c CROSS JOIN prompt_vectors AS v ON v.prompt_id = c.id`,
    )
    .all(signBits(vector), ...own.parameters, spaceId, bytesOf(vector));
}

function searchInJavaScript(
  database: Database,
  { spaceId, vector }: SpaceVector,
  filter: PromptFilter,
): Near[] {
  const own = promptConditions(filter);
  const rows = database.query<{ promptId: string; bits: Uint8Array }, (string | number)[]>(
    `SELECT p.id AS promptId, v.bits FROM prompts AS p CROSS JOIN prompt_vectors AS v ON v.prompt_id = p.id
     WHERE ${own.sql} AND v.space_id = ?`,
  );
  const queryBits = signBits(vector);
  const candidates: { promptId: string; distance: number }[] = [];
  for (const { promptId, bits } of rows.iterate(...own.parameters, spaceId))
    candidates.push({ promptId, distance: hammingDistance(bits, queryBits) });
  candidates.sort((a, b) => a.distance - b.distance || (a.promptId < b.promptId ? -1 : 1));
  const embedding = database.query<{ embedding: Uint8Array }, [string]>(
    "SELECT embedding FROM prompt_vectors WHERE prompt_id = ?",
  );
  return candidates.slice(0, LIMITS.search.candidates).map(({ promptId }) => ({
    promptId,
    cosine: cosine(vector, embedding.get(promptId)!.embedding),
  }));
}

/**
 * Ids of prompts that hold `query` in title, description or content, at most `limit`: those with it in the title first,
 * each group newest first. It reads the texts themselves, so a prompt is found as soon as it is stored.
 */
export function searchPromptTexts(
  database: Database,
  query: string,
  filter: PromptFilter,
  limit: number,
): string[] {
  const wanted = foldForTrigrams(query);
  const found = new Set<string>();
  const own = promptConditions(filter);
  // Titles in a pass of their own: when they fill the answer, no content is read.
  for (const columns of ["p.title AS text, '' AS more", "p.description AS text, p.content AS more"]) {
    if (found.size >= limit) break;
    const rows = database
      .query<{ id: string; text: string; more: string }, string[]>(
        `SELECT p.id, ${columns} FROM prompts AS p WHERE ${own.sql} ORDER BY p.created_at DESC, p.id DESC`,
      )
      .iterate(...own.parameters);
    for (const { id, text, more } of rows) {
      if (foldForTrigrams(text).includes(wanted) || foldForTrigrams(more).includes(wanted)) found.add(id);
      if (found.size >= limit) break;
    }
  }
  return [...found];
}
