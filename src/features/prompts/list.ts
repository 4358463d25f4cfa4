// Reads a page of prompts: in the search worker if the filter requires a scan, otherwise in this thread.

import type { Store } from "../../db/store.ts";
import {
  type ListedPrompt,
  listPrompts,
  type PromptListFilter,
} from "../../retrieval/search/lists/prompts.ts";
import { type ListPage, needsScan } from "../../retrieval/search/lists/read.ts";
import type { SearchWorker } from "../../retrieval/search/worker.ts";

/** What reading lists of prompts needs. */
export interface PromptLists {
  store: Store;
  searchWorker: SearchWorker;
}

/** One page of prompts, newest first. */
export async function pageOfPrompts(
  { store, searchWorker }: PromptLists,
  filter: PromptListFilter,
  page: ListPage,
): Promise<ListedPrompt[]> {
  if (needsScan(filter)) return searchWorker.call.promptList({ filter, page });
  return listPrompts(store.sql, filter, page);
}
