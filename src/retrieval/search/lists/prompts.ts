// The list of a user's prompts and, if asked for, of the public prompts of others.

import type { Database } from "bun:sqlite";
import { tagsFromColumn } from "../../../db/tag-column.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { cutCharacters } from "../../../kernel/text.ts";
import { holdsTags } from "../filter.ts";
import {
  conditionList,
  type ListFilter,
  type ListPage,
  type ListPosition,
  type ListSpec,
  readList,
} from "./read.ts";

/** Which prompts a list contains. `text` is searched in titles and descriptions. */
export interface PromptListFilter extends ListFilter {
  userId: string;
  workspaceId?: string;
  /** Also public prompts of other users. */
  includePublic: boolean;
}

export interface ListedPrompt extends ListPosition {
  title: string;
  description: string;
  /** The first LIMITS.list.contentCharacters characters. */
  content: string;
  tags: string[];
  isPublic: boolean;
  currentVersion: number;
  views: number;
  copies: number;
  workspaceId: string | null;
  updatedAt: number;
}

/** At least as many bytes as the listed characters take: at most four per character, and the last one may be cut. */
const CONTENT_BYTES = LIMITS.list.contentCharacters * 4 + 4;

type Stored = Omit<ListedPrompt, "content" | "tags" | "isPublic"> & {
  content: Uint8Array | null;
  tags: string;
  isPublic: number;
};

const spec: ListSpec<PromptListFilter, Stored, ListedPrompt> = {
  table: "prompts",
  searched: ["title", "description"],
  places: ["import_path"],
  // Cast to BLOB, because substr() of a TEXT ends at a NUL.
  columns: `row.id, row.created_at AS createdAt, row.title, row.description,
    substr(CAST(row.content AS BLOB), 1, ${CONTENT_BYTES}) AS content, row.tags, row.is_public AS isPublic,
    row.current_version AS currentVersion, row.views, row.copies, row.workspace_id AS workspaceId,
    row.updated_at AS updatedAt`,
  selections({ userId, tags, workspaceId, includePublic }) {
    const owners = ["row.user_id = ?", ...(includePublic ? ["row.is_public = 1 AND row.user_id <> ?"] : [])];
    return owners.map((owner) => {
      const conditions = conditionList({ sql: owner, parameters: [userId] });
      if (tags.length > 0) conditions.add(holdsTags("row.tags"), JSON.stringify(tags));
      if (workspaceId !== undefined) conditions.add("row.workspace_id = ?", workspaceId);
      return conditions.all();
    });
  },
  toItem: ({ content, tags, isPublic, ...stored }) => ({
    ...stored,
    content: cutCharacters(Buffer.from(content ?? []).toString(), LIMITS.list.contentCharacters),
    tags: tagsFromColumn(tags),
    isPublic: isPublic === 1,
  }),
};

/** One page of prompts, newest first. */
export function listPrompts(database: Database, filter: PromptListFilter, page: ListPage): ListedPrompt[] {
  return readList(database, spec, { filter, page });
}
