// Search over the caller's own prompts, by one vector each and by their texts. Reads the table prompts and owns
// prompt_vectors.

import type { Database } from "bun:sqlite";
import { signBits } from "../../engine/embedding/bits.ts";
import { createCalibration, readableShare } from "../../engine/embedding/calibration.ts";
import { LIMITS } from "../../kernel/limits.ts";
import {
  bytesOf,
  cosine,
  floatsOf,
  hammingDistance,
  type SpaceVector,
  type VectorEngine,
} from "../vectors/dense.ts";
import type { Condition } from "../../kernel/search-syntax.ts";
import { selectPrompts } from "./conditions.ts";
import { type Conditions, holdsTags, isAmong, isMember } from "./filter.ts";
import type { HybridQuery } from "./hybrid.ts";
import { literalForm } from "../words/normalize.ts";
import { shareOfWords } from "../words/words.ts";

/** The prompts that a search covers: the user's own with all of the tags, never public ones of other users. */
export interface PromptFilter {
  userId: string;
  tags: string[];
  /** Members of this collection of the user; no prompt if it is unknown or another user's. */
  collectionId?: string;
  /** What the operators of the query require. */
  conditions?: readonly Condition[];
}

/** A prompt with a vector. */
export interface PromptMatch {
  promptId: string;
  cosine: number;
  /** Similarity from 0 to 1. */
  score: number;
}

interface Near {
  promptId: string;
  cosine: number;
}

/** Only the start of a prompt is read to determine its scripts and words. */
const MAX_HEAD_CHARACTERS = 4_096;

/** The filter as conditions on `prompts AS p`. */
function promptConditions(database: Database, filter: PromptFilter): Conditions {
  const { userId, tags, collectionId, conditions = [] } = filter;
  const parts = ["p.user_id = ?"];
  const parameters = [userId];
  if (collectionId !== undefined) {
    parts.push(isMember("p.id", "prompt_id"));
    parameters.push(collectionId, userId);
  }
  if (tags.length > 0) {
    parts.push(holdsTags("p.tags"));
    parameters.push(JSON.stringify(tags));
  }
  const own = { sql: parts.join(" AND "), parameters };
  if (conditions.length === 0) return own;
  const ids = selectPrompts(database, { userId, conditions }, own);
  return { sql: `p.user_id = ? AND ${isAmong("p.id")}`, parameters: [userId, JSON.stringify(ids)] };
}

/** The space of a prompt's vector and the digest of its text. Undefined when it has no vector. */
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

export interface PromptVector {
  promptId: string;
  spaceId: number;
  /** Digest of the embedded text. */
  textHash: string;
  /** EMBEDDING_DIMENSION numbers, of unit length. */
  vector: Float32Array;
}

/** Stores a prompt's vector and replaces the previous one. */
export function putPromptVector(
  database: Database,
  { promptId, spaceId, textHash, vector }: PromptVector,
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
 * The prompts nearest to a query, best first, at most LIMITS.search.candidates of each space. The less of query or
 * prompt the model can read, the more the score is the fraction of the query's words in the prompt instead of the
 * cosine.
 */
export function searchPrompts(
  database: Database,
  engine: VectorEngine,
  { query: { text, vectors }, filter }: { query: HybridQuery; filter: PromptFilter },
): PromptMatch[] {
  const search = engine === "sqlite-vec" ? searchWithExtension : searchInJavaScript;
  const headOf = database.query<{ head: string }, [number, string]>(
    "SELECT substr(title || char(10) || description || char(10) || content, 1, ?) AS head FROM prompts WHERE id = ?",
  );
  const found = vectors.flatMap(({ calibration, ...query }) => {
    const calibrated = createCalibration(calibration.points);
    const queryReadable = readableShare(text, calibration);
    return search(database, query, filter).map(({ promptId, cosine }): PromptMatch => {
      const { head } = headOf.get(MAX_HEAD_CHARACTERS, promptId)!;
      const readable = Math.min(queryReadable, readableShare(head, calibration));
      const words = readable < 1 ? shareOfWords(text, head) : 0;
      return { promptId, cosine, score: readable * calibrated(cosine) + (1 - readable) * words };
    });
  });
  return found.sort((a, b) => b.score - a.score || (a.promptId < b.promptId ? -1 : 1));
}

function searchWithExtension(
  database: Database,
  { spaceId, vector }: SpaceVector,
  filter: PromptFilter,
): Near[] {
  const own = promptConditions(database, filter);
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
  const own = promptConditions(database, filter);
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
    cosine: cosine(vector, floatsOf(embedding.get(promptId)!.embedding)),
  }));
}

export interface PromptTextQuery {
  query: string;
  filter: PromptFilter;
  limit: number;
}

/**
 * Ids of at most `limit` prompts that contain `query` in title, description or content: matches in the title first,
 * each group newest first. Reads the texts themselves, so a prompt is found as soon as it is stored.
 */
export function searchPromptTexts(database: Database, { query, filter, limit }: PromptTextQuery): string[] {
  const wanted = literalForm(query);
  const found = new Set<string>();
  const own = promptConditions(database, filter);
  // Titles first: when they reach the limit, no content is read.
  for (const columns of ["p.title AS text, '' AS more", "p.description AS text, p.content AS more"]) {
    if (found.size >= limit) break;
    const rows = database
      .query<{ id: string; text: string; more: string }, string[]>(
        `SELECT p.id, ${columns} FROM prompts AS p WHERE ${own.sql} ORDER BY p.created_at DESC, p.id DESC`,
      )
      .iterate(...own.parameters);
    for (const { id, text, more } of rows) {
      if (literalForm(text).includes(wanted) || literalForm(more).includes(wanted)) found.add(id);
      if (found.size >= limit) break;
    }
  }
  return [...found];
}
