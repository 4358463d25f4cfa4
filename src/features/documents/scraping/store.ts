// The table of fetches: one row for each scraped document.

import { eq, sql } from "drizzle-orm";
import { prepared } from "../../../db/prepared.ts";
import type { Store, Write } from "../../../db/store.ts";
import { documentFetches } from "../../../db/tables.ts";

export type FetchRow = typeof documentFetches.$inferSelect;

const fetchOfDocument = prepared((tables) =>
  tables
    .select()
    .from(documentFetches)
    .where(eq(documentFetches.documentId, sql.placeholder("documentId")))
    .prepare(),
);

/** How a scraped document is fetched; undefined for a document that was not scraped. */
export function findFetch(reader: Pick<Store, "tables">, documentId: string): FetchRow | undefined {
  return fetchOfDocument(reader).get({ documentId });
}

/** Inserts the row of a document that is about to be scraped. */
export function insertFetch({ tables }: Write, row: FetchRow): void {
  tables.insert(documentFetches).values(row).run();
}

/** Changes some columns of the row. */
export function updateFetch({ tables }: Write, documentId: string, changes: Partial<FetchRow>): void {
  tables.update(documentFetches).set(changes).where(eq(documentFetches.documentId, documentId)).run();
}

/** Whether the first fetch of a document has not finished yet. */
export function isBeingScraped(reader: Pick<Store, "tables">, documentId: string): boolean {
  return findFetch(reader, documentId)?.settled === false;
}
