// The list of a user's documents.

import type { Database } from "bun:sqlite";
import type { DocumentStatus } from "../../../db/tables.ts";
import { tagsFromColumn } from "../../../db/tag-column.ts";
import { visibleDocuments } from "../filter.ts";
import {
  conditionList,
  type ListFilter,
  type ListPage,
  type ListPosition,
  type ListSpec,
  readList,
} from "./read.ts";

/** Which documents a list contains. `text` is searched in titles. */
export interface DocumentListFilter extends ListFilter {
  userId: string;
  workspaceId?: string;
  /** Members of this collection of the user; no document if it is unknown or another user's. */
  collectionId?: string;
  /** Documents with this status only. */
  status?: DocumentStatus;
  /** Also archived documents. Without effect when `status` is set. */
  includeArchived: boolean;
}

export interface ListedDocument extends ListPosition {
  title: string;
  status: DocumentStatus;
  tags: string[];
  workspaceId: string | null;
  contentHash: string;
  updatedAt: number;
}

const spec: ListSpec<DocumentListFilter, Omit<ListedDocument, "tags"> & { tags: string }, ListedDocument> = {
  table: "documents",
  searched: ["title"],
  places: ["import_path", "source_url"],
  columns: `row.id, row.title, row.status, row.tags, row.workspace_id AS workspaceId,
    row.content_hash AS contentHash, row.created_at AS createdAt, row.updated_at AS updatedAt`,
  selections({ userId, tags, workspaceId, collectionId, status, includeArchived }) {
    const conditions = conditionList(visibleDocuments({ userId, tags, collectionId }, "row"));
    if (workspaceId !== undefined) conditions.add("row.workspace_id = ?", workspaceId);
    if (status !== undefined) conditions.add("row.status = ?", status);
    else if (!includeArchived) conditions.add("row.status <> 'archived'");
    return [conditions.all()];
  },
  toItem: ({ tags, ...stored }) => ({ ...stored, tags: tagsFromColumn(tags) }),
};

/** One page of a user's documents, newest first. */
export function listDocuments(
  database: Database,
  filter: DocumentListFilter,
  page: ListPage,
): ListedDocument[] {
  return readList(database, spec, { filter, page });
}
