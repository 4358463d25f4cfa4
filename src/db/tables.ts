// The tables that are spoken to through drizzle; migrations/ holds all of them. Vectors, full-text tables and sessions are
// spoken to in SQL.

import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const json = <Value>(name: string) => text(name, { mode: "json" }).$type<Value>();

export const instance = sqliteTable("instance", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  email: text("email").notNull(),
  name: text("name"),
  createdAt: integer("created_at").notNull(),
});

export const apiKeys = sqliteTable("api_keys", {
  publicId: text("public_id").primaryKey(),
  userId: text("user_id").notNull(),
  secretHash: text("secret_hash").notNull(),
  name: text("name"),
  scopes: json<string[]>("scopes").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
});

/** What a fetch left behind; every member optional. */
export interface DocumentSource {
  contentHash?: string;
  lastCheckedAt?: number;
  lastChangedAt?: number;
  lastRefreshError?: { code: string; message: string; at: number };
}

export type DocumentStatus = "draft" | "published" | "archived" | "processing" | "completed" | "failed";

export const documents = sqliteTable("documents", {
  id: text("id").primaryKey(),
  userId: text("user_id").notNull(),
  title: text("title").notNull(),
  status: text("status").$type<DocumentStatus>().notNull(),
  tags: json<string[]>("tags").notNull(),
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
});

export const bodies = sqliteTable("bodies", {
  documentId: text("document_id").notNull(),
  hash: text("hash").notNull(),
  text: text("text").notNull(),
});

export const documentVersions = sqliteTable("document_versions", {
  id: text("id").primaryKey(),
  documentId: text("document_id").notNull(),
  version: integer("version").notNull(),
  title: text("title").notNull(),
  contentHash: text("content_hash").notNull(),
  contentHtmlHash: text("content_html_hash"),
  rawHtmlHash: text("raw_html_hash"),
  sourceUrl: text("source_url"),
  metadata: json<Record<string, unknown>>("metadata"),
  tags: json<string[]>("tags"),
  snapshotCompleteness: text("snapshot_completeness")
    .$type<"complete" | "synthetic" | "legacy_partial">()
    .notNull(),
  actorKind: text("actor_kind").$type<"session" | "machine" | "apiKey">(),
  actorName: text("actor_name"),
  origin: text("origin"),
  changeLog: text("change_log"),
  createdAt: integer("created_at").notNull(),
});

export const jobs = sqliteTable("jobs", {
  id: integer("id").primaryKey(),
  kind: text("kind").notNull(),
  subject: text("subject").notNull(),
  state: text("state").$type<"queued" | "running" | "failed">().notNull(),
  attempts: integer("attempts").notNull(),
  runAt: integer("run_at").notNull(),
  error: text("error"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const embeddingSpaces = sqliteTable("embedding_spaces", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  revision: text("revision").notNull(),
  dimension: integer("dimension").notNull(),
  directory: text("directory").notNull(),
});

export const indexGenerations = sqliteTable("index_generations", {
  id: integer("id").primaryKey(),
  documentId: text("document_id").notNull(),
  userId: text("user_id").notNull(),
  revision: integer("revision").notNull(),
  title: text("title").notNull(),
  contentHash: text("content_hash").notNull(),
  spaceId: integer("space_id").notNull(),
  state: text("state").$type<"building" | "live" | "dead">().notNull(),
  firstChunk: integer("first_chunk").notNull(),
  chunkCount: integer("chunk_count").notNull(),
});

export const chunks = sqliteTable("chunks", {
  key: integer("key").primaryKey(),
  id: text("id").notNull(),
  generationId: integer("generation_id").notNull(),
  level: text("level").$type<"document" | "section" | "paragraph">().notNull(),
  parentKey: integer("parent_key"),
  chunkIndex: integer("chunk_index").notNull(),
  startIndex: integer("start_index").notNull(),
  endIndex: integer("end_index").notNull(),
  headingText: text("heading_text"),
  sectionPath: json<string[]>("section_path").notNull(),
  wordCount: integer("word_count").notNull(),
  text: text("text").notNull(),
});

export const documentFetches = sqliteTable("document_fetches", {
  documentId: text("document_id").primaryKey(),
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

export const prompts = sqliteTable("prompts", {
  id: text("id").primaryKey(),
  userId: text("user_id").notNull(),
  title: text("title").notNull(),
  description: text("description").notNull(),
  content: text("content").notNull(),
  tags: json<string[]>("tags").notNull(),
  variables: json<PromptVariable[]>("variables").notNull(),
  parameters: json<Record<string, unknown>>("parameters").notNull(),
  isPublic: integer("is_public", { mode: "boolean" }).notNull(),
  isArchived: integer("is_archived", { mode: "boolean" }).notNull(),
  currentVersion: integer("current_version").notNull(),
  views: integer("views").notNull(),
  copies: integer("copies").notNull(),
  workspaceId: text("workspace_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const promptVersions = sqliteTable("prompt_versions", {
  id: text("id").primaryKey(),
  promptId: text("prompt_id").notNull(),
  version: integer("version").notNull(),
  content: text("content").notNull(),
  variables: json<PromptVariable[]>("variables").notNull(),
  parameters: json<Record<string, unknown>>("parameters").notNull(),
  changeLog: text("change_log"),
  userName: text("user_name"),
  createdAt: integer("created_at").notNull(),
});

export const promptVectors = sqliteTable("prompt_vectors", {
  promptId: text("prompt_id").primaryKey(),
  spaceId: integer("space_id").notNull(),
  textHash: text("text_hash").notNull(),
  bits: blob("bits", { mode: "buffer" }).notNull(),
  embedding: blob("embedding", { mode: "buffer" }).notNull(),
});

export const collections = sqliteTable("collections", {
  id: text("id").primaryKey(),
  userId: text("user_id").notNull(),
  name: text("name").notNull(),
  description: text("description"),
  color: text("color"),
  icon: text("icon"),
  isPublic: integer("is_public", { mode: "boolean" }).notNull(),
  parentCollectionId: text("parent_collection_id"),
  tags: json<string[]>("tags").notNull(),
  workspaceId: text("workspace_id"),
  lastActivityAt: integer("last_activity_at").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const collectionItems = sqliteTable("collection_items", {
  id: text("id").primaryKey(),
  collectionId: text("collection_id").notNull(),
  documentId: text("document_id"),
  promptId: text("prompt_id"),
  addedBy: text("added_by"),
  addedAt: integer("added_at").notNull(),
});

export const documentCoordination = sqliteTable("document_coordination", {
  documentId: text("document_id").primaryKey(),
  policy: text("policy").$type<"standard" | "lease_required">().notNull(),
  fence: integer("fence").notNull(),
  leaseId: text("lease_id"),
  leaseCredential: text("lease_credential"),
  leaseExpiresAt: integer("lease_expires_at"),
  leaseTtlMs: integer("lease_ttl_ms"),
});
