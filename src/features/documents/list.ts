// Lists documents: newest first, by every filter, one row more than asked for so that the caller knows whether to go on.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import type { DocumentStatus } from "../../db/tables.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { fold } from "../../kernel/text.ts";
import { visibleDocuments } from "../../retrieval/filter.ts";
import type { ListDocuments } from "./contract.ts";

export interface ListedDocument {
  id: string;
  title: string;
  status: DocumentStatus;
  tags: string[];
  workspaceId: string | null;
  contentHash: string;
  createdAt: number;
  updatedAt: number;
}

/** The caller's documents behind `after`, at most `query.limit + 1`. */
export function listDocuments(
  store: Store,
  caller: Identity,
  query: ListDocuments,
  after: { createdAt: number; id: string } | undefined,
): ListedDocument[] {
  const visible = visibleDocuments({
    userId: caller.userId,
    tags: parseTagFilter(query.tags),
    collectionId: query.collectionId,
  });
  const conditions = [visible.sql];
  const parameters: (string | number)[] = [...visible.parameters];
  const add = (condition: string, ...values: (string | number)[]) => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (query.workspace !== undefined) add("d.workspace_id = ?", query.workspace);
  if (query.status !== undefined) add("d.status = ?", query.status);
  else if (!query.includeArchived) add("d.status <> 'archived'");
  if (after) add("(d.created_at, d.id) < (?, ?)", after.createdAt, after.id);
  const rows = store.sql
    .query<Omit<ListedDocument, "tags"> & { tags: string }, (string | number)[]>(
      `SELECT d.id, d.title, d.status, d.tags, d.workspace_id AS workspaceId, d.content_hash AS contentHash,
              d.created_at AS createdAt, d.updated_at AS updatedAt
       FROM documents AS d WHERE ${conditions.join(" AND ")} ORDER BY d.created_at DESC, d.id DESC`,
    )
    .iterate(...parameters);
  const wanted = query.search === undefined ? undefined : fold(query.search);
  const found: ListedDocument[] = [];
  for (const { tags, ...row } of rows) {
    // SQLite folds the case of ASCII alone.
    if (wanted !== undefined && !fold(row.title).includes(wanted)) continue;
    found.push({ ...row, tags: JSON.parse(tags) as string[] });
    if (found.length > query.limit) break;
  }
  return found;
}
