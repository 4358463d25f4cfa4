// The documents of a web page, found by its URL.

import { pageNames } from "../../kernel/uri.ts";
import { findNamed } from "./names.ts";
import type { ToolCall } from "./tool.ts";

/** The ids of the documents with this source URL, newest first; none if the text is no URL. */
export async function storedPages({ also }: Pick<ToolCall, "also">, text: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of pageNames(text)) {
    const found = await findNamed({ also }, { name, type: "document" });
    for (const { id, place } of found?.matches ?? []) if (place === name) ids.push(id);
  }
  return [...new Set(ids)];
}
