// The two parts of hybrid search separately, from the program's own search function: the results of BM25 alone, of the
// vectors alone, and of both together without a limit.

import { openHybridSearch } from "../../src/retrieval/search/hybrid.ts";
import type { Bench } from "./bench.ts";
import { openWithExtension } from "./exact-scan.ts";
import { openLocalEmbedder } from "./local-embedder.ts";
import type { StoredCollection } from "./stored-collections.ts";

/** Document ids of one query, best first, by their best chunk. */
export interface Legs {
  words: string[];
  dense: string[];
  /** All results of the retrieval function. */
  fused: string[];
}

/** Ranks the documents for every query of the collection. The server must be stopped: this reads its file. */
export async function rankedByLegs(
  bench: Bench,
  dataDir: string,
  { collection, email, sourceIdOf }: StoredCollection,
): Promise<Map<string, Legs>> {
  bench.note(`retrieval: ${collection.name}, BM25 and dense separately`);
  const database = openWithExtension(dataDir);
  const user = database.query<{ id: string }, [string]>("SELECT id FROM users WHERE email = ?").get(email);
  const space = database.query<{ id: number }, []>("SELECT id FROM embedding_spaces").get();
  if (!user || !space) throw new Error(`${collection.name} is not in ${dataDir}`);
  const hybrid = openHybridSearch(database, "sqlite-vec");
  const embedder = openLocalEmbedder();
  const { calibration, dimension } = await embedder.describe();
  const legs = new Map<string, Legs>();
  for (const { id, text } of collection.queries) {
    const vectors = [{ spaceId: space.id, dimension, vector: await embedder.embedQuery(text), calibration }];
    const found = hybrid.search({ text, vectors }, { userId: user.id, tags: [] });
    const documents = (scoreOf: (match: (typeof found)[number]) => number) => [
      ...new Set(
        found
          .filter((match) => scoreOf(match) > -1)
          .toSorted((a, b) => scoreOf(b) - scoreOf(a))
          .map(({ documentId }) => sourceIdOf(documentId)),
      ),
    ];
    legs.set(id, {
      words: documents(({ parts }) => (parts.lexical > 0 ? parts.lexical : -1)),
      dense: documents(({ parts }) => parts.cosine ?? -1),
      fused: documents(({ score }) => score),
    });
  }
  embedder.close();
  database.close();
  return legs;
}
