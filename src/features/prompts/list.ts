// Reads a page of prompts: in the search worker if its filter needs a scan, otherwise right here.

import type { Store } from "../../db/store.ts";
import { type ListedPrompt, listPrompts, type PromptListFilter } from "../../retrieval/lists/prompts.ts";
import { type ListPage, needsScan } from "../../retrieval/lists/read.ts";
import type { SearchWorker } from "../../retrieval/worker.ts";

/** What lists of prompts are read with. */
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
