// Search over the caller's own prompts, by one vector each and by their texts. Reads the table prompts and owns
// prompt_vectors.

import type { Database } from "bun:sqlite";
import { signBits } from "../../engine/embedding/bits.ts";
import { readableShare } from "../../engine/embedding/calibration.ts";
import { EMBEDDING_DIMENSION, LIMITS } from "../../kernel/limits.ts";
import { bytesOf, cosine, floatsOf, hammingDistance, type VectorEngine } from "../vectors/dense.ts";
import { bitWeightsOf, comparisonOf, type EmbeddedIn } from "../vectors/query-parts.ts";
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
  const near = engine === "sqlite-vec" ? nearWithExtension : nearInJavaScript;
  const headOf = database.query<{ head: string }, [number, string]>(
    "SELECT substr(title || char(10) || description || char(10) || content, 1, ?) AS head FROM prompts WHERE id = ?",
  );
  const vectorOf = database.query<{ embedding: Uint8Array }, [string]>(
    "SELECT embedding FROM prompt_vectors WHERE prompt_id = ?",
  );
  const found = vectors.flatMap((embedded) => {
    const { slices, scoreOf } = comparisonOf(embedded);
    const queryReadable = readableShare(text, embedded.calibration);
    return near(database, embedded, filter).flatMap((promptId): PromptMatch[] => {
      const stored = floatsOf(vectorOf.get(promptId)!.embedding);
      const cosines = slices.map(({ start, values }) => {
        const own = cosine(values, stored.subarray(start, start + values.length));
        return Number.isNaN(own) ? undefined : own;
      });
      const found = scoreOf(cosines);
      if (found === undefined) return [];
      const { head } = headOf.get(MAX_HEAD_CHARACTERS, promptId)!;
      const readable = Math.min(queryReadable, readableShare(head, embedded.calibration));
      const words = readable < 1 ? shareOfWords(text, head) : 0;
      const score = readable * found.dense + (1 - readable) * words;
      return [{ promptId, cosine: found.cosine, score }];
    });
  });
  return found.sort((a, b) => b.score - a.score || (a.promptId < b.promptId ? -1 : 1));
}

/** The ids of the nearest prompts of the query's space by weighted Hamming distance, ties by id. */
function nearWithExtension(database: Database, embedded: EmbeddedIn, filter: PromptFilter): string[] {
  const own = promptConditions(database, filter);
  const bits = signBits(embedded.vector);
  const [first, second] = bitWeightsOf(embedded);
  const distance = (start: number) =>
    `vec_distance_hamming(vec_bit(substr(v.bits, ${start + 1}, ${HALF_BYTES})), vec_bit(?))`;
  return database
    .query<{ id: string }, (string | number | Uint8Array)[]>(
      `SELECT p.id FROM prompts AS p CROSS JOIN prompt_vectors AS v ON v.prompt_id = p.id
       WHERE ${own.sql} AND v.space_id = ?
       ORDER BY ? * ${distance(0)} + ? * ${distance(HALF_BYTES)}, p.id LIMIT ${LIMITS.search.candidates}`,
    )
    .all(
      ...own.parameters,
      embedded.spaceId,
      first,
      bits.subarray(0, HALF_BYTES),
      second,
      bits.subarray(HALF_BYTES),
    )
    .map(({ id }) => id);
}

/** Bytes of the bits of one half of a vector. */
const HALF_BYTES = EMBEDDING_DIMENSION / 16;

/** The same without the extension. */
function nearInJavaScript(database: Database, embedded: EmbeddedIn, filter: PromptFilter): string[] {
  const own = promptConditions(database, filter);
  const rows = database.query<{ promptId: string; bits: Uint8Array }, (string | number)[]>(
    `SELECT p.id AS promptId, v.bits FROM prompts AS p CROSS JOIN prompt_vectors AS v ON v.prompt_id = p.id
     WHERE ${own.sql} AND v.space_id = ?`,
  );
  const halvesOf = (bits: Uint8Array) => [bits.subarray(0, HALF_BYTES), bits.subarray(HALF_BYTES)];
  const query = halvesOf(signBits(embedded.vector));
  const weights = bitWeightsOf(embedded);
  const candidates: { promptId: string; distance: number }[] = [];
  for (const { promptId, bits } of rows.iterate(...own.parameters, embedded.spaceId)) {
    const distance = halvesOf(bits).reduce(
      (sum, half, i) => sum + weights[i]! * hammingDistance(half, query[i]!),
      0,
    );
    candidates.push({ promptId, distance });
  }
  candidates.sort((a, b) => a.distance - b.distance || (a.promptId < b.promptId ? -1 : 1));
  return candidates.slice(0, LIMITS.search.candidates).map(({ promptId }) => promptId);
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
