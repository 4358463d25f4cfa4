// The tables of the trash.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./tables.ts";

/** Records that were deleted in the console. */
export const trash = sqliteTable(
  "trash",
  {
    recordId: text("record_id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    type: text("type").$type<"document" | "prompt">().notNull(),
    title: text("title").notNull(),
    deletedAt: integer("deleted_at").notNull(),
  },
  (table) => [
    check("type", sql`${table.type} IN ('document', 'prompt')`),
    index("trash_by_user").on(table.userId, table.deletedAt),
    index("trash_by_age").on(table.deletedAt),
  ],
);

/** The rows that such a record had in other tables; `row` is a JSON object of the columns. */
export const trashRows = sqliteTable(
  "trash_rows",
  {
    recordId: text("record_id")
      .notNull()
      .references(() => trash.recordId, { onDelete: "cascade" }),
    tableName: text("table_name").notNull(),
    row: text("row").notNull(),
  },
  (table) => [index("trash_rows_by_record").on(table.recordId)],
);
