// The SQL of coordination: one row for a document that has ever been coordinated.

import { eq } from "drizzle-orm";
import type { Store, Write } from "../../../db/store.ts";
import { documentCoordination } from "../../../db/tables.ts";

export type CoordinationRow = typeof documentCoordination.$inferSelect;

/** A document that was never coordinated is in standard mode with fence 0. */
export function findCoordination({ tables }: Pick<Store, "tables">, documentId: string): CoordinationRow {
  const found = tables
    .select()
    .from(documentCoordination)
    .where(eq(documentCoordination.documentId, documentId))
    .get();
  return (
    found ?? {
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

export function putCoordination({ tables }: Write, row: CoordinationRow): void {
  tables
    .insert(documentCoordination)
    .values(row)
    .onConflictDoUpdate({ target: documentCoordination.documentId, set: row })
    .run();
}
