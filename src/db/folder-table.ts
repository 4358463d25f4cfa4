// The table of remembered folders.

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./tables.ts";

/** How the files of a remembered folder are imported. */
export interface FolderOptions {
  collection?: string;
  tags: string[];
  /** Only files of these types; all if empty. */
  kinds: string[];
  /** Patterns as in a .gitignore: what they match is left out. */
  exclude: string[];
}

/** The folders that `ctxrepo import` repeats. Only commands on the machine of the server write them. */
export const folders = sqliteTable(
  "folders",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The real path. */
    path: text("path").notNull(),
    options: text("options", { mode: "json" }).$type<FolderOptions>().notNull(),
    addedAt: integer("added_at").notNull(),
    /** The end of the last import; null before the first one has ended. */
    importedAt: integer("imported_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.path] })],
);
