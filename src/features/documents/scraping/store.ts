// The SQL of fetches: one row for each scraped document.

import { eq } from "drizzle-orm";
import type { Store, Write } from "../../../db/store.ts";
import { documentFetches } from "../../../db/tables.ts";

export type FetchRow = typeof documentFetches.$inferSelect;

export function findFetch({ tables }: Pick<Store, "tables">, documentId: string): FetchRow | undefined {
  return tables.select().from(documentFetches).where(eq(documentFetches.documentId, documentId)).get();
}

export function insertFetch({ tables }: Write, row: FetchRow): void {
  tables.insert(documentFetches).values(row).run();
}

export function updateFetch({ tables }: Write, documentId: string, changes: Partial<FetchRow>): void {
  tables.update(documentFetches).set(changes).where(eq(documentFetches.documentId, documentId)).run();
}

/** Whether the first fetch of a document is still to end. */
export function isBeingScraped(reader: Pick<Store, "tables">, documentId: string): boolean {
  return findFetch(reader, documentId)?.settled === false;
}
