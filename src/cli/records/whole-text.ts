// Reads the whole content of a document or prompt, also where one response truncates it.

import { dataOf } from "../../requests/reply.ts";
import type { NamedRecord } from "../../kernel/names.ts";
import type { Client } from "../client.ts";
import { PATH_OF } from "./named.ts";

export interface WholeRecord {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of a document or prompt
  data: any;
  content: string;
  /** The state that was read, for `If-Match`; prompts have none. */
  etag: string | undefined;
}

/** Reads a record; starts again if it changes meanwhile. Throws the Failure of a request. */
export async function readWhole(client: Client, { id, type }: NamedRecord): Promise<WholeRecord> {
  for (;;) {
    const first = await client.request("GET", `${PATH_OF[type]}/${id}`);
    const data = dataOf(first);
    const etag = first.headers.get("etag") ?? undefined;
    let content: string = data.content;
    let hasChanged = false;
    for (let part = content; type === "document" && part !== ""; ) {
      const rest = await client.request("GET", `${PATH_OF[type]}/${id}`, {
        query: { textFrom: content.length },
      });
      part = dataOf(rest).content ?? "";
      content += part;
      hasChanged ||= rest.headers.get("etag") !== etag;
    }
    if (!hasChanged) return { data, content, etag };
  }
}
