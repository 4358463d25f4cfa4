// A page of prompts. A text to look for is looked for in the thread for scans; without one a page is read right here.

import type { Store } from "../../db/store.ts";
import {
  type ListedPrompt,
  type ListPosition,
  listPrompts,
  type PromptListFilter,
} from "../../retrieval/prompt-list.ts";
import type { SearchWorker } from "../../retrieval/worker.ts";

/** What lists of prompts are read with. */
export interface PromptLists {
  store: Store;
  searchWorker: SearchWorker;
}

/** At most `count` prompts behind `after`, newest first. */
export async function pageOfPrompts(
  { store, searchWorker }: PromptLists,
  filter: PromptListFilter,
  after: ListPosition | undefined,
  count: number,
): Promise<ListedPrompt[]> {
  if (filter.text === undefined) return listPrompts(store.sql, filter, after, count);
  return searchWorker.call.promptList({ filter, after, count });
}
