// The group `documents` of a literal search: documents that contain the query as a substring.

import type { Filter } from "../../retrieval/search/filter.ts";
import type { RetrievalDeps } from "../chunks/retrieve.ts";
import { findDocument } from "../documents/store.ts";
import type { DocumentHit } from "./contract.ts";

/**
 * At most `limit` documents that contain `query`, archived ones last; a match in an indexed body has the id of its
 * chunk.
 */
export async function searchDocumentsByText(
  { store, searchWorker }: Pick<RetrievalDeps, "store" | "searchWorker">,
  search: { query: string; filter: Filter; limit: number },
): Promise<DocumentHit[]> {
  const found = await searchWorker.call.literal(search);
  const hits = found.flatMap(({ documentId, chunkId, highlight }): DocumentHit[] => {
    const row = findDocument(store, documentId);
    if (!row) return [];
    const { title, tags, status } = row;
    const hit = { documentId, title, tags, highlight, ...(chunkId && { chunkId }) };
    return [status === "archived" ? { ...hit, status } : hit];
  });
  return [...hits.filter(({ status }) => !status), ...hits.filter(({ status }) => status)];
}
