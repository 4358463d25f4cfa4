// Tells whether anything in the database has changed, for caches of results.

import { preparedSql } from "../../db/prepared.ts";
import type { Store } from "../../db/store.ts";

// data_version changes with each commit of another handle, in this process or not; total_changes() with each row that
// this handle changes. Both are counters in memory.
const version = preparedSql<{ version: string }, []>(
  "SELECT data_version || ' ' || total_changes() AS version FROM pragma_data_version",
);

/** A text that differs after every commit that changed a row. Takes some microseconds. */
export function contentVersion(reader: Pick<Store, "sql">): string {
  return version(reader).get()!.version;
}
