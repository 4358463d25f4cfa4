// Changes the tags of records through the API, as a person would do it: each change is a new version.

import type { Prompt } from "../api/openapi.d.ts";
import { read, send } from "../api/request.ts";
import { loadDocument, saveDocument } from "../views/documents/stored.ts";

/** The tags of a record after a change. */
export type TagChange = (tags: readonly string[]) => string[];

/** Changes a document with what `change` makes of its tags. Throws RequestError. */
export async function changeDocument(
  id: string,
  change: (tags: readonly string[]) => Parameters<typeof saveDocument>[2],
): Promise<void> {
  const { document, etag } = await loadDocument(id);
  await saveDocument(id, etag, change(document.tags));
}

/** Changes the tags of one record. Throws RequestError. */
export async function retag(type: "document" | "prompt", id: string, change: TagChange): Promise<void> {
  if (type === "document") return changeDocument(id, (tags) => ({ tags: change(tags) }));
  const { tags } = await read<Prompt>(`/v1/prompts/${id}`);
  await send("PATCH", `/v1/prompts/${id}`, { body: { tags: change(tags) }, waits: true });
}
