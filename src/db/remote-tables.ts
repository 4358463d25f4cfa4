// The tables of other servers: their addresses, which record there is which record here, and the members of
// collections.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { users } from "./tables.ts";

/** The other servers that `ctxrepo remote` manages. Only commands on the machine of the server write these tables. */
export const remotes = sqliteTable(
  "remotes",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    url: text("url").notNull(),
    addedAt: integer("added_at").notNull(),
    /** The end of the last run; null before the first one has ended. */
    syncedAt: integer("synced_at"),
    result: text("result", { mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [unique().on(table.userId, table.name)],
);

/** Pairs of records. One of the two ids is null while the record is being created there. */
export const remoteLinks = sqliteTable(
  "remote_links",
  {
    id: integer("id").primaryKey(),
    remoteId: text("remote_id")
      .notNull()
      .references(() => remotes.id, { onDelete: "cascade" }),
    kind: text("kind").$type<"document" | "prompt" | "collection">().notNull(),
    ownId: text("own_id"),
    otherId: text("other_id"),
    /** Digests of what a list shows of the record; null if it has to be read. */
    ownStamp: text("own_stamp"),
    otherStamp: text("other_stamp"),
    ownRevision: integer("own_revision"),
    otherRevision: integer("other_revision"),
    /** The fields when both were last equal: short values, and digests of long ones. */
    base: text("base", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Why the two differ, until that is decided. */
    conflict: text("conflict", { mode: "json" }).$type<Record<string, unknown>>(),
    /** The side on which the record was deleted. */
    gone: text("gone").$type<"own" | "other">(),
  },
  (table) => [
    check("kind", sql`${table.kind} IN ('document', 'prompt', 'collection')`),
    check("gone", sql`${table.gone} IN ('own', 'other')`),
    unique().on(table.remoteId, table.ownId),
    unique().on(table.remoteId, table.otherId),
    index("remote_conflicts").on(table.remoteId).where(sql`${table.conflict} IS NOT NULL`),
  ],
);

/** The members of a collection when both sides were last equal. */
export const remoteMembers = sqliteTable(
  "remote_members",
  {
    collection: integer("collection")
      .notNull()
      .references(() => remoteLinks.id, { onDelete: "cascade" }),
    member: integer("member")
      .notNull()
      .references(() => remoteLinks.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.collection, table.member] }),
    index("remote_members_of").on(table.member),
  ],
);
