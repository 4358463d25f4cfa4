// The tables of background jobs and of the search index, as the migrations create them. The index can be rebuilt from
// the records in tables.ts. Only db/, jobs/ and retrieval/ write these tables; they use SQL.

import { sql } from "drizzle-orm";
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { prompts } from "./tables.ts";

export const jobs = sqliteTable(
  "jobs",
  {
    id: integer("id").primaryKey(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    state: text("state").$type<"queued" | "running" | "failed">().notNull(),
    attempts: integer("attempts").notNull(),
    runAt: integer("run_at").notNull(),
    error: text("error"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    crashes: integer("crashes").notNull().default(0),
    priority: integer("priority").notNull().default(0),
    userId: text("user_id").notNull().default("-"),
  },
  (table) => [
    check("state", sql`${table.state} IN ('queued', 'running', 'failed')`),
    uniqueIndex("jobs_waiting").on(table.kind, table.subject).where(sql`${table.state} = 'queued'`),
    index("jobs_by_state").on(table.state, table.runAt),
    index("jobs_suspected")
      .on(table.runAt, table.id)
      .where(sql`${table.state} = 'queued' AND ${table.crashes} > 0`),
    index("jobs_due")
      .on(table.kind, table.priority, table.userId, table.runAt, table.id)
      .where(sql`${table.state} = 'queued'`),
    index("jobs_of_user").on(table.userId, table.kind).where(sql`${table.state} <> 'failed'`),
  ],
);

/** One embedding model. Vectors of different spaces cannot be compared. */
export const embeddingSpaces = sqliteTable("embedding_spaces", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  revision: text("revision").notNull().unique(),
  dimension: integer("dimension").notNull(),
  directory: text("directory").notNull(),
});

/**
 * One indexing pass over one revision of one document. `documentId` has no foreign key: dead generations are deleted
 * after their document.
 */
export const indexGenerations = sqliteTable(
  "index_generations",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    documentId: text("document_id").notNull(),
    userId: text("user_id").notNull(),
    revision: integer("revision").notNull(),
    title: text("title").notNull(),
    contentHash: text("content_hash").notNull(),
    labelsHash: text("labels_hash").notNull().default(""),
    spaceId: integer("space_id")
      .notNull()
      .references(() => embeddingSpaces.id),
    state: text("state").$type<"building" | "live" | "dead">().notNull(),
    firstChunk: integer("first_chunk").notNull(),
    chunkCount: integer("chunk_count").notNull(),
    format: integer("format").notNull().default(0),
  },
  (table) => [
    check("state", sql`${table.state} IN ('building', 'live', 'dead')`),
    uniqueIndex("generations_live").on(table.documentId).where(sql`${table.state} = 'live'`),
    index("generations_by_user").on(table.userId, table.documentId).where(sql`${table.state} = 'live'`),
    index("generations_unswept").on(table.id).where(sql`${table.state} <> 'live'`),
  ],
);

/** The latest changes of the set of live generations, in order. Triggers write it. */
export const indexChanges = sqliteTable("index_changes", {
  number: integer("number").primaryKey(),
  generationId: integer("generation_id").notNull(),
});

/** One row: the next chunk key. Keys are never used twice. */
export const chunkKeys = sqliteTable("chunk_keys", { next: integer("next").notNull() });

export const chunks = sqliteTable(
  "chunks",
  {
    key: integer("key").primaryKey(),
    id: text("id").notNull().unique(),
    generationId: integer("generation_id").notNull(),
    level: text("level").$type<"document" | "section" | "paragraph">().notNull(),
    parentKey: integer("parent_key"),
    chunkIndex: integer("chunk_index").notNull(),
    startIndex: integer("start_index").notNull(),
    endIndex: integer("end_index").notNull(),
    headingText: text("heading_text"),
    sectionPath: text("section_path", { mode: "json" }).$type<string[]>().notNull(),
    wordCount: integer("word_count").notNull(),
    text: text("text").notNull(),
    line: integer("line"),
  },
  (table) => [
    check("level", sql`${table.level} IN ('document', 'section', 'paragraph')`),
    index("chunks_by_parent").on(table.parentKey, table.chunkIndex),
  ],
);

/** float32[1536], little-endian, unit length. */
export const chunkVectors = sqliteTable("chunk_vectors", {
  key: integer("key").primaryKey(),
  embedding: blob("embedding", { mode: "buffer" }).notNull(),
});

/** The sign bits of the vectors, bit[1536], clustered by generation. */
export const chunkBits = sqliteTable(
  "chunk_bits",
  {
    generationId: integer("generation_id").notNull(),
    vectorKey: integer("vector_key").notNull(),
    chunkKey: integer("chunk_key").notNull(),
    bits: blob("bits", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.generationId, table.vectorKey] })],
);

/** One vector per prompt, of the text whose hash is `textHash`. */
export const promptVectors = sqliteTable(
  "prompt_vectors",
  {
    promptId: text("prompt_id")
      .primaryKey()
      .references(() => prompts.id, { onDelete: "cascade" }),
    spaceId: integer("space_id")
      .notNull()
      .references(() => embeddingSpaces.id),
    textHash: text("text_hash").notNull(),
    bits: blob("bits", { mode: "buffer" }).notNull(),
    embedding: blob("embedding", { mode: "buffer" }).notNull(),
  },
  (table) => [index("prompt_vectors_by_space").on(table.spaceId)],
);
