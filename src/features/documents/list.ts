// Reads a page of documents: in the search worker if the filter requires a scan, otherwise in this thread.

import type { Store } from "../../db/store.ts";
import {
  type DocumentListFilter,
  type ListedDocument,
  listDocuments,
} from "../../retrieval/search/lists/documents.ts";
import { type ListPage, needsScan } from "../../retrieval/search/lists/read.ts";
import type { SearchWorker } from "../../retrieval/search/worker.ts";

/** What reading lists of documents needs. */
export interface DocumentLists {
  store: Store;
  searchWorker: SearchWorker;
}

/** One page of the user's documents, newest first. */
export async function pageOfDocuments(
  { store, searchWorker }: DocumentLists,
  filter: DocumentListFilter,
  page: ListPage,
): Promise<ListedDocument[]> {
  if (needsScan(filter)) return searchWorker.call.documentList({ filter, page });
  return listDocuments(store.sql, filter, page);
}
