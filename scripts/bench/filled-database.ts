// A data directory with as many chunks as are asked for, ten to a document, its rows written by the program's own functions;
// only the model's time is saved. And the same vectors in a vec0 table in a second file, for the exact scan.

import type { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openLocalStore } from "../../src/app.ts";
import { nativeFile } from "../../src/assets.ts";
import { ensureUser, LOCAL_OWNER } from "../../src/auth/users.ts";
import { databasePath, openDatabase, openReader } from "../../src/db/open.ts";
import type { Write } from "../../src/db/store.ts";
import { createDocument } from "../../src/features/documents/create.ts";
import { beginGeneration, ensureSpace, publishGeneration } from "../../src/retrieval/generations.ts";
import { PREVIEW_UNITS, TITLE_END } from "../../src/retrieval/literal.ts";
import { insertChunk, insertVector } from "../../src/retrieval/rows.ts";
import type { Bench } from "./bench.ts";
import { createVectorSeries, type RealVectors, realVectors } from "./vectors.ts";

const CHUNKS_A_DOCUMENT = 10;
const DOCUMENTS_A_WRITE = 50;
const CHUNK_CHARACTERS = 500;
/** A word of no language, in three chunks of every database. */
export const RARE_WORD = "quxolathe";

export interface FilledDatabase {
  dataDir: string;
  userId: string;
  spaceId: number;
  /** Opens the program's file as its scan thread does. */
  openReader(): Database;
  /** Opens the file whose table `vectors` (vec0, cosine) has the chunks' keys as rowids. */
  openExact(): Database;
}

/** Fills a database with `chunks` embedded chunks; once in a run for each number. 100,000 take about half a minute. */
export function filledDatabase(bench: Bench, chunks: number): Promise<FilledDatabase> {
  return bench.once(`filled database of ${chunks}`, async () => {
    const real = await realVectors(bench);
    bench.note(`filling a database with ${chunks} chunks`);
    const folder = bench.folder();
    const dataDir = join(folder, "data");
    const exactDir = join(folder, "exact");
    mkdirSync(exactDir);
    const { userId, spaceId } = fill(dataDir, exactDir, real, chunks);
    const open = (directory: string) => {
      const database = openReader(databasePath(directory));
      database.loadExtension(nativeFile("vec0"));
      return database;
    };
    return { dataDir, userId, spaceId, openReader: () => open(dataDir), openExact: () => open(exactDir) };
  });
}

function fill(dataDir: string, exactDir: string, real: RealVectors, chunks: number) {
  const store = openLocalStore(dataDir);
  const exact = openDatabase(exactDir);
  // The file is what counts here, not how it came to be.
  for (const database of [store.sql, exact]) {
    database.run("PRAGMA synchronous = OFF");
    database.run("PRAGMA cache_size = -262144");
  }
  exact.loadExtension(nativeFile("vec0"));
  exact.run("CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[1536] distance_metric=cosine)");
  const insertExact = exact.query("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");

  const vectorAt = createVectorSeries(
    real.passages.map(({ vector }) => vector),
    real.model.dimension,
  );
  const { userId, spaceId } = store.write((write) => ({
    userId: ensureUser(write, LOCAL_OWNER).id,
    spaceId: ensureSpace(write, real.model).id,
  }));
  const rareChunks = new Set([1, 3, 5].map((sixth) => Math.floor((sixth * chunks) / 6)));
  const documents = Math.floor(chunks / CHUNKS_A_DOCUMENT);
  for (let from = 0; from < documents; from += DOCUMENTS_A_WRITE) {
    store.write((write) => {
      const writeExact = exact.transaction(() => {
        for (let document = from; document < Math.min(documents, from + DOCUMENTS_A_WRITE); document++) {
          const first = document * CHUNKS_A_DOCUMENT;
          const numbers = Array.from({ length: CHUNKS_A_DOCUMENT }, (_, index) => first + index);
          const texts = numbers.map((number) => textAt(real, number, rareChunks.has(number)));
          const vectors = numbers.map(vectorAt);
          const keys = writeDocument(write, userId, spaceId, `Document ${document}`, texts, vectors);
          for (const [index, key] of keys.entries()) insertExact.run(key, bytesOf(vectors[index]!));
        }
      });
      writeExact();
      // Everything is indexed already: a server that starts on this file has nothing to do.
      write.sql.run("DELETE FROM jobs");
    });
  }
  store.close();
  exact.run("PRAGMA wal_checkpoint(TRUNCATE)");
  exact.close();
  return { userId, spaceId };
}

/** A stretch of a real text; copies of a text begin at different places. */
function textAt({ passages }: RealVectors, number: number, isRare: boolean): string {
  const { text } = passages[number % passages.length]!;
  const round = Math.floor(number / passages.length);
  const start = (round * 37) % Math.max(1, text.length - CHUNK_CHARACTERS);
  const stretch = text.slice(start, start + CHUNK_CHARACTERS).replace(/\s+/g, " ");
  return `${isRare ? RARE_WORD : `Part ${number}`} ${stretch}`;
}

/** Writes a document and its live generation; answers the keys of its paragraphs. */
function writeDocument(
  write: Write,
  userId: string,
  spaceId: number,
  title: string,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): number[] {
  const content = texts.join("\n\n");
  const owner = { kind: "apiKey", userId, email: LOCAL_OWNER, name: null, scopes: [], credentialId: "" } as const;
  const { id, revision, contentHash } = createDocument(write, owner, { title, content });
  const source = { documentId: id, userId, revision, title, contentHash };
  const generation = beginGeneration(write, source, spaceId, texts.length + 1);
  const root = generation.firstChunk;
  const place = { generationId: generation.id, headingText: null, sectionPath: [] };
  const preview = `${title}${TITLE_END}${content.slice(0, PREVIEW_UNITS)}`;
  const whole = { level: "document", parentKey: null, chunkIndex: 0, startIndex: 0, endIndex: content.length } as const;
  insertChunk(
    write.sql,
    { ...place, ...whole, key: root, id: write.newId(), wordCount: 0, text: preview },
    title,
  );
  let start = 0;
  return texts.map((text, index) => {
    const key = root + 1 + index;
    const endIndex = start + text.length;
    const span = { level: "paragraph", parentKey: root, chunkIndex: index, startIndex: start, endIndex } as const;
    insertChunk(write.sql, { ...place, ...span, key, id: write.newId(), wordCount: 80, text }, title);
    insertVector(write.sql, generation.id, key, vectors[index]!);
    start = endIndex + 2;
    if (index === texts.length - 1) publishGeneration(write, generation);
    return key;
  });
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
