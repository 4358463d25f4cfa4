// Exact cosines between a query and stored vectors. Two engines with the same results: sqlite-vec's functions, and
// JavaScript where the extension cannot be loaded.

import type { Database } from "bun:sqlite";

/** A query embedded in one vector space. It can only be compared with vectors of that space. */
export interface SpaceVector {
  spaceId: number;
  /** Dimension of the model, before the lift. */
  dimension: number;
  vector: Float32Array;
}

/** What computes exact cosines. */
export type VectorEngine = "sqlite-vec" | "javascript";

/** Consecutive values of a vector. */
export interface Slice {
  /** Position of the first value in a stored vector. */
  start: number;
  values: Float32Array;
}

/**
 * Cosines of a slice with the same slice of stored vectors, by vector key; without the keys of vectors that do not
 * exist or have only zeros there.
 */
type Cosines = (slice: Slice, keys: readonly number[]) => Map<number, number>;

/** Exact cosines on one read handle, computed by the given engine. */
export function openCosines(database: Database, engine: VectorEngine): Cosines {
  return engine === "sqlite-vec" ? cosinesByExtension(database) : cosinesInJavaScript(database);
}

/** The bytes of a vector as stored in the database: float32 in the byte order of the machine. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

const VALUE_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** SQLite counts bytes from 1. */
const firstByteOf = (start: number) => 1 + start * VALUE_BYTES;

/** Reads `size` values of stored vectors from `start` on; undefined for one that does not exist. */
export function openVectors(
  database: Database,
): (key: number, start: number, size: number) => Float32Array | undefined {
  const bytesOfKey = database.query<{ bytes: Uint8Array }, [number, number, number]>(
    "SELECT substr(embedding, ?, ?) AS bytes FROM chunk_vectors WHERE key = ?",
  );
  return (key, start, size) => {
    const row = bytesOfKey.get(firstByteOf(start), size * VALUE_BYTES, key);
    return row ? floatsOf(row.bytes) : undefined;
  };
}

function cosinesByExtension(database: Database): Cosines {
  const cosinesOf = database.query<
    { key: number; cosine: number | null },
    [number, number, Uint8Array, string]
  >(
    `SELECT v.key, 1 - vec_distance_cosine(substr(v.embedding, ?, ?), ?) AS cosine
     FROM json_each(?) AS wanted CROSS JOIN chunk_vectors AS v ON v.key = wanted.value`,
  );
  return ({ start, values }, keys) => {
    const wanted = JSON.stringify(keys);
    const rows = cosinesOf.all(firstByteOf(start), values.byteLength, bytesOf(values), wanted);
    // SQLite has no NaN, which is the cosine of a vector of zeros.
    return new Map(rows.flatMap(({ key, cosine }) => (cosine === null ? [] : [[key, cosine]])));
  };
}

function cosinesInJavaScript(database: Database): Cosines {
  const vectorOf = openVectors(database);
  return ({ start, values }, keys) => {
    const cosines = new Map<number, number>();
    for (const key of keys) {
      const stored = vectorOf(key, start, values.length);
      const found = stored ? cosine(values, stored) : Number.NaN;
      if (!Number.isNaN(found)) cosines.set(key, found);
    }
    return cosines;
  };
}

const POPCOUNT = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

/** Number of differing bits of two bit strings of equal length. */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < a.length; i++) distance += POPCOUNT[a[i]! ^ b[i]!]!;
  return distance;
}

/** Cosine of two vectors of the same length; NaN if one has only zeros. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return product / Math.sqrt(squaresA * squaresB);
}

/** The vector that `bytesOf` made these bytes of. */
export function floatsOf(stored: Uint8Array): Float32Array {
  return new Float32Array(stored.buffer, stored.byteOffset, stored.byteLength / 4);
}
