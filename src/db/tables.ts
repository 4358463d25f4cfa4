// The tables of records, as the migrations create them: users, documents, prompts, collections and what belongs to
// them. A test compares this file, folder-table.ts, remote-tables.ts and index-tables.ts with a migrated database,
// constraints and indexes included.

import { desc, sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { tagColumn } from "./tag-column.ts";

const json = <Value>(name: string) => text(name, { mode: "json" }).$type<Value>();
/**
 * metadata.importPath, if it is a text: the file that a record was imported from. SQLite derives it from the metadata.
 */
const importPath = () =>
  text("import_path").generatedAlwaysAs(
    sql`CASE json_type(metadata, '$.importPath') WHEN 'text' THEN metadata ->> '$.importPath' END`,
    { mode: "virtual" },
  );

export const instance = sqliteTable("instance", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** Compared without regard to letter case (COLLATE NOCASE). */
    email: text("email").notNull().unique(),
    name: text("name"),
    createdAt: integer("created_at").notNull(),
    /** When the removal began. Such a user does not exist for callers; a job deletes the records. */
    removedAt: integer("removed_at"),
    /** Whether a command or a sign-in with an external provider created the user. */
    origin: text("origin").$type<"command" | "provider">().notNull().default("command"),
  },
  (table) => [check("origin", sql`${table.origin} IN ('command', 'provider')`)],
);

/** Who signs in with an external provider. */
export const externalIdentities = sqliteTable(
  "external_identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    linkedAt: integer("linked_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("external_identities_by_user").on(table.userId),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    publicId: text("public_id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    secretHash: text("secret_hash").notNull(),
    name: text("name"),
    scopes: json<string[]>("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("api_keys_by_user").on(table.userId)],
);

/** The result of the last fetch of a scraped document. */
export interface DocumentSource {
  contentHash?: string;
  lastCheckedAt?: number;
  lastChangedAt?: number;
  lastRefreshError?: { code: string; message: string; at: number };
}

export type DocumentStatus = "draft" | "published" | "archived" | "processing" | "completed" | "failed";

export const documents = sqliteTable(
  "documents",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    title: text("title").notNull(),
    status: text("status").$type<DocumentStatus>().notNull(),
    tags: tagColumn("tags").notNull(),
    contentHash: text("content_hash").notNull(),
    contentHtmlHash: text("content_html_hash"),
    rawHtmlHash: text("raw_html_hash"),
    sourceType: text("source_type").$type<"manual" | "scrape" | "import">().notNull(),
    sourceUrl: text("source_url"),
    source: json<DocumentSource>("source").notNull(),
    metadata: json<Record<string, unknown>>("metadata").notNull(),
    workspaceId: text("workspace_id"),
    revision: integer("revision").notNull(),
    lastChangedAt: integer("last_changed_at").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    importPath: importPath(),
  },
  (table) => [
    index("documents_by_user").on(table.userId, desc(table.createdAt), desc(table.id)),
    uniqueIndex("documents_by_import_path").on(table.userId, table.importPath),
  ],
);

/** The texts of documents and their versions, by content hash. */
export const bodies = sqliteTable(
  "bodies",
  {
    documentId: text("document_id")
      .notNull()
      .references(() => documents.id, { onDelete: "cascade" }),
    hash: text("hash").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.hash] })],
);

export const documentVersions = sqliteTable(
  "document_versions",
  {
    id: text("id").primaryKey(),
    documentId: text("document_id")
      .notNull()
      .references(() => documents.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    title: text("title").notNull(),
    contentHash: text("content_hash").notNull(),
    contentHtmlHash: text("content_html_hash"),
    rawHtmlHash: text("raw_html_hash"),
    sourceUrl: text("source_url"),
    metadata: json<Record<string, unknown>>("metadata"),
    tags: tagColumn("tags"),
    snapshotCompleteness: text("snapshot_completeness")
      .$type<"complete" | "synthetic" | "legacy_partial">()
      .notNull(),
    actorKind: text("actor_kind").$type<"session" | "machine" | "apiKey">(),
    actorName: text("actor_name"),
    agent: text("agent"),
    origin: text("origin"),
    changeLog: text("change_log"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [unique().on(table.documentId, table.version)],
);

/** How the page of a scraped document is fetched, and what the last successful fetch returned. */
export const documentFetches = sqliteTable("document_fetches", {
  documentId: text("document_id")
    .primaryKey()
    .references(() => documents.id, { onDelete: "cascade" }),
  /** False until the first fetch has succeeded, failed or been cancelled. */
  settled: integer("settled", { mode: "boolean" }).notNull(),
  onlyMainContent: integer("only_main_content", { mode: "boolean" }).notNull(),
  timeoutMs: integer("timeout_ms").notNull(),
  hasHeaders: integer("has_headers", { mode: "boolean" }).notNull(),
  actorKind: text("actor_kind").$type<"session" | "machine" | "apiKey">().notNull(),
  actorName: text("actor_name").notNull(),
  title: text("title").notNull(),
  finalUrl: text("final_url"),
  etag: text("etag"),
  lastModified: text("last_modified"),
});

export interface PromptVariable {
  name: string;
  type: "string" | "number" | "boolean";
  description?: string;
}

export const prompts = sqliteTable(
  "prompts",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    title: text("title").notNull(),
    description: text("description").notNull(),
    content: text("content").notNull(),
    tags: tagColumn("tags").notNull(),
    variables: json<PromptVariable[]>("variables").notNull(),
    parameters: json<Record<string, unknown>>("parameters").notNull(),
    metadata: json<Record<string, unknown>>("metadata").notNull().default({}),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    isArchived: integer("is_archived", { mode: "boolean" }).notNull(),
    currentVersion: integer("current_version").notNull(),
    views: integer("views").notNull(),
    copies: integer("copies").notNull(),
    workspaceId: text("workspace_id"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    importPath: importPath(),
  },
  (table) => [
    uniqueIndex("prompts_by_import_path").on(table.userId, table.importPath),
    index("prompts_by_user").on(table.userId, desc(table.createdAt), desc(table.id)),
    index("prompts_public").on(desc(table.createdAt), desc(table.id)).where(sql`${table.isPublic} = 1`),
  ],
);

export const promptVersions = sqliteTable(
  "prompt_versions",
  {
    id: text("id").primaryKey(),
    promptId: text("prompt_id")
      .notNull()
      .references(() => prompts.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    content: text("content").notNull(),
    variables: json<PromptVariable[]>("variables").notNull(),
    parameters: json<Record<string, unknown>>("parameters").notNull(),
    changeLog: text("change_log"),
    userName: text("user_name"),
    agent: text("agent"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [unique().on(table.promptId, table.version)],
);

export const collections = sqliteTable(
  "collections",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    description: text("description"),
    color: text("color"),
    icon: text("icon"),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    parentCollectionId: text("parent_collection_id").references((): AnySQLiteColumn => collections.id, {
      onDelete: "set null",
    }),
    tags: tagColumn("tags").notNull(),
    workspaceId: text("workspace_id"),
    lastActivityAt: integer("last_activity_at").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    index("collections_by_user").on(table.userId, desc(table.createdAt), desc(table.id)),
    index("collections_by_parent").on(table.parentCollectionId),
  ],
);

export const collectionItems = sqliteTable(
  "collection_items",
  {
    id: text("id").primaryKey(),
    collectionId: text("collection_id")
      .notNull()
      .references(() => collections.id, { onDelete: "cascade" }),
    documentId: text("document_id").references(() => documents.id, { onDelete: "cascade" }),
    promptId: text("prompt_id").references(() => prompts.id, { onDelete: "cascade" }),
    addedBy: text("added_by").references(() => users.id, { onDelete: "set null" }),
    addedAt: integer("added_at").notNull(),
  },
  (table) => [
    check("document_or_prompt", sql`(${table.documentId} IS NULL) <> (${table.promptId} IS NULL)`),
    unique().on(table.collectionId, table.documentId),
    unique().on(table.collectionId, table.promptId),
    index("collection_items_of_document").on(table.documentId),
    index("collection_items_of_prompt").on(table.promptId),
  ],
);

export const documentCoordination = sqliteTable(
  "document_coordination",
  {
    documentId: text("document_id")
      .primaryKey()
      .references(() => documents.id, { onDelete: "cascade" }),
    policy: text("policy").$type<"standard" | "lease_required">().notNull(),
    fence: integer("fence").notNull(),
    leaseId: text("lease_id"),
    leaseCredential: text("lease_credential"),
    leaseExpiresAt: integer("lease_expires_at"),
    leaseTtlMs: integer("lease_ttl_ms"),
  },
  (table) => [check("policy", sql`${table.policy} IN ('standard', 'lease_required')`)],
);

export const idempotencyReceipts = sqliteTable(
  "idempotency_receipts",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    status: integer("status").notNull(),
    headers: json<Record<string, string>>("headers").notNull(),
    body: text("body").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.operation, table.key] }),
    index("idempotency_receipts_by_age").on(table.createdAt),
  ],
);

export const searchSessions = sqliteTable(
  "search_sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("search_sessions_by_expiry").on(table.expiresAt)],
);

export const searchSessionChunks = sqliteTable(
  "search_session_chunks",
  {
    sessionId: text("session_id")
      .notNull()
      .references(() => searchSessions.id, { onDelete: "cascade" }),
    chunkId: text("chunk_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.chunkId] })],
);
