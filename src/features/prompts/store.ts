// The SQL of prompts: the current row and its versions.

import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Store, Write } from "../../db/store.ts";
import { prompts, promptVersions } from "../../db/tables.ts";

export type PromptRow = typeof prompts.$inferSelect;
export type VersionRow = typeof promptVersions.$inferSelect;
type Reader = Pick<Store, "tables">;

export function findPrompt({ tables }: Reader, id: string): PromptRow | undefined {
  return tables.select().from(prompts).where(eq(prompts.id, id)).get();
}

/** Deletes all of a user's prompts with their versions. */
export function deletePromptsOf({ tables }: Write, userId: string): void {
  tables.delete(prompts).where(eq(prompts.userId, userId)).run();
}

/** A prompt as a search shows it. */
export type PromptHeading = Pick<PromptRow, "id" | "title" | "description" | "tags">;

export function findHeading({ tables }: Reader, id: string): PromptHeading | undefined {
  const { title, description, tags } = prompts;
  return tables
    .select({ id: prompts.id, title, description, tags })
    .from(prompts)
    .where(eq(prompts.id, id))
    .get();
}

export function insertPrompt({ tables }: Write, row: PromptRow): void {
  tables.insert(prompts).values(row).run();
}

/** Writes the row as a whole. */
export function updatePrompt({ tables }: Write, { id, ...row }: PromptRow): void {
  tables.update(prompts).set(row).where(eq(prompts.id, id)).run();
}

/** Deletes the row; its versions, its vector and its places in collections go with it. */
export function deletePrompt({ tables }: Write, id: string): void {
  tables.delete(prompts).where(eq(prompts.id, id)).run();
}

/** Counts views of a prompt that may be gone by now. */
export function addViews({ tables }: Write, id: string, views: number): void {
  tables
    .update(prompts)
    .set({ views: sql`${prompts.views} + ${views}` })
    .where(eq(prompts.id, id))
    .run();
}

export function insertVersion({ tables }: Write, row: VersionRow): void {
  tables.insert(promptVersions).values(row).run();
}

export function findVersion({ tables }: Reader, id: string): VersionRow | undefined {
  return tables.select().from(promptVersions).where(eq(promptVersions.id, id)).get();
}

/** Ids and numbers of a prompt's versions older than `before`, newest first. Their bodies are read one at a time. */
export function listVersions(
  { tables }: Reader,
  promptId: string,
  before: number,
  limit: number,
): Pick<VersionRow, "id" | "version">[] {
  return tables
    .select({ id: promptVersions.id, version: promptVersions.version })
    .from(promptVersions)
    .where(and(eq(promptVersions.promptId, promptId), lt(promptVersions.version, before)))
    .orderBy(desc(promptVersions.version))
    .limit(limit)
    .all();
}
