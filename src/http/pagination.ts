// Pages of lists: keyset cursors over (createdAt, id), newest first. A cursor is bound to its list, its filters and its
// user. It grants no access, so a digest without a secret is enough to check it.

import { Type } from "@sinclair/typebox";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { badRequest } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";
import { utf8Length } from "../kernel/text.ts";

const { defaultLimit, maxLimit, responseBytes } = LIMITS.list;

/** The query parameters of a list; `limit` is its default limit. */
export const pageParameters = (limit: number = defaultLimit) => ({
  limit: Type.Integer({
    minimum: 1,
    maximum: maxLimit,
    default: limit,
    description: "Maximum number of items on the page.",
  }),
  cursor: Type.Optional(
    Type.String({ description: "`pagination.cursor` of the previous page. The filters must be the same." }),
  ),
});

/** The last row of a page. */
export interface Position {
  createdAt: number;
  id: string;
}

/** What a cursor is bound to. Filters are the parsed parameters except limit and cursor. */
export interface ListIdentity {
  userId: string;
  list: string;
  filters: Record<string, unknown>;
}

const DIGEST_CHARACTERS = 24;

function digestOf({ userId, list, filters }: ListIdentity, { createdAt, id }: Position): string {
  return sha256Hex(canonicalJson([userId, list, filters, createdAt, id])).slice(0, DIGEST_CHARACTERS);
}

function encodeCursor(identity: ListIdentity, position: Position): string {
  const text = JSON.stringify([position.createdAt, position.id, digestOf(identity, position)]);
  return Buffer.from(text).toString("base64url");
}

/** The position in a cursor; undefined for the first page. Throws `bad-request` for a cursor of another list. */
export function readCursor(identity: ListIdentity, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [createdAt, id, digest] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [
      number,
      string,
      string,
    ];
    const position = { createdAt, id };
    if (encodeCursor(identity, position) === cursor && digestOf(identity, position) === digest)
      return position;
  } catch {
    // It is not a cursor.
  }
  throw badRequest({ path: "cursor", message: "is not a cursor of this list with these filters" });
}

/**
 * Builds the body of a list from up to one row more than the limit: `data` and `pagination`. A page ends early before its
 * items exceed the maximum size of a response, but has at least one item.
 */
export function pageOf<Row extends Position>(
  identity: ListIdentity,
  rows: readonly Row[],
  { limit, toWire }: { limit: number; toWire: (row: Row) => unknown },
): { data: unknown[]; pagination: { cursor: string; hasMore: boolean } } {
  const data: unknown[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const item = toWire(row);
    bytes += utf8Length(JSON.stringify(item));
    if (data.length > 0 && bytes > responseBytes) break;
    data.push(item);
  }
  const last = data.length < rows.length ? rows[data.length - 1] : undefined;
  return {
    data,
    pagination: { cursor: last ? encodeCursor(identity, last) : "", hasMore: last !== undefined },
  };
}
