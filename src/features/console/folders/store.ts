// Queries of remembered folders.

import { and, asc, count, eq } from "drizzle-orm";
import type { TableReader, Write } from "../../../db/store.ts";
import { type FolderOptions, folders } from "../../../db/folder-table.ts";
import type { Folder } from "../replies.ts";

/** The remembered folders of a user, by path. */
export function listFolders({ tables }: TableReader, userId: string): Folder[] {
  const { path, options, addedAt, importedAt } = folders;
  return tables
    .select({ path, options, addedAt, importedAt })
    .from(folders)
    .where(eq(folders.userId, userId))
    .orderBy(asc(path))
    .all()
    .map(({ options: stored, ...folder }) => ({ ...folder, ...stored }));
}

/** The ids of the users who have remembered folders. */
export function usersWithFolders({ tables }: TableReader): string[] {
  return tables
    .selectDistinct({ userId: folders.userId })
    .from(folders)
    .all()
    .map(({ userId }) => userId);
}

/** The number of remembered folders of a user. */
export function countFolders({ tables }: TableReader, userId: string): number {
  return tables.select({ n: count() }).from(folders).where(eq(folders.userId, userId)).get()?.n ?? 0;
}

/** Whether a folder of the user is remembered. */
export function hasFolder({ tables }: TableReader, userId: string, path: string): boolean {
  return (
    tables.select({ path: folders.path }).from(folders).where(isFolder(userId, path)).get() !== undefined
  );
}

interface Remembered {
  userId: string;
  path: string;
  options: FolderOptions;
}

/** Remembers a folder, or replaces its options. */
export function putFolder({ tables, now }: Write, { userId, path, options }: Remembered): void {
  tables
    .insert(folders)
    .values({ userId, path, options, addedAt: now })
    .onConflictDoUpdate({ target: [folders.userId, folders.path], set: { options } })
    .run();
}

/** Notes that an import of a folder has ended, if it is remembered. */
export function markImported({ tables, now }: Write, userId: string, path: string): void {
  tables.update(folders).set({ importedAt: now }).where(isFolder(userId, path)).run();
}

/** Forgets a folder. Returns whether it was remembered. */
export function deleteFolder({ tables }: Write, userId: string, path: string): boolean {
  return (
    tables.delete(folders).where(isFolder(userId, path)).returning({ path: folders.path }).all().length > 0
  );
}

const isFolder = (userId: string, path: string) => and(eq(folders.userId, userId), eq(folders.path, path));
