// How much a user's documents take up, by collection.

import type { Database } from "bun:sqlite";
import type { Storage, Stored } from "../../../kernel/pictures.ts";

const MAX_COLLECTIONS = 20;
/** The newest documents that are counted: each takes 0.1 to 0.3 ms. */
const MAX_DOCUMENTS = 10_000;

const NEWEST = `SELECT id FROM documents WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT ${MAX_DOCUMENTS}`;
/** SQLite takes the sizes of texts from the headers of the rows and does not read them. */
const SIZES = `
  SELECT coalesce((SELECT sum(octet_length(text)) FROM bodies WHERE document_id = ?1), 0) AS bytes,
    coalesce((SELECT chunk_count FROM index_generations WHERE document_id = ?1 AND state = 'live'), 0) AS chunks`;
/** A document is in few collections: its memberships are read first. */
const COLLECTIONS = `
  SELECT collection.id, collection.name
  FROM collection_items AS item CROSS JOIN collections AS collection
  WHERE collection.id = item.collection_id AND item.document_id = ? AND collection.user_id = ?`;

/** What the documents of a user take up; of more than 10,000, the newest. A step for each document. */
export function* readStorage(database: Database, { userId }: { userId: string }): Generator<void, Storage> {
  const sizes = database.query<Omit<Stored, "documents">, [string]>(SIZES);
  const memberships = database.query<{ id: string; name: string }, [string, string]>(COLLECTIONS);
  const byId = new Map<string, Stored & { id: string; name: string }>();
  let [none, total] = [NOTHING, NOTHING];
  for (const { id } of database.query<{ id: string }, [string]>(NEWEST).all(userId)) {
    const stored = { documents: 1, ...sizes.get(id)! };
    const collections = memberships.all(id, userId);
    for (const collection of collections) {
      byId.set(collection.id, { ...collection, ...add(byId.get(collection.id) ?? NOTHING, stored) });
    }
    if (collections.length === 0) none = add(none, stored);
    total = add(total, stored);
    yield;
  }
  const largestFirst = [...byId.values()].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  const rest = largestFirst.slice(MAX_COLLECTIONS);
  return {
    collections: largestFirst.slice(0, MAX_COLLECTIONS),
    none,
    others: { ...rest.reduce<Stored>(add, NOTHING), collections: rest.length },
    total,
    isComplete: total.documents < MAX_DOCUMENTS,
  };
}

const NOTHING: Stored = { documents: 0, bytes: 0, chunks: 0 };

const add = (a: Stored, b: Stored): Stored => ({
  documents: a.documents + b.documents,
  bytes: a.bytes + b.bytes,
  chunks: a.chunks + b.chunks,
});
