// Lists of prompts: newest first, by every filter. A pass over many titles and descriptions belongs into the thread for
// scans; without a text to look for it is a page of an index and may be read anywhere.

import type { Database } from "bun:sqlite";
import { LIMITS } from "../kernel/limits.ts";
import { cutUnits } from "../kernel/text.ts";
import { holdsTags } from "./filter.ts";
import { foldForTrigrams } from "./rows.ts";

/** Which prompts a list shows. */
export interface PromptListFilter {
  userId: string;
  /** Every one of these tags. */
  tags: string[];
  workspaceId?: string;
  /** Public prompts of other users too. */
  includePublic: boolean;
  /** A substring of title or description. */
  text?: string;
}

/** Where a page begins: behind this row. */
export interface ListPosition {
  createdAt: number;
  id: string;
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

/** Bytes that hold more than the characters to be shown: a UTF-16 unit takes at most three, and one may be cut. */
const CONTENT_BYTES = LIMITS.list.contentCharacters * 3 + 4;

type Scanned = Pick<ListedPrompt, "id" | "createdAt" | "title" | "description">;
type Stored = Omit<ListedPrompt, keyof Scanned | "content" | "tags" | "isPublic"> & {
  content: Uint8Array;
  tags: string;
  isPublic: number;
};

/** At most `count` prompts behind `after`. */
export function listPrompts(
  database: Database,
  filter: PromptListFilter,
  after: ListPosition | undefined,
  count: number,
): ListedPrompt[] {
  // Read only for rows that are shown, while the scan is open: both see the same moment of the database. Through a BLOB,
  // because substr() of a TEXT ends at a NUL.
  const rest = database.query<Stored, [number, string]>(
    `SELECT substr(CAST(content AS BLOB), 1, ?) AS content, tags, is_public AS isPublic,
            current_version AS currentVersion, views, copies, workspace_id AS workspaceId, updated_at AS updatedAt
     FROM prompts WHERE id = ?`,
  );
  const wanted = filter.text === undefined ? undefined : foldForTrigrams(filter.text);
  const found: ListedPrompt[] = [];
  for (const row of scan(database, filter, after)) {
    // SQLite folds the case of ASCII alone.
    if (
      wanted !== undefined &&
      !foldForTrigrams(row.title).includes(wanted) &&
      !foldForTrigrams(row.description).includes(wanted)
    )
      continue;
    const { content, tags, isPublic, ...stored } = rest.get(CONTENT_BYTES, row.id)!;
    found.push({
      ...row,
      ...stored,
      content: cutUnits(Buffer.from(content).toString(), LIMITS.list.contentCharacters),
      tags: JSON.parse(tags) as string[],
      isPublic: isPublic === 1,
    });
    if (found.length >= count) break;
  }
  return found;
}

/** Own prompts and, where asked for, others' public ones: two walks along an index, merged by SQLite. */
function scan(
  database: Database,
  { userId, tags, workspaceId, includePublic }: PromptListFilter,
  after: ListPosition | undefined,
): Iterable<Scanned> {
  const conditions = [
    ...(tags.length === 0 ? [] : [holdsTags("p.tags")]),
    ...(workspaceId === undefined ? [] : ["p.workspace_id = ?"]),
    ...(after === undefined ? [] : ["(p.created_at, p.id) < (?, ?)"]),
  ];
  const parameters = [
    ...(tags.length === 0 ? [] : [JSON.stringify(tags)]),
    ...(workspaceId === undefined ? [] : [workspaceId]),
    ...(after === undefined ? [] : [after.createdAt, after.id]),
  ];
  const owners = includePublic ? ["p.user_id = ?", "p.is_public = 1 AND p.user_id <> ?"] : ["p.user_id = ?"];
  const select = owners.map(
    (owner) =>
      `SELECT p.id, p.created_at AS createdAt, p.title, p.description FROM prompts AS p
       WHERE ${[owner, ...conditions].join(" AND ")}`,
  );
  return database
    .query<Scanned, (string | number)[]>(`${select.join(" UNION ALL ")} ORDER BY createdAt DESC, id DESC`)
    .iterate(...owners.flatMap(() => [userId, ...parameters]));
}
