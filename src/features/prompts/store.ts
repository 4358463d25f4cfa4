// The tables of prompts and of their versions.

import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { requireOwnImportPath } from "../../db/import-paths.ts";
import { prepared } from "../../db/prepared.ts";
import type { TableReader, Write } from "../../db/store.ts";
import { prompts, promptVersions } from "../../db/tables.ts";

/** All columns but the derived one. */
const { importPath: _, ...COLUMNS } = getTableColumns(prompts);
export type PromptRow = Omit<typeof prompts.$inferSelect, "importPath">;
export type VersionRow = typeof promptVersions.$inferSelect;
const promptById = prepared((tables) =>
  tables
    .select(COLUMNS)
    .from(prompts)
    .where(eq(prompts.id, sql.placeholder("id")))
    .prepare(),
);
const headingById = prepared((tables) =>
  tables
    .select({
      id: prompts.id,
      title: prompts.title,
      description: prompts.description,
      tags: prompts.tags,
    })
    .from(prompts)
    .where(eq(prompts.id, sql.placeholder("id")))
    .prepare(),
);
const versionById = prepared((tables) =>
  tables
    .select()
    .from(promptVersions)
    .where(eq(promptVersions.id, sql.placeholder("id")))
    .prepare(),
);

/** The current row, or undefined. */
export function findPrompt(reader: TableReader, id: string): PromptRow | undefined {
  return promptById(reader).get({ id });
}

/** Ids of some prompts of a user. */
export function promptIdsOf({ tables }: TableReader, userId: string, limit: number): string[] {
  return tables
    .select({ id: prompts.id })
    .from(prompts)
    .where(eq(prompts.userId, userId))
    .limit(limit)
    .all()
    .map(({ id }) => id);
}

/** A prompt as a search shows it. */
export type PromptHeading = Pick<PromptRow, "id" | "title" | "description" | "tags">;

/** A prompt without its content, or undefined. */
export function findHeading(reader: TableReader, id: string): PromptHeading | undefined {
  return headingById(reader).get({ id });
}

/** Inserts a new prompt. Throws `conflict` if its import path is taken. */
export function insertPrompt(write: Write, row: PromptRow): void {
  requireOwnImportPath(write, row);
  write.tables.insert(prompts).values(row).run();
}

/** Replaces all columns of the row. Throws `conflict` if its import path is taken. */
export function updatePrompt(write: Write, row: PromptRow): void {
  requireOwnImportPath(write, row);
  const { id, ...columns } = row;
  write.tables.update(prompts).set(columns).where(eq(prompts.id, id)).run();
}

/** Deletes the row with its versions, its vector and its memberships in collections. */
export function deletePrompt({ tables }: Write, id: string): void {
  tables.delete(prompts).where(eq(prompts.id, id)).run();
}

/** Adds to a prompt's number of views. Does nothing when the prompt has been deleted. */
export function addViews({ tables }: Write, id: string, views: number): void {
  tables
    .update(prompts)
    .set({ views: sql`${prompts.views} + ${views}` })
    .where(eq(prompts.id, id))
    .run();
}

/** Inserts a version of a prompt. The pair of prompt and version number must be new. */
export function insertVersion({ tables }: Write, row: VersionRow): void {
  tables.insert(promptVersions).values(row).run();
}

/** A version by its own id, or undefined. */
export function findVersion(reader: TableReader, id: string): VersionRow | undefined {
  return versionById(reader).get({ id });
}

/**
 * Ids and numbers of a prompt's versions older than `before`, newest first. Contents are read one at a time, with
 * `findVersion`.
 */
export function listVersions(
  { tables }: TableReader,
  promptId: string,
  { before, limit }: { before: number; limit: number },
): Pick<VersionRow, "id" | "version">[] {
  return tables
    .select({ id: promptVersions.id, version: promptVersions.version })
    .from(promptVersions)
    .where(and(eq(promptVersions.promptId, promptId), lt(promptVersions.version, before)))
    .orderBy(desc(promptVersions.version))
    .limit(limit)
    .all();
}
