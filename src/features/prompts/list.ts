// A page of prompts. A text to look for is looked for in the thread for scans; without one a page is read right here.

import type { App } from "../../app.ts";
import {
  type ListedPrompt,
  type ListPosition,
  listPrompts,
  type PromptListFilter,
} from "../../retrieval/prompt-list.ts";

/** At most `count` prompts behind `after`, newest first. */
export async function pageOfPrompts(
  app: App,
  filter: PromptListFilter,
  after: ListPosition | undefined,
  count: number,
): Promise<ListedPrompt[]> {
  if (filter.text === undefined) return listPrompts(app.store.sql, filter, after, count);
  return app.scans.call.promptList({ filter, after, count });
}
