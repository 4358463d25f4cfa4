// Tags as a JSON column: the tags as written, followed by a list of the canonical forms that differ from them. SQL
// cannot normalise text, so the canonical form of every tag must be in the column.

import type { Database } from "bun:sqlite";
import { customType } from "drizzle-orm/sqlite-core";
import { tagKey } from "../kernel/tags.ts";

function tagsToColumn(tags: readonly string[]): string {
  const keys = tags.filter((tag) => tagKey(tag) !== tag).map(tagKey);
  return JSON.stringify(keys.length === 0 ? tags : [...tags, keys]);
}

/** The tags of a column as they were written. */
export function tagsFromColumn(json: string): string[] {
  return (JSON.parse(json) as unknown[]).filter((tag) => typeof tag === "string");
}

/** A query for the canonical forms of the tags in `column`. Tags in their written form are also among its rows. */
export function tagKeysIn(column: string): string {
  return `SELECT stored.value FROM json_tree(${column}) AS stored WHERE stored.type = 'text'`;
}

/** A column of tags. */
export const tagColumn = customType<{ data: string[]; driverData: string }>({
  dataType: () => "text",
  toDriver: tagsToColumn,
  fromDriver: tagsFromColumn,
});

/** Rewrites the columns of rows that were written before canonical forms were stored. */
export function rewriteTags(database: Database): void {
  for (const table of ["documents", "document_versions", "prompts", "collections"]) {
    const update = database.query(`UPDATE ${table} SET tags = ? WHERE id = ?`);
    const rows = database
      .query<{ id: string; tags: string | null }, []>(`SELECT id, tags FROM ${table}`)
      .all();
    for (const { id, tags } of rows) {
      const rewritten = tags === null ? null : tagsToColumn(tagsFromColumn(tags));
      if (rewritten !== tags) update.run(rewritten, id);
    }
  }
}
