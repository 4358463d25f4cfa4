// The table of coordination: one row for each document that was ever coordinated.

import { eq, sql } from "drizzle-orm";
import { prepared } from "../../../db/prepared.ts";
import type { Store, Write } from "../../../db/store.ts";
import { documentCoordination } from "../../../db/tables.ts";

export type CoordinationRow = typeof documentCoordination.$inferSelect;

const rowOfDocument = prepared((tables) =>
  tables
    .select()
    .from(documentCoordination)
    .where(eq(documentCoordination.documentId, sql.placeholder("documentId")))
    .prepare(),
);

/** The coordination of a document: standard mode with fence 0 if there is no row. */
export function findCoordination(reader: Pick<Store, "tables">, documentId: string): CoordinationRow {
  return (
    rowOfDocument(reader).get({ documentId }) ?? {
      documentId,
      policy: "standard",
      fence: 0,
      leaseId: null,
      leaseCredential: null,
      leaseExpiresAt: null,
      leaseTtlMs: null,
    }
  );
}

/** Inserts or replaces the row. */
export function putCoordination({ tables }: Write, row: CoordinationRow): void {
  tables
    .insert(documentCoordination)
    .values(row)
    .onConflictDoUpdate({ target: documentCoordination.documentId, set: row })
    .run();
}
