// The group `documents` of a literal search: documents that contain the query as a substring.

import type { Filter } from "../../retrieval/search/filter.ts";
import type { RetrievalDeps } from "../chunks/retrieve.ts";
import { findDocument } from "../documents/store.ts";
import type { DocumentHit } from "./contract.ts";

/** At most `limit` documents that contain `query`; a match in an indexed body has the id of its chunk. */
export async function searchDocumentsByText(
  { store, searchWorker }: Pick<RetrievalDeps, "store" | "searchWorker">,
  search: { query: string; filter: Filter; limit: number },
): Promise<DocumentHit[]> {
  const found = await searchWorker.call.literal(search);
  return found.flatMap(({ documentId, chunkId, highlight }) => {
    const row = findDocument(store, documentId);
    if (!row) return [];
    return [{ documentId, title: row.title, tags: row.tags, highlight, ...(chunkId && { chunkId }) }];
  });
}
