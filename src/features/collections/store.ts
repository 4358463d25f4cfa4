// The SQL of collections: their rows, walked newest first.

import { type AnyColumn, and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import type { Store, Write } from "../../db/store.ts";
import { collections } from "../../db/tables.ts";

export type CollectionRow = typeof collections.$inferSelect;
export type Reader = Pick<Store, "tables">;

/** A place in a list, newest first. */
export interface Place {
  createdAt: number;
  id: string;
}

export function findCollection({ tables }: Reader, id: string): CollectionRow | undefined {
  return tables.select().from(collections).where(eq(collections.id, id)).get();
}

export function insertCollection({ tables }: Write, row: CollectionRow): void {
  tables.insert(collections).values(row).run();
}

/** Writes the row as a whole. */
export function updateCollection({ tables }: Write, { id, ...row }: CollectionRow): void {
  tables.update(collections).set(row).where(eq(collections.id, id)).run();
}

/** Deletes the row. Its items leave with it, and collections inside it lose their parent. */
/** Deletes all of a user's collections, whatever stands in them. */
export function deleteCollectionsOf({ tables }: Write, userId: string): void {
  tables.delete(collections).where(eq(collections.userId, userId)).run();
}

export function deleteCollectionRow({ tables }: Write, id: string): void {
  tables.delete(collections).where(eq(collections.id, id)).run();
}

export interface CollectionFilter {
  userId: string;
  /** Every one of these tags. */
  tags: string[];
  workspace?: string;
  /** The public ones of all users too. */
  includePublic?: boolean;
  /** Only these. */
  ids?: string[];
}

const BATCH = 100;

/** Collections that the filter lets through, newest first, behind `after`. They are read a batch at a time. */
export function* walkCollections(
  { tables }: Reader,
  { userId, tags, workspace, includePublic, ids }: CollectionFilter,
  after?: Place,
): Generator<CollectionRow> {
  const own = eq(collections.userId, userId);
  const conditions = [
    includePublic ? or(own, eq(collections.isPublic, true)) : own,
    workspace === undefined ? undefined : eq(collections.workspaceId, workspace),
    ids && isAmong(collections.id, ids),
    tags.length === 0 ? undefined : hasTags(tags),
  ];
  let place = after;
  while (true) {
    const batch = tables
      .select()
      .from(collections)
      .where(and(...conditions, place && behind(collections.createdAt, collections.id, place)))
      .orderBy(desc(collections.createdAt), desc(collections.id))
      .limit(BATCH)
      .all();
    yield* batch;
    if (batch.length < BATCH) return;
    place = batch[BATCH - 1];
  }
}

// Lists go into SQL as one parameter each: neither parameters nor chained conditions may be of any number.

/** Whether a column holds one of the values. */
export function isAmong(column: AnyColumn, values: string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function hasTags(tags: string[]): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(tags)}) AS wanted
             WHERE wanted.value NOT IN (SELECT value FROM json_each(${collections.tags})))`;
}

/** Whether a row stands behind a place in a list that is newest first. */
export function behind(instant: AnyColumn, id: AnyColumn, place: Place): SQL {
  return sql`(${instant}, ${id}) < (${place.createdAt}, ${place.id})`;
}
