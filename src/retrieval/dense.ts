// Nearest vectors in two steps: Hamming distance over 1,536 sign bits, resident, picks at most 256 candidates; the exact
// cosine over the floats, on disk, ranks them. Two engines with the same results take the second step: sqlite-vec's
// functions, and plain JavaScript for machines where the extension cannot be loaded.

import type { Database } from "bun:sqlite";
import { signBits } from "../engine/embedding/bits.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Filter } from "./filter.ts";
import { openResidentBits } from "./resident-bits.ts";

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

/** Nearest vectors on one read handle. */
export interface DenseSearch {
  readonly engine: VectorEngine;
  /**
   * The best chunks for a query, by cosine, best first; a chunk of several windows counts by its best one.
   * At most LIMITS.search.candidates vectors of a space take part in the exact step.
   */
  search(query: SpaceVector, filter: Filter): DenseHit[];
}

export function openDenseSearch(database: Database, engine: VectorEngine): DenseSearch {
  const resident = openResidentBits(database);
  const exact = engine === "sqlite-vec" ? cosinesByExtension : cosinesInJavaScript;
  // One transaction, so that candidates and their vectors are of one state of the file.
  const search = database.transaction(({ spaceId, vector }: SpaceVector, filter: Filter): DenseHit[] => {
    const candidates = resident.nearest(signBits(vector), spaceId, filter, LIMITS.search.candidates);
    const keys = candidates.map(({ vectorKey }) => vectorKey);
    const cosineOf = exact(database, vector, keys);
    const scored = candidates.flatMap(({ vectorKey, chunkKey, documentId }) => {
      const cosine = cosineOf.get(vectorKey);
      return cosine === undefined ? [] : [{ chunkKey, documentId, spaceId, cosine }];
    });
    scored.sort((a, b) => b.cosine - a.cosine || a.chunkKey - b.chunkKey);
    const seen = new Set<number>();
    return scored.filter(({ chunkKey }) => !seen.has(chunkKey) && seen.add(chunkKey));
  });
  return { engine, search };
}

/** A vector as SQLite stores it. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function cosinesByExtension(database: Database, vector: Float32Array, keys: number[]): Map<number, number> {
  const rows = database
    .query<{ key: number; cosine: number }, [Uint8Array, string]>(
      `SELECT v.key, 1 - vec_distance_cosine(v.embedding, ?) AS cosine
       FROM json_each(?) AS wanted CROSS JOIN chunk_vectors AS v ON v.key = wanted.value`,
    )
    .all(bytesOf(vector), JSON.stringify(keys));
  return new Map(rows.map(({ key, cosine }) => [key, cosine]));
}

function cosinesInJavaScript(database: Database, vector: Float32Array, keys: number[]): Map<number, number> {
  const embeddingOf = database.query<{ embedding: Uint8Array }, [number]>(
    "SELECT embedding FROM chunk_vectors WHERE key = ?",
  );
  const cosines = new Map<number, number>();
  for (const key of keys) {
    const row = embeddingOf.get(key);
    if (row) cosines.set(key, cosine(vector, row.embedding));
  }
  return cosines;
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
