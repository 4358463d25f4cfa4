// The table of labels on versions of prompts.

import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { prompts, promptVersions } from "./tables.ts";

/** A label is on one version of a prompt at a time. */
export const promptLabels = sqliteTable(
  "prompt_labels",
  {
    promptId: text("prompt_id")
      .notNull()
      .references(() => prompts.id, { onDelete: "cascade" }),
    label: text("label").notNull(),
    versionId: text("version_id")
      .notNull()
      .references(() => promptVersions.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.promptId, table.label] }),
    index("prompt_labels_by_version").on(table.versionId),
  ],
);
