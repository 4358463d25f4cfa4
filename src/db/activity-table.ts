// The table of what agents have read, searched, asked and deleted.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { documents, prompts, users } from "./tables.ts";

export const activity = sqliteTable(
  "activity",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    agent: text("agent"),
    kind: text("kind").$type<"read" | "search" | "question" | "delete">().notNull(),
    documentId: text("document_id").references(() => documents.id, { onDelete: "cascade" }),
    promptId: text("prompt_id").references(() => prompts.id, { onDelete: "cascade" }),
    text: text("text"),
    /** The number of results of a search, or of the parts of a question that were not answered. */
    count: integer("count"),
    times: integer("times").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [
    check("kind", sql`${table.kind} IN ('read', 'search', 'question', 'delete')`),
    index("activity_by_user").on(table.userId, table.id),
    index("activity_by_age").on(table.at),
    index("activity_of_document").on(table.documentId),
    index("activity_of_prompt").on(table.promptId),
  ],
);
