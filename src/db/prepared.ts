// Statements that drizzle builds once: making the SQL of a point read costs twenty times what running it does.

import type { Store, Tables } from "./store.ts";

/** Remembers what `build` makes for each open database; for statements with placeholders on roads that every request takes. */
export function prepared<Statement>(
  build: (tables: Tables) => Statement,
): (reader: Pick<Store, "tables">) => Statement {
  const known = new WeakMap<Tables, Statement>();
  return ({ tables }) => {
    let statement = known.get(tables);
    if (!statement) {
      statement = build(tables);
      known.set(tables, statement);
    }
    return statement;
  };
}
