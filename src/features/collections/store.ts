// The table of collections.

import { type AnyColumn, and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { prepared } from "../../db/prepared.ts";
import type { TableReader, Write } from "../../db/store.ts";
import { collections } from "../../db/tables.ts";
import { tagKeysIn } from "../../db/tag-column.ts";
import type { ListPosition } from "../../retrieval/search/lists/read.ts";

export type CollectionRow = typeof collections.$inferSelect;
const collectionById = prepared((tables) =>
  tables
    .select()
    .from(collections)
    .where(eq(collections.id, sql.placeholder("id")))
    .prepare(),
);

/** The row, or undefined. */
export function findCollection(reader: TableReader, id: string): CollectionRow | undefined {
  return collectionById(reader).get({ id });
}

const collectionOfUser = prepared((tables) =>
  tables
    .select({ id: collections.id })
    .from(collections)
    .where(eq(collections.userId, sql.placeholder("userId")))
    .limit(1)
    .prepare(),
);

/** Whether the user owns a collection. */
export function ownsCollections(reader: TableReader, userId: string): boolean {
  return collectionOfUser(reader).get({ userId }) !== undefined;
}

/** Inserts a new collection. */
export function insertCollection({ tables }: Write, row: CollectionRow): void {
  tables.insert(collections).values(row).run();
}

/** Replaces all columns of the row. */
export function updateCollection({ tables }: Write, { id, ...row }: CollectionRow): void {
  tables.update(collections).set(row).where(eq(collections.id, id)).run();
}

/** Ids of the collections whose parent is one of these. */
export function childIdsOf({ tables }: TableReader, ids: string[]): string[] {
  return tables
    .select({ id: collections.id })
    .from(collections)
    .where(isAmong(collections.parentCollectionId, ids))
    .all()
    .map(({ id }) => id);
}

/** Ids of some collections of a user. */
export function collectionIdsOf({ tables }: TableReader, userId: string, limit: number): string[] {
  return tables
    .select({ id: collections.id })
    .from(collections)
    .where(eq(collections.userId, userId))
    .limit(limit)
    .all()
    .map(({ id }) => id);
}

/** Deletes the row with its items. Collections inside it lose their parent. */
export function deleteCollectionRow({ tables }: Write, id: string): void {
  tables.delete(collections).where(eq(collections.id, id)).run();
}

export interface CollectionFilter {
  userId: string;
  /** A collection must have all of these tags. */
  tags: string[];
  workspace?: string;
  /** Whether public collections of other users match. */
  includePublic?: boolean;
  /** Only collections with these ids match. */
  ids?: string[];
}

const BATCH = 100;

/** Collections that match the filter, newest first, after the position `after`. They are read a batch at a time. */
export function* walkCollections(
  { tables }: TableReader,
  { userId, tags, workspace, includePublic, ids }: CollectionFilter,
  after?: ListPosition,
): Generator<CollectionRow> {
  const own = eq(collections.userId, userId);
  const conditions = [
    includePublic ? or(own, eq(collections.isPublic, true)) : own,
    workspace === undefined ? undefined : eq(collections.workspaceId, workspace),
    ids && isAmong(collections.id, ids),
    tags.length === 0 ? undefined : hasTags(tags),
  ];
  let position = after;
  while (true) {
    const batch = tables
      .select()
      .from(collections)
      .where(and(...conditions, position && comesAfter(collections.createdAt, collections.id, position)))
      .orderBy(desc(collections.createdAt), desc(collections.id))
      .limit(BATCH)
      .all();
    yield* batch;
    if (batch.length < BATCH) return;
    position = batch.at(-1);
  }
}

// A list is passed as one JSON parameter, because SQLite limits the number of parameters and of chained conditions.

/** A condition: the column has one of the values. */
export function isAmong(column: AnyColumn, values: string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function hasTags(tags: string[]): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(tags)}) AS wanted
             WHERE wanted.value NOT IN (${sql.raw(tagKeysIn("collections.tags"))}))`;
}

/** A condition: the row comes after a position in a list that is ordered newest first. */
export function comesAfter(instant: AnyColumn, id: AnyColumn, position: ListPosition): SQL {
  return sql`(${instant}, ${id}) < (${position.createdAt}, ${position.id})`;
}
