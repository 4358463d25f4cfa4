// Lists collections, and finds them by a text in name or description.

import type { Identity } from "../../auth/identity.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { fold } from "../../kernel/text.ts";
import type { ListPosition } from "../../retrieval/search/lists/read.ts";
import type { ListCollections } from "./contract.ts";
import type { TableReader } from "../../db/store.ts";
import { type CollectionRow, walkCollections } from "./store.ts";

/** The field of a collection that contains a folded text, name before description; undefined if neither does. */
export function matchingField(row: CollectionRow, folded: string): "name" | "description" | undefined {
  if (fold(row.name).includes(folded)) return "name";
  return row.description !== null && fold(row.description).includes(folded) ? "description" : undefined;
}

/** Collections that the caller may list, after the position `after`, at most `query.limit + 1`. */
export function listCollections(
  reader: TableReader,
  caller: Identity,
  { query, after }: { query: ListCollections; after: ListPosition | undefined },
): CollectionRow[] {
  const { workspace, includePublic, search, limit } = query;
  const filter = { userId: caller.userId, tags: parseTagFilter(query.tags), workspace, includePublic };
  const wanted = search === undefined ? undefined : fold(search);
  const found: CollectionRow[] = [];
  for (const row of walkCollections(reader, filter, after)) {
    if (wanted !== undefined && matchingField(row, wanted) === undefined) continue;
    found.push(row);
    if (found.length > limit) break;
  }
  return found;
}
