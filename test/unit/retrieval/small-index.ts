// A database file with an index of a few hand-written documents, without model, chunker, threads or jobs.

import type { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { openReader } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { EMBEDDING_DIMENSION } from "../../../src/kernel/limits.ts";
import { PREVIEW_UNITS, TITLE_END } from "../../../src/retrieval/search/previews.ts";
import { insertChunk, insertVector } from "../../../src/retrieval/generations/rows.ts";
import { makeTempDir } from "../../helpers/start.ts";

export interface Paragraph {
  text: string;
  /** The title and the section path; empty if absent. */
  context?: string;
  /** One vector per window; see `unit`. */
  vectors?: Float32Array[];
}

export interface SmallDocument {
  id: string;
  title?: string;
  userId?: string;
  spaceId?: number;
  tags?: string[];
  /** Each becomes a chunk. The chunk of the document itself precedes them. */
  paragraphs: Paragraph[];
}

export interface SmallIndex {
  /** The data directory. */
  dir: string;
  /** A read-only handle, as the scan thread has it. */
  reader: Database;
  store: Store;
  /** Inserts a document of user `u` in space 1, unless stated otherwise. Returns the keys of its paragraphs' chunks. */
  add(document: SmallDocument): number[];
  /** Inserts a document that is not indexed yet, with its job. */
  addUnindexed(document: { id: string; title: string; content: string }): void;
  /** Makes a document's generation dead. */
  retire(documentId: string): void;
  close(): void;
}

/** A vector of unit length that starts with these numbers. */
export function unit(...values: number[]): Float32Array {
  const vector = new Float32Array(EMBEDDING_DIMENSION);
  vector.set(values);
  const norm = Math.hypot(...values);
  return vector.map((value) => value / norm);
}

export function openSmallIndex(): SmallIndex {
  const dir = makeTempDir();
  const store = openLocalStore(dir);
  store.sql.run("PRAGMA foreign_keys = OFF");
  const reader = openReader(databasePath(dir));
  let nextKey = 1;
  const insertDocument = (id: string, { title = "", userId = "u", tags = [] as string[], hash = "" }) =>
    store.sql
      .query(
        `INSERT INTO documents (id, user_id, title, status, tags, content_hash, source_type, source, metadata,
           revision, last_changed_at, created_at, updated_at)
         VALUES (?, ?, ?, 'published', ?, ?, 'manual', '{}', '{}', 0, 0, 0, 0)`,
      )
      .run(id, userId, title, JSON.stringify(tags), hash);
  return {
    dir,
    reader,
    store,
    add({ id, title = "", userId = "u", spaceId = 1, tags = [], paragraphs }) {
      const root = nextKey;
      nextKey += paragraphs.length + 1;
      return store.write(({ sql }) => {
        insertDocument(id, { title, userId, tags });
        const { lastInsertRowid } = sql
          .query(
            `INSERT INTO index_generations (document_id, user_id, revision, title, content_hash, space_id, state,
               first_chunk, chunk_count) VALUES (?, ?, 0, ?, '', ?, 'live', ?, ?)`,
          )
          .run(id, userId, title, spaceId, root, paragraphs.length + 1);
        const generationId = Number(lastInsertRowid);
        const content = paragraphs.map(({ text }) => text).join("\n\n");
        const common = {
          ...{ generationId, chunkIndex: 0, startIndex: 0, endIndex: 0 },
          ...{ headingText: null, sectionPath: [], wordCount: 0, line: 1 },
        };
        insertChunk(
          sql,
          {
            ...{ ...common, key: root, id: `${id}/0`, level: "document", parentKey: null },
            text: `${title}${TITLE_END}${content.slice(0, PREVIEW_UNITS)}`,
          },
          { context: title, isOnly: paragraphs.length === 0 },
        );
        return paragraphs.map(({ text, context = "", vectors = [] }, index) => {
          const key = root + 1 + index;
          const row = { ...common, key, id: `${id}/${index + 1}`, parentKey: root, text };
          insertChunk(sql, { ...row, level: "paragraph" }, { context });
          for (const vector of vectors) insertVector(sql, { generationId, chunkKey: key, vector });
          return key;
        });
      });
    },
    addUnindexed({ id, title, content }) {
      store.write(({ sql }) => {
        insertDocument(id, { title, hash: id });
        sql.query("INSERT INTO bodies (document_id, hash, text) VALUES (?, ?, ?)").run(id, id, content);
        sql
          .query(
            `INSERT INTO jobs (kind, subject, state, attempts, run_at, created_at, updated_at)
             VALUES ('document.index', ?, 'queued', 0, 0, 0, 0)`,
          )
          .run(id);
      });
    },
    retire(documentId) {
      store.sql.query("UPDATE index_generations SET state = 'dead' WHERE document_id = ?").run(documentId);
    },
    close() {
      reader.close();
      store.close();
      rmSync(dir, { recursive: true });
    },
  };
}
