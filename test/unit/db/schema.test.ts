// The tables that the program describes are the tables that the migrations create.

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { desc, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import * as activityTable from "../../../src/db/activity-table.ts";
import * as folderTable from "../../../src/db/folder-table.ts";
import * as remoteTables from "../../../src/db/remote-tables.ts";
import * as labelTable from "../../../src/db/label-table.ts";
import * as pinTable from "../../../src/db/pin-table.ts";
import * as indexTables from "../../../src/db/index-tables.ts";
import { migrate } from "../../../src/db/migrate.ts";
import * as tables from "../../../src/db/tables.ts";
import * as trashTables from "../../../src/db/trash-tables.ts";
import { TRASHED_TABLES } from "../../../src/db/trash.ts";
import { createStatement, schemaOfDatabase, schemaOfTables, tableNames } from "./describe-schema.ts";

const database = new Database(":memory:");
migrate(database, resolve(import.meta.dir, "../../../migrations"), "0.0.0");

/** Lines of one side that the other side lacks. */
const differences = (migrated: string[], described: string[]) => ({
  onlyInMigrations: migrated.filter((line) => !described.includes(line)),
  onlyInTables: described.filter((line) => !migrated.includes(line)),
});
const NONE = { onlyInMigrations: [], onlyInTables: [] };
const objects = (type: string) =>
  database
    .query<{ name: string }, [string]>("SELECT name FROM sqlite_master WHERE type = ? ORDER BY name")
    .all(type)
    .map(({ name }) => name);

test("columns, keys, foreign keys, checks and indexes are the same on both sides", () => {
  const migrated = schemaOfDatabase(database);
  expect(migrated.length).toBeGreaterThan(200);
  expect(
    differences(
      migrated,
      schemaOfTables({
        ...tables,
        ...activityTable,
        ...folderTable,
        ...labelTable,
        ...pinTable,
        ...remoteTables,
        ...trashTables,
        ...indexTables,
      }),
    ),
  ).toEqual(NONE);
});

test("the trash keeps the rows of every table that is deleted with a record, except of the index and of the activity log", () => {
  const left = ["prompt_vectors", "activity"];
  for (const [type, table] of [
    ["document", "documents"],
    ["prompt", "prompts"],
  ] as const) {
    const deletedWith = tableNames(database).filter((name) =>
      database
        .query<{ table: string; on_delete: string }, [string]>("SELECT * FROM pragma_foreign_key_list(?)")
        .all(name)
        .some((key) => key.table === table && key.on_delete === "CASCADE"),
    );
    const kept = TRASHED_TABLES[type].map(([name]) => name);
    expect(kept.toSorted()).toEqual(
      [table, ...deletedWith.filter((name) => !left.includes(name))].toSorted(),
    );
  }
});

describe("what drizzle cannot describe", () => {
  test("virtual tables", () => {
    const virtual = database
      .query<{ name: string }, []>("SELECT name FROM pragma_table_list WHERE type = 'virtual' ORDER BY name")
      .all()
      .map(({ name }) => createStatement(database, name).replace(/\s+/g, " "));
    expect(virtual).toEqual([
      "CREATE VIRTUAL TABLE chunk_trigram_terms USING fts5vocab (chunk_trigrams, 'row')",
      "CREATE VIRTUAL TABLE chunk_trigrams USING fts5 ( text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram case_sensitive 1' )",
      "CREATE VIRTUAL TABLE chunk_words USING fts5 ( context, text, content = '', contentless_delete = 1, tokenize = \"porter unicode61 remove_diacritics 2 categories 'L* N* Co M* So'\" )",
    ]);
  });

  test("triggers and views", () => {
    expect(objects("trigger")).toEqual([
      "collection_is_erased",
      "document_is_erased",
      "document_jobs_end",
      "generation_begins_live",
      "generation_changes_state",
      "index_change_is_stored",
      "prompt_is_erased",
      "prompt_jobs_end",
      "trash_is_erased",
    ]);
    expect(objects("view")).toEqual([]);
  });

  test("every table is STRICT, and these have no rowid", () => {
    const options = database
      .query<{ name: string; strict: number; wr: number }, []>(
        "SELECT name, strict, wr FROM pragma_table_list",
      )
      .all()
      .filter(({ name }) => tableNames(database).includes(name));
    expect(options.filter(({ strict }) => strict === 0)).toEqual([]);
    const withoutRowid = options.filter(({ wr }) => wr === 1).map(({ name }) => name);
    expect(withoutRowid.sort()).toEqual([
      "chunk_bits",
      "external_identities",
      "folders",
      "instance",
      "pins",
      "prompt_labels",
      "remote_members",
      "search_session_chunks",
    ]);
  });

  test("collations: e-mail addresses are compared without regard to case", () => {
    const collated = tableNames(database).flatMap((table) =>
      database
        .query<{ line: string }, [string]>(
          `SELECT DISTINCT x.name || ' ' || x.coll AS line FROM pragma_index_list(?) AS i
           JOIN pragma_index_xinfo(i.name) AS x WHERE x.key = 1 AND x.coll <> 'BINARY'`,
        )
        .all(table)
        .map(({ line }) => `${table}.${line}`),
    );
    expect(collated).toEqual(["users.email NOCASE"]);
    const declared = objects("table").filter((name) => /\bCOLLATE\b/i.test(createStatement(database, name)));
    expect(declared).toEqual(["users"]);
  });
});

describe("a drift is reported", () => {
  const owners = sqliteTable("owners", { id: text("id").primaryKey() });
  const notes = sqliteTable(
    "notes",
    {
      id: text("id").primaryKey(),
      ownerId: text("owner_id")
        .notNull()
        .references(() => owners.id, { onDelete: "cascade" }),
      size: integer("size").notNull().default(0),
      half: integer("half").generatedAlwaysAs(sql`size / 2`, { mode: "virtual" }),
    },
    (table) => [index("notes_by_size").on(table.ownerId, desc(table.size)).where(sql`${table.size} > 0`)],
  );
  const SAME = {
    owners: "CREATE TABLE owners (id TEXT PRIMARY KEY) STRICT",
    notes: `CREATE TABLE notes (
      id TEXT PRIMARY KEY,
      owner_id TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
      size INTEGER NOT NULL DEFAULT 0,
      half INTEGER GENERATED ALWAYS AS (size / 2) VIRTUAL
    ) STRICT`,
    index: "CREATE INDEX notes_by_size ON notes (owner_id, size DESC) WHERE size > 0",
  };
  const compare = (changed: Partial<typeof SAME>) => {
    const other = new Database(":memory:");
    for (const statement of Object.values({ ...SAME, ...changed })) other.run(statement);
    return differences(schemaOfDatabase(other), schemaOfTables({ owners, notes }));
  };

  test("are not reported where there are none", () => expect(compare({})).toEqual(NONE));

  test.each<[string, Partial<typeof SAME>, string[], string[]]>([
    [
      "a further table",
      { owners: `${SAME.owners}; CREATE TABLE more (a TEXT) STRICT` },
      ["more.a: text", "more: no primary key"],
      [],
    ],
    [
      "a column that may be null",
      { notes: SAME.notes.replace("INTEGER NOT NULL", "INTEGER") },
      ["notes.size: integer default 0"],
      ["notes.size: integer not null default 0"],
    ],
    [
      "another type and default",
      { notes: SAME.notes.replace("INTEGER NOT NULL DEFAULT 0", "TEXT NOT NULL DEFAULT '0'") },
      ["notes.size: text not null default '0'"],
      ["notes.size: integer not null default 0"],
    ],
    [
      "another expression of a column",
      { notes: SAME.notes.replace("size / 2", "(size + 1) / 2") },
      ["notes.half: integer generated as (size + 1) / 2"],
      ["notes.half: integer generated as size / 2"],
    ],
    [
      "another action of a foreign key",
      { notes: SAME.notes.replace(" ON DELETE CASCADE", "") },
      ["notes.owner_id: references owners(id) on update no action on delete no action"],
      ["notes.owner_id: references owners(id) on update no action on delete cascade"],
    ],
    [
      "a constraint",
      { notes: SAME.notes.replace("DEFAULT 0", "DEFAULT 0 UNIQUE CHECK (size >= (0))") },
      ["notes: check size >= (0)", "notes: unique (size)"],
      [],
    ],
    [
      "another order of an index",
      { index: SAME.index.replace(" DESC", "") },
      ["notes: index notes_by_size (owner_id, size) where size > 0"],
      ["notes: index notes_by_size (owner_id, size desc) where size > 0"],
    ],
    [
      "another condition of an index",
      { index: SAME.index.replace("size > 0", "size > 1") },
      ["notes: index notes_by_size (owner_id, size desc) where size > 1"],
      ["notes: index notes_by_size (owner_id, size desc) where size > 0"],
    ],
    [
      "a missing index",
      { index: "SELECT 1" },
      [],
      ["notes: index notes_by_size (owner_id, size desc) where size > 0"],
    ],
  ])("%s", (_name, changed, onlyInMigrations, onlyInTables) => {
    expect(compare(changed)).toEqual({ onlyInMigrations, onlyInTables });
  });
});
