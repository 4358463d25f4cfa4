// The records that users have pinned.

import { and, count, desc, eq, sql } from "drizzle-orm";
import { pins } from "../../../db/pin-table.ts";
import type { TableReader, Write } from "../../../db/store.ts";
import { collections, documents, prompts } from "../../../db/tables.ts";
import type { Pin } from "../replies.ts";

const isPin = (userId: string, recordId: string) => and(eq(pins.userId, userId), eq(pins.recordId, recordId));

/** The user's pinned records of these kinds, the one that was pinned last first. */
export function listPins({ tables }: TableReader, userId: string, types: readonly Pin["type"][]): Pin[] {
  const rows = tables
    .select({
      id: pins.recordId,
      type: sql<Pin["type"]>`iif(${pins.documentId} IS NOT NULL, 'document',
                              iif(${pins.promptId} IS NOT NULL, 'prompt', 'collection'))`,
      title: sql<string>`coalesce(${documents.title}, ${prompts.title}, ${collections.name})`,
    })
    .from(pins)
    .leftJoin(documents, eq(documents.id, pins.documentId))
    .leftJoin(prompts, eq(prompts.id, pins.promptId))
    .leftJoin(collections, eq(collections.id, pins.collectionId))
    .where(eq(pins.userId, userId))
    .orderBy(desc(pins.pinnedAt), desc(pins.recordId))
    .all();
  return rows.filter(({ type }) => types.includes(type));
}

/** Pins a record, unless it is pinned already. */
export function putPin({ tables, now }: Write, userId: string, { id, type }: Pick<Pin, "id" | "type">): void {
  const row = { userId, recordId: id, pinnedAt: now, [`${type}Id`]: id };
  tables.insert(pins).values(row).onConflictDoNothing().run();
}

/** Returns whether the record was pinned. */
export function deletePin({ tables }: Write, userId: string, recordId: string): boolean {
  return tables.delete(pins).where(isPin(userId, recordId)).returning({ id: pins.recordId }).all().length > 0;
}

/** The number of records that a user has pinned. */
export function countPins({ tables }: TableReader, userId: string): number {
  return tables.select({ n: count() }).from(pins).where(eq(pins.userId, userId)).get()?.n ?? 0;
}
