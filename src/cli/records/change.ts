// Changes a member of a document, prompt or collection under the state that was read.

import { dataOf } from "../../requests/reply.ts";
import type { NamedRecord } from "../../kernel/names.ts";
import type { Client } from "../client.ts";
import { PATH_OF } from "./named.ts";

const MAX_ATTEMPTS = 3;

/**
 * Reads the record, asks `changes` for the members to set, and sets them; repeats both if somebody else changed the
 * record meanwhile. Returns the record as it was read. Throws the Failure of a request.
 */
export async function changeRecord(
  client: Client,
  { type, id }: Pick<NamedRecord, "type" | "id">,
  // biome-ignore lint/suspicious/noExplicitAny: the shape of a document, prompt or collection
  changes: (record: any) => Record<string, unknown>,
) {
  const path = `${PATH_OF[type]}/${id}`;
  for (let attempt = 1; ; attempt++) {
    const query = type === "document" ? { includeContent: false } : {};
    const read = await client.request("GET", path, { query });
    const record = dataOf(read);
    const etag = read.headers.get("etag");
    const headers: Record<string, string> = etag === null ? {} : { "If-Match": etag };
    const reply = await client.request("PATCH", path, { headers, body: changes(record) });
    if (reply.status === 412 && attempt < MAX_ATTEMPTS) continue;
    dataOf(reply);
    return record;
  }
}
