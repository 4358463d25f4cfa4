// Describes a schema as sorted lines of text, from a database and from drizzle tables, so that the two can be compared.

import type { Database } from "bun:sqlite";
import { is, type SQL } from "drizzle-orm";
import { getTableConfig, SQLiteColumn, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";

/** One line per column, key, constraint and index. */
export type SchemaLines = string[];

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

// From a database ----------------------------------------------------------------------------------------------------

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

interface Index {
  name: string;
  unique: number;
  origin: "c" | "u" | "pk";
}

/** Ordinary tables of a database, without those that SQLite and virtual tables make for themselves. */
export function tableNames(database: Database): string[] {
  return database
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("sqlite_"));
}

/** The ordinary tables as the database describes them. */
export function schemaOfDatabase(database: Database): SchemaLines {
  return tableNames(database)
    .flatMap((table) => [
      ...columnsOf(database, table),
      ...foreignKeysOf(database, table),
      ...indexesOf(database, table),
      ...checksOf(database, table),
    ])
    .sort();
}

/** The text of a table's, index's or trigger's CREATE statement. */
export function createStatement(database: Database, name: string): string {
  const row = database
    .query<{ sql: string | null }, [string]>("SELECT sql FROM sqlite_master WHERE name = ?")
    .get(name);
  return row?.sql ?? "";
}

function columnsOf(database: Database, table: string): SchemaLines {
  const columns = database.query<Column, [string]>("SELECT * FROM pragma_table_xinfo(?)").all(table);
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const statement = createStatement(database, table);
  const autoincrement = /\bAUTOINCREMENT\b/.test(statement) ? " autoincrement" : "";
  const expressionOf = (name: string) => {
    const found = new RegExp(`\\b${name} \\w+ GENERATED ALWAYS AS \\(`).exec(statement);
    return found ? flat(enclosed(statement, found.index + found[0].length)) : null;
  };
  return [
    ...columns.map(({ name, type, notnull, dflt_value, pk }) =>
      columnLine(table, name, {
        type,
        notNull: notnull === 1 || pk > 0,
        fallback: dflt_value,
        expression: expressionOf(name),
      }),
    ),
    keys.length === 0
      ? `${table}: no primary key`
      : `${table}: primary key (${keys.map(({ name }) => name).join(", ")})${autoincrement}`,
  ];
}

function foreignKeysOf(database: Database, table: string): SchemaLines {
  const rows = database
    .query<
      { from: string; table: string; to: string; on_update: string; on_delete: string; seq: number },
      [string]
    >("SELECT * FROM pragma_foreign_key_list(?)")
    .all(table);
  if (rows.some(({ seq }) => seq > 0)) throw new Error(`${table}: foreign keys of several columns`);
  return rows.map((row) => foreignKeyLine(table, row.from, `${row.table}(${row.to})`, row));
}

function indexesOf(database: Database, table: string): SchemaLines {
  return database
    .query<Index, [string]>('SELECT name, "unique", origin FROM pragma_index_list(?)')
    .all(table)
    .filter(({ origin }) => origin !== "pk")
    .map(({ name, unique, origin }) => {
      const columns = database
        .query<{ name: string | null; desc: number }, [string]>(
          'SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE "key" = 1 ORDER BY seqno',
        )
        .all(name)
        .map((column) => `${column.name ?? "(expression)"}${column.desc === 1 ? " desc" : ""}`);
      if (origin === "u") return `${table}: unique (${columns.join(", ")})`;
      const [, where] = /\bWHERE\b(.*)$/is.exec(createStatement(database, name)) ?? [];
      return indexLine(table, name, { isUnique: unique === 1, columns, where });
    });
}

/** CHECK constraints; their names do not count. */
function checksOf(database: Database, table: string): SchemaLines {
  const statement = createStatement(database, table).replace(/--.*$/gm, "");
  return [...statement.matchAll(/\bCHECK\s*\(/g)].map(
    ({ index, 0: opening }) => `${table}: check ${flat(enclosed(statement, index + opening.length))}`,
  );
}

/** The text from `start` to the parenthesis that closes the one before it. */
function enclosed(statement: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0; end++) depth += statement[end] === "(" ? 1 : statement[end] === ")" ? -1 : 0;
  return statement.slice(start, end - 1);
}

// From drizzle tables ------------------------------------------------------------------------------------------------

const dialect = new SQLiteSyncDialect();

/** The tables as the drizzle tables among the exports of a module describe them. */
export function schemaOfTables(exports: Record<string, unknown>): SchemaLines {
  return Object.values(exports)
    .filter((value) => is(value, SQLiteTable))
    .flatMap(linesOfTable)
    .sort();
}

function linesOfTable(table: SQLiteTable): SchemaLines {
  const { name, columns, primaryKeys, foreignKeys, indexes, uniqueConstraints, checks } =
    getTableConfig(table);
  const ownKey = columns.filter(({ primary }) => primary);
  const key = ownKey.length > 0 ? ownKey : (primaryKeys[0]?.columns ?? []);
  const autoincrement = ownKey.some((column) => "autoIncrement" in column && column.autoIncrement);
  const inKey = new Set(key.map((column) => column.name));
  return [
    ...columns.map((column) =>
      columnLine(name, column.name, {
        type: column.getSQLType(),
        notNull: column.notNull || inKey.has(column.name),
        fallback: column.default === undefined ? null : literal(column.default),
        expression: column.generated ? textOf(column.generated.as as SQL, name) : null,
      }),
    ),
    key.length === 0
      ? `${name}: no primary key`
      : `${name}: primary key (${[...inKey].join(", ")})${autoincrement ? " autoincrement" : ""}`,
    ...foreignKeys.map((foreignKey) => {
      const { columns, foreignColumns, foreignTable } = foreignKey.reference();
      const to = `${getTableConfig(foreignTable).name}(${foreignColumns.map((column) => column.name).join(", ")})`;
      const { onUpdate: on_update = "no action", onDelete: on_delete = "no action" } = foreignKey;
      return foreignKeyLine(name, columns.map((column) => column.name).join(", "), to, {
        on_update,
        on_delete,
      });
    }),
    ...columns.filter(({ isUnique }) => isUnique).map((column) => `${name}: unique (${column.name})`),
    ...uniqueConstraints.map(
      (constraint) => `${name}: unique (${constraint.columns.map((column) => column.name).join(", ")})`,
    ),
    ...indexes.map(({ config }) =>
      indexLine(name, config.name, {
        isUnique: config.unique,
        columns: config.columns.map((column) =>
          is(column, SQLiteColumn) ? column.name : textOf(column as SQL, name),
        ),
        where: config.where && textOf(config.where, name),
      }),
    ),
    ...checks.map(({ value }) => `${name}: check ${textOf(value, name)}`),
  ];
}

/** An expression as a migration would write it: without quotes and the table's name. */
function textOf(expression: SQL, table: string): string {
  const { sql, params } = dialect.sqlToQuery(expression);
  if (params.length > 0) throw new Error(`${table}: an expression with parameters`);
  return flat(sql.replaceAll(`"${table}".`, "").replaceAll('"', ""));
}

function literal(value: unknown): string {
  if (typeof value === "object") return literal(JSON.stringify(value));
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

// Lines --------------------------------------------------------------------------------------------------------------

function columnLine(
  table: string,
  column: string,
  {
    type,
    notNull,
    fallback,
    expression,
  }: { type: string; notNull: boolean; fallback: string | null; expression: string | null },
): string {
  const suffix = [
    notNull ? " not null" : "",
    fallback === null ? "" : ` default ${fallback}`,
    expression === null ? "" : ` generated as ${expression}`,
  ].join("");
  return `${table}.${column}: ${type.toLowerCase()}${suffix}`;
}

function foreignKeyLine(
  table: string,
  column: string,
  target: string,
  actions: { on_update: string; on_delete: string },
): string {
  const { on_update, on_delete } = actions;
  return `${table}.${column}: references ${target} on update ${on_update.toLowerCase()} on delete ${on_delete.toLowerCase()}`;
}

function indexLine(
  table: string,
  name: string,
  { isUnique, columns, where }: { isUnique: boolean; columns: string[]; where: string | undefined },
): string {
  const kind = isUnique ? "unique index" : "index";
  return `${table}: ${kind} ${name} (${columns.join(", ")})${where === undefined ? "" : ` where ${flat(where)}`}`;
}
