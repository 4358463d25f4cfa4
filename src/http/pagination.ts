// Pages of lists: keyset cursors over (createdAt, id), newest first. A cursor is bound to its list, its filters and its
// user. It grants no access, so a digest without a secret is enough to check it.

import { Type } from "@sinclair/typebox";
import { responseBudget } from "../kernel/budgets.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { badRequest } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";

const { defaultLimit, maxLimit } = LIMITS.list;

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
 * The body of a list in pieces of JSON, one for each item, from up to one row more than the limit: `data` and
 * `pagination`. A page ends early before its items exceed the maximum size of a response, but has at least one item.
 * Rows for which `toWire` returns undefined are left out: they are gone, or not to be seen any more.
 */
export function* pageOf<Row extends Position>(
  identity: ListIdentity,
  rows: readonly Row[],
  { limit, toWire }: { limit: number; toWire: (row: Row) => object | undefined },
): Generator<string> {
  const fits = responseBudget();
  let separator = "";
  let last: Row | undefined;
  yield '{"data":[';
  for (const row of rows.slice(0, limit)) {
    const wire = toWire(row);
    const item = wire && JSON.stringify(wire);
    if (item !== undefined) {
      if (!fits(item)) break;
      yield separator + item;
      separator = ",";
    }
    last = row;
  }
  const hasMore = last !== rows.at(-1);
  const cursor = last && hasMore ? encodeCursor(identity, last) : "";
  yield `],"pagination":${JSON.stringify({ cursor, hasMore })}}`;
}
