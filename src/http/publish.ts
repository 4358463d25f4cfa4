// Which changes a successful request has made, for those who show them while they happen.

import type { Changed } from "../kernel/changes.ts";
import type { Operation } from "./operation.ts";
import type { Reply } from "./respond.ts";

/** By the first words of an operation's name. */
const TYPES: Record<string, Changed["type"]> = {
  documents: "document",
  coordination: "document",
  prompts: "prompt",
  collections: "collection",
  "console.collections": "collection",
  "console.documents": "document",
  "console.keys": "key",
  "console.folders": "folder",
  "console.prompts": "prompt",
};

/** What was changed; undefined if the operation changes nothing or has failed. */
export function changeOf(
  { name, method }: Pick<Operation, "name" | "method">,
  pathId: string | undefined,
  { status, body }: Reply,
): Pick<Changed, "type" | "id" | "action"> | undefined {
  if (method === "GET" || status >= 300) return undefined;
  const words = name.split(".");
  const type = TYPES[words[0]!] ?? TYPES[words.slice(0, 2).join(".")];
  if (type === undefined) return undefined;
  const created = (body as { data?: { id?: string; documentId?: string } } | undefined)?.data;
  return { type, id: pathId ?? created?.id ?? created?.documentId ?? "", action: words.at(-1)! };
}
