// The two legs of retrieval apart, from the very function that searches: what BM25 alone and what the vectors alone would
// have found of a stored collection, and how deep the two together reach.

import { openHybridSearch } from "../../src/retrieval/hybrid.ts";
import type { Bench } from "./bench.ts";
import { openWithExtension } from "./exact-scan.ts";
import { openLocalEmbedder } from "./local-embedder.ts";
import type { StoredCollection } from "./stored-collections.ts";

/** Document ids of one query, best first, by their best chunk. */
export interface Legs {
  words: string[];
  dense: string[];
  /** What the retrieval function returns, uncut. */
  fused: string[];
}

/** For every query of the collection. The server must have stopped: this reads its file. */
export async function rankedByLegs(
  bench: Bench,
  dataDir: string,
  { collection, email, sourceIdOf }: StoredCollection,
): Promise<Map<string, Legs>> {
  bench.note(`retrieval: ${collection.name} leg by leg`);
  const database = openWithExtension(dataDir);
  const user = database.query<{ id: string }, [string]>("SELECT id FROM users WHERE email = ?").get(email);
  const space = database.query<{ id: number }, []>("SELECT id FROM embedding_spaces").get();
  if (!user || !space) throw new Error(`${collection.name} is not in ${dataDir}`);
  const hybrid = openHybridSearch(database, "sqlite-vec");
  const embedder = openLocalEmbedder();
  const { calibration } = await embedder.describe();
  const legs = new Map<string, Legs>();
  for (const { id, text } of collection.queries) {
    const vectors = [{ spaceId: space.id, vector: await embedder.embedQuery(text), calibration }];
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
