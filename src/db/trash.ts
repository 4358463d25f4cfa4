// The trash: all rows of a record as JSON, so that the record can be restored as it was. Index rows are not kept.

import type { Database } from "bun:sqlite";
import { and, desc, eq } from "drizzle-orm";
import { Failure } from "../kernel/errors.ts";
import { requireOwnImportPath } from "./import-paths.ts";
import type { Store, TableReader, Write } from "./store.ts";
import { trash, trashRows } from "./trash-tables.ts";

/** What is in the trash is deleted after this time. */
export const TRASH_LIFE_MS = 30 * 24 * 60 * 60_000;
/** Larger records cannot be moved to the trash: copying them would hold up other requests. */
const MAX_TRASHED_BYTES = 16 * 1024 * 1024;

export type TrashType = "document" | "prompt";

export interface Trashed {
  id: string;
  type: TrashType;
  title: string;
  /** Epoch ms. */
  deletedAt: number;
}

/**
 * The tables with rows of a record, and the column with its id, in the order in which the rows can be inserted. A test
 * says if one is missing. @testOnly
 */
export const TRASHED_TABLES: Record<TrashType, readonly (readonly [table: string, column: string])[]> = {
  document: [
    ["documents", "id"],
    ["bodies", "document_id"],
    ["document_versions", "document_id"],
    ["document_fetches", "document_id"],
    ["document_coordination", "document_id"],
    ["collection_items", "document_id"],
    ["pins", "document_id"],
  ],
  prompt: [
    ["prompts", "id"],
    ["prompt_versions", "prompt_id"],
    ["prompt_labels", "prompt_id"],
    ["collection_items", "prompt_id"],
    ["pins", "prompt_id"],
  ],
};

/** The columns that can be inserted. */
const columnsOf = (sql: Database, table: string): string[] =>
  sql
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
    .all(table)
    .map(({ name }) => name);

/**
 * Copies the rows of a record into the trash; the caller deletes the record in the same write. Throws `unprocessable`
 * if its texts and versions are too large.
 */
export function putIntoTrash(
  { sql, now }: Write,
  { id, userId, type, title }: { id: string; userId: string; type: TrashType; title: string },
): void {
  sql
    .query("INSERT INTO trash (record_id, user_id, type, title, deleted_at) VALUES (?, ?, ?, ?, ?)")
    .run(id, userId, type, title, now);
  let bytes = 0;
  for (const [table, column] of TRASHED_TABLES[type]) {
    const columns = columnsOf(sql, table);
    bytes += sql
      .query<{ bytes: number }, [string]>(
        `SELECT coalesce(sum(${columns.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ")}), 0) AS bytes
         FROM ${table} WHERE ${column} = ?`,
      )
      .get(id)!.bytes;
    if (bytes > MAX_TRASHED_BYTES) {
      throw new Failure("unprocessable", "the record with its versions is too large for the trash", {
        details: { reason: "TOO_LARGE_FOR_TRASH" },
      });
    }
    const members = columns.map((name) => `'${name}', ${name}`).join(", ");
    sql
      .query(
        `INSERT INTO trash_rows (record_id, table_name, row)
         SELECT ?1, '${table}', json_object(${members}) FROM ${table} WHERE ${column} = ?1`,
      )
      .run(id);
  }
}

const COLUMNS = { id: trash.recordId, type: trash.type, title: trash.title, deletedAt: trash.deletedAt };

/** A record in the user's trash, or undefined. */
export function findTrashed({ tables }: TableReader, userId: string, id: string): Trashed | undefined {
  return tables
    .select(COLUMNS)
    .from(trash)
    .where(and(eq(trash.userId, userId), eq(trash.recordId, id)))
    .get();
}

/** The user's trash, latest first. */
export function listTrash(
  { tables }: TableReader,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Trashed[] {
  return tables
    .select(COLUMNS)
    .from(trash)
    .where(eq(trash.userId, userId))
    .orderBy(desc(trash.deletedAt), desc(trash.recordId))
    .limit(limit)
    .offset(offset)
    .all();
}

/** Ids of some records in the user's trash. */
export const trashedIdsOf = (reader: TableReader, userId: string, limit: number): string[] =>
  listTrash(reader, userId, { offset: 0, limit }).map(({ id }) => id);

/**
 * Inserts the rows of a record again and takes it out of the trash. It is in the collections that still exist. The
 * caller has it indexed. Throws `conflict` if another record has its import path now.
 */
export function restoreFromTrash(write: Write, userId: string, { id, type }: Trashed): void {
  const { sql, tables } = write;
  for (const [table] of TRASHED_TABLES[type]) {
    const first = tables
      .select({ row: trashRows.row })
      .from(trashRows)
      .where(and(eq(trashRows.recordId, id), eq(trashRows.tableName, table)))
      .limit(1)
      .get();
    if (first === undefined) continue;
    const stored = JSON.parse(first.row) as Record<string, unknown>;
    if (table === `${type}s`) {
      requireOwnImportPath(write, { id, userId, metadata: JSON.parse(String(stored.metadata)) });
    }
    // A later version of the program may have added columns, which then have their defaults, or removed some.
    const columns = columnsOf(sql, table).filter((name) => Object.hasOwn(stored, name));
    const values = columns.map((name) => `row ->> '$.${name}'`).join(", ");
    const condition =
      table === "collection_items" ? "AND row ->> '$.collection_id' IN (SELECT id FROM collections)" : "";
    sql
      .query(
        `INSERT INTO ${table} (${columns.join(", ")})
         SELECT ${values} FROM trash_rows WHERE record_id = ? AND table_name = ? ${condition}`,
      )
      .run(id, table);
  }
  deleteFromTrash(write, id);
}

/** Deletes a record in the trash for good. */
export function deleteFromTrash({ sql }: Write, id: string): void {
  sql.query("DELETE FROM trash WHERE record_id = ?").run(id);
}

/** Deletes one record that has been in the trash for too long. Returns whether there may be more. */
export function purgeTrash(write: Write): boolean {
  const { sql, now } = write;
  const oldest = sql
    .query<{ id: string }, [number]>(
      "SELECT record_id AS id FROM trash WHERE deleted_at <= ? ORDER BY deleted_at LIMIT 1",
    )
    .get(now - TRASH_LIFE_MS);
  if (oldest === null) return false;
  deleteFromTrash(write, oldest.id);
  return true;
}

/** Whether something in the trash has been there for too long. */
export function hasOldTrash({ sql }: Pick<Store, "sql">, now: number): boolean {
  return sql.query("SELECT 1 FROM trash WHERE deleted_at <= ? LIMIT 1").get(now - TRASH_LIFE_MS) !== null;
}
