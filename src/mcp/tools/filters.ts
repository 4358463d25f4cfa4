// Tells an empty result from a wrong id: the API finds nothing in a document or collection that does not exist.

import type { ToolCall } from "./tool.ts";

/** Throws ToolFailure for an id among the arguments with which no record exists. For results that are empty. */
export async function requireFilters({ also, arguments: sent }: ToolCall): Promise<void> {
  const { documentId, collectionId } = sent;
  const query = { includeContent: false };
  if (documentId !== undefined) await also("documents.get", { id: documentId, query });
  if (collectionId !== undefined) await also("collections.get", { id: collectionId });
}
