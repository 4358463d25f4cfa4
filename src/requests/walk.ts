// Reads whole lists of the API, one page at a time, so that a list of any length needs little memory.

import { LIMITS } from "../kernel/limits.ts";
import { dataOf, type RequestOptions, type Requests } from "./reply.ts";

/** The items of a list in its order, at most `maximum`. Throws the Failure of a page that cannot be read. */
export async function* walk(
  client: Requests,
  path: string,
  { query, maximum = Number.POSITIVE_INFINITY }: { query?: RequestOptions["query"]; maximum?: number } = {},
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the list
): AsyncGenerator<any> {
  let cursor: string | undefined;
  let left = maximum;
  do {
    const limit = Math.min(left, LIMITS.list.maxLimit);
    const reply = await client.request("GET", path, { query: { ...query, limit, cursor } });
    const items: unknown[] = dataOf(reply);
    yield* items;
    left -= items.length;
    const { pagination } = reply.body;
    cursor = pagination.hasMore ? pagination.cursor : undefined;
  } while (cursor !== undefined && left > 0);
}
