// Results of recent semantic searches, each valid until anything in the database changes.

import type { Store } from "../../db/store.ts";
import { contentVersion } from "../../retrieval/generations/content-version.ts";
import type { EmbeddedQuery } from "../chunks/retrieve.ts";

/** Maximum number of records in all cached results, about 1 kB each. */
const MAX_RECORDS = 2_000;
/** Each result counts as this many records more, for its key and its vectors of 6 kB. */
const RECORDS_PER_RESULT = 4;
/** Results of longer queries are not cached, so that the keys stay below 1 MB. */
const MAX_CACHED_CHARACTERS = 2_000;

interface Cached<Result> {
  version: string;
  /** Compared as well, because the model may have been replaced. */
  vectors: EmbeddedQuery["vectors"];
  result: Result;
  records: number;
}

export interface ResultCache<Result> {
  /**
   * The result for this key and these vectors: cached, or found by `search`. All callers get the same object: they must
   * not change it. Failures are not cached.
   */
  get(key: string, query: EmbeddedQuery, search: () => Promise<Result>): Promise<Result>;
}

/** An empty cache. `sizeOf` returns the number of records in a result. */
export function createResultCache<Result>(
  store: Pick<Store, "sql">,
  sizeOf: (result: Result) => number,
): ResultCache<Result> {
  // A Map iterates in insertion order: the first key is the least recently used.
  const results = new Map<string, Cached<Result>>();
  let cachedRecords = 0;
  const remove = (key: string) => {
    cachedRecords -= results.get(key)?.records ?? 0;
    results.delete(key);
  };
  const put = (key: string, cached: Cached<Result>) => {
    remove(key);
    results.set(key, cached);
    cachedRecords += cached.records;
    for (const oldest of results.keys()) {
      if (cachedRecords <= MAX_RECORDS) break;
      remove(oldest);
    }
  };
  return {
    async get(key, query, search) {
      // Read before the search: a change during it makes the result outdated at once.
      const version = contentVersion(store);
      const cached = results.get(key);
      if (cached?.version === version && Bun.deepEquals(cached.vectors, query.vectors)) {
        put(key, cached);
        return cached.result;
      }
      const result = await search();
      const { vectors } = query;
      if (query.text.length <= MAX_CACHED_CHARACTERS)
        put(key, { version, vectors, result, records: sizeOf(result) + RECORDS_PER_RESULT });
      return result;
    },
  };
}
