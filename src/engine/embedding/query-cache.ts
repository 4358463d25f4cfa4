// Recent query vectors of one model, by the exact text of the query.

/** 1.5 MB of vectors. */
const MAX_ENTRIES = 256;

/** Longer texts are not cached, so that the keys stay below 1 MB. */
const MAX_CACHED_CHARACTERS = 2_000;

export interface QueryCache {
  /**
   * The text's vector: cached, or computed by `embed`. Concurrent calls with one text share one `embed`. Failures are
   * not cached.
   */
  get(text: string, embed: () => Promise<Float32Array>): Promise<Float32Array>;
  /** Whether `get` returns this text's vector without `embed`. */
  has(text: string): boolean;
  /** Removes everything; vectors that are still being computed are not cached either. */
  clear(): void;
}

/** A cache of the 256 most recently used vectors. All callers get the same array: they must not write into it. */
export function createQueryCache(): QueryCache {
  // A Map iterates in insertion order: the first key is the least recently used.
  const vectors = new Map<string, Promise<Float32Array>>();
  return {
    get(text, embed) {
      if (text.length > MAX_CACHED_CHARACTERS) return embed();
      const vector = vectors.get(text) ?? embed();
      vectors.delete(text);
      vectors.set(text, vector);
      vector.catch(() => {
        if (vectors.get(text) === vector) vectors.delete(text);
      });
      for (const oldest of vectors.keys()) {
        if (vectors.size <= MAX_ENTRIES) break;
        vectors.delete(oldest);
      }
      return vector;
    },
    has: (text) => vectors.has(text),
    clear: () => vectors.clear(),
  };
}
