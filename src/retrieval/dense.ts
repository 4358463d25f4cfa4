// Exact cosines between a query and stored vectors. Two engines with the same results: sqlite-vec's functions, and
// JavaScript where the extension cannot be loaded. It must not know how candidates are chosen.

import type { Database } from "bun:sqlite";

/** A query embedded in one vector space. It can only be compared with vectors of that space. */
export interface SpaceVector {
  spaceId: number;
  vector: Float32Array;
}

/** What computes exact cosines. */
export type VectorEngine = "sqlite-vec" | "javascript";

/** Cosines by vector key, without the keys of vectors that do not exist. */
type Cosines = (vector: Float32Array, keys: readonly number[]) => Map<number, number>;

/** Exact cosines on one read handle, computed by the given engine. */
export function openCosines(database: Database, engine: VectorEngine): Cosines {
  return engine === "sqlite-vec" ? cosinesByExtension(database) : cosinesInJavaScript(database);
}

/** The bytes of a vector as stored in the database: float32 in the byte order of the machine. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A stored vector; undefined when it does not exist. */
export function vectorOf(database: Database, key: number): Float32Array | undefined {
  const row = database
    .query<{ embedding: Uint8Array }, [number]>("SELECT embedding FROM chunk_vectors WHERE key = ?")
    .get(key);
  return row ? floatsOf(row.embedding) : undefined;
}

function cosinesByExtension(database: Database): Cosines {
  const cosinesOf = database.query<{ key: number; cosine: number }, [Uint8Array, string]>(
    `SELECT v.key, 1 - vec_distance_cosine(v.embedding, ?) AS cosine
     FROM json_each(?) AS wanted CROSS JOIN chunk_vectors AS v ON v.key = wanted.value`,
  );
  return (vector, keys) =>
    new Map(cosinesOf.all(bytesOf(vector), JSON.stringify(keys)).map(({ key, cosine }) => [key, cosine]));
}

function cosinesInJavaScript(database: Database): Cosines {
  const embeddingOf = database.query<{ embedding: Uint8Array }, [number]>(
    "SELECT embedding FROM chunk_vectors WHERE key = ?",
  );
  return (vector, keys) => {
    const cosines = new Map<number, number>();
    for (const key of keys) {
      const row = embeddingOf.get(key);
      if (row) cosines.set(key, cosine(vector, row.embedding));
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

/** Cosine of a vector and a stored one of the same length. */
export function cosine(a: Float32Array, stored: Uint8Array): number {
  const b = floatsOf(stored);
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

function floatsOf(stored: Uint8Array): Float32Array {
  return new Float32Array(stored.buffer, stored.byteOffset, stored.byteLength / 4);
}
