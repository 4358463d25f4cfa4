// Nearest vectors in two steps: Hamming distance over 1,536 sign bits picks at most 256 candidates, the exact cosine over
// the floats ranks them. Two engines with the same results: sqlite-vec's functions, and plain JavaScript for machines
// where the extension cannot be loaded.

import type { Database } from "bun:sqlite";
import { signBits } from "../engine/embedding/bits.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Filter, liveGenerations } from "./filter.ts";

/** A query embedded in one space; only that space's vectors can be compared with it. */
export interface SpaceVector {
  spaceId: number;
  vector: Float32Array;
}

export interface DenseHit {
  chunkKey: number;
  documentId: string;
  spaceId: number;
  cosine: number;
}

export type VectorEngine = "sqlite-vec" | "javascript";

type Candidate = Omit<DenseHit, "cosine"> & { vectorKey: number };

/**
 * The best chunks for a query, by cosine, best first; a chunk of several windows counts by its best one.
 * At most LIMITS.search.candidates vectors of a space take part in the exact step.
 */
export function searchDense(
  database: Database,
  engine: VectorEngine,
  { spaceId, vector }: SpaceVector,
  filter: Filter,
): DenseHit[] {
  const scored =
    engine === "sqlite-vec"
      ? searchWithExtension(database, spaceId, vector, filter)
      : searchInJavaScript(database, spaceId, vector, filter);
  scored.sort((a, b) => b.cosine - a.cosine || a.chunkKey - b.chunkKey);
  const seen = new Set<number>();
  return scored.filter(({ chunkKey }) => !seen.has(chunkKey) && seen.add(chunkKey));
}

/** A vector as SQLite stores it. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function searchWithExtension(
  database: Database,
  spaceId: number,
  vector: Float32Array,
  filter: Filter,
): DenseHit[] {
  const live = liveGenerations(filter);
  return database
    .query<DenseHit, (string | number | Uint8Array)[]>(
      `WITH candidates AS MATERIALIZED (
         SELECT b.vector_key, b.chunk_key, g.document_id,
                vec_distance_hamming(vec_bit(b.bits), vec_bit(?)) AS hamming
         FROM index_generations AS g CROSS JOIN chunk_bits AS b ON b.generation_id = g.id
         WHERE ${live.sql} AND g.space_id = ?
         ORDER BY hamming, b.vector_key LIMIT ${LIMITS.search.candidates}
       )
       SELECT c.chunk_key AS chunkKey, c.document_id AS documentId, ? AS spaceId,
              1 - vec_distance_cosine(v.embedding, ?) AS cosine
       FROM candidates AS c CROSS JOIN chunk_vectors AS v ON v.key = c.vector_key`,
    )
    .all(signBits(vector), ...live.parameters, spaceId, spaceId, bytesOf(vector));
}

function searchInJavaScript(
  database: Database,
  spaceId: number,
  vector: Float32Array,
  filter: Filter,
): DenseHit[] {
  const live = liveGenerations(filter);
  const rows = database.query<Candidate & { bits: Uint8Array }, (string | number)[]>(
    `SELECT b.vector_key AS vectorKey, b.chunk_key AS chunkKey, g.document_id AS documentId,
            g.space_id AS spaceId, b.bits
     FROM index_generations AS g CROSS JOIN chunk_bits AS b ON b.generation_id = g.id
     WHERE ${live.sql} AND g.space_id = ?`,
  );
  const queryBits = signBits(vector);
  const byDistance: Candidate[][] = Array.from({ length: vector.length + 1 }, () => []);
  for (const { bits, ...candidate } of rows.iterate(...live.parameters, spaceId)) {
    byDistance[hammingDistance(bits, queryBits)].push(candidate);
  }
  const candidates: Candidate[] = [];
  for (const bucket of byDistance) {
    if (candidates.length >= LIMITS.search.candidates) break;
    bucket.sort((a, b) => a.vectorKey - b.vectorKey);
    candidates.push(...bucket.slice(0, LIMITS.search.candidates - candidates.length));
  }
  const embedding = database.query<{ embedding: Uint8Array }, [number]>(
    "SELECT embedding FROM chunk_vectors WHERE key = ?",
  );
  return candidates.map(({ vectorKey, ...hit }) => ({
    ...hit,
    cosine: cosine(vector, embedding.get(vectorKey)!.embedding),
  }));
}

const POPCOUNT = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

/** Differing bits of two bit strings of equal length. */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < a.length; i++) distance += POPCOUNT[a[i] ^ b[i]];
  return distance;
}

/** Cosine of a vector and a stored one. */
export function cosine(a: Float32Array, stored: Uint8Array): number {
  const b = new Float32Array(stored.buffer, stored.byteOffset, stored.byteLength / 4);
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    squaresA += a[i] * a[i];
    squaresB += b[i] * b[i];
  }
  return dot / Math.sqrt(squaresA * squaresB);
}
