// Statements that are prepared once per open database. drizzle takes fifteen times as long to build the SQL of a point
// read as SQLite takes to run it, and `query` of bun:sqlite caches only twenty statements per handle.

import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { Store, Tables } from "./store.ts";

/** Calls `build` once per handle and caches the result. */
function memoized<Handle extends object, Value>(build: (handle: Handle) => Value): (handle: Handle) => Value {
  const built = new WeakMap<Handle, Value>();
  return (handle) => {
    let value = built.get(handle);
    if (value === undefined) {
      value = build(handle);
      built.set(handle, value);
    }
    return value;
  };
}

/** A drizzle statement with placeholders, built and prepared on first use. For reads that every request makes. */
export function prepared<Query>(build: (tables: Tables) => Query): (reader: Pick<Store, "tables">) => Query {
  const statementOf = memoized(build);
  return ({ tables }) => statementOf(tables);
}

/**
 * The same for SQL text. All callers share the statement, so use `get`, `all` and `run` only: the next caller would
 * reset an `iterate` that has not finished.
 */
export function preparedSql<Row, Parameters extends SQLQueryBindings[]>(
  text: string,
): (reader: Pick<Store, "sql">) => ReturnType<typeof Database.prototype.query<Row, Parameters>> {
  const statementOf = memoized((database: Database) => database.prepare<Row, Parameters>(text));
  return ({ sql }) => statementOf(sql);
}
