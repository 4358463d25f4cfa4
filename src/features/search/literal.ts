// Literal search over documents: the query as a substring, without any embedding.

import type { App } from "../../app.ts";
import type { Filter } from "../../retrieval/filter.ts";
import { findDocument } from "../documents/store.ts";
import type { DocumentHit } from "./contract.ts";

/** At most `limit` documents that hold `query`; a hit in an indexed body carries its chunk's id. */
export async function searchByText(
  app: App,
  query: string,
  filter: Filter,
  limit: number,
): Promise<DocumentHit[]> {
  const found = await app.scans.call.literal({ query, filter, limit });
  return found.flatMap(({ documentId, chunkId, highlight }) => {
    const row = findDocument(app.store, documentId);
    if (!row) return [];
    return [{ documentId, title: row.title, tags: row.tags, highlight, ...(chunkId && { chunkId }) }];
  });
}
