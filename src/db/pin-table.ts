// The table of pinned records.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { collections, documents, prompts, users } from "./tables.ts";

/** A record that a user has pinned; one of the three ids is set, and is `recordId`. */
export const pins = sqliteTable(
  "pins",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    recordId: text("record_id").notNull(),
    documentId: text("document_id").references(() => documents.id, { onDelete: "cascade" }),
    promptId: text("prompt_id").references(() => prompts.id, { onDelete: "cascade" }),
    collectionId: text("collection_id").references(() => collections.id, { onDelete: "cascade" }),
    pinnedAt: integer("pinned_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.recordId] }),
    check(
      "record",
      sql`${table.recordId} = coalesce(${table.documentId}, ${table.promptId}, ${table.collectionId})
    AND (${table.documentId} IS NOT NULL) + (${table.promptId} IS NOT NULL) + (${table.collectionId} IS NOT NULL) = 1`,
    ),
    index("pins_of_document").on(table.documentId),
    index("pins_of_prompt").on(table.promptId),
    index("pins_of_collection").on(table.collectionId),
  ],
);
