// A data directory with a given number of chunks, ten per document. The program's own functions write the rows; only
// the embedding is replaced.

import { openLocalStore } from "../../src/app.ts";
import { ensureUser, LOCAL_OWNER } from "../../src/auth/users.ts";
import type { Store, Write } from "../../src/db/store.ts";
import { createDocument } from "../../src/features/documents/create.ts";
import {
  beginGeneration,
  ensureSpace,
  publishGeneration,
} from "../../src/retrieval/generations/generations.ts";
import { PREVIEW_UNITS, TITLE_END } from "../../src/retrieval/search/previews.ts";
import { insertChunk, insertVector } from "../../src/retrieval/generations/rows.ts";
import type { Bench } from "./bench.ts";
import { createVectorSeries, type RealVectors, realVectors } from "./vectors.ts";

const CHUNKS_A_DOCUMENT = 10;
const DOCUMENTS_A_WRITE = 50;
const CHUNK_CHARACTERS = 500;
/** An invented word that is in three chunks of every database. */
export const RARE_WORD = "quxolathe";

export interface FilledDatabase {
  dataDir: string;
  userId: string;
  spaceId: number;
}

/** Fills a database with `chunks` embedded chunks, once per run and number. 100,000 chunks take about half a minute. */
export function filledDatabase(bench: Bench, chunks: number): Promise<FilledDatabase> {
  return bench.once(`filled database of ${chunks}`, async () => {
    const real = await realVectors(bench);
    bench.note(`filling a database with ${chunks} chunks`);
    const dataDir = bench.folder();
    const store = openLocalStore(dataDir);
    const places = store.write((write) => ({
      userId: ensureUser(write, LOCAL_OWNER).id,
      spaceId: ensureSpace(write, real.model).id,
    }));
    fill(store, real, { ...places, chunks });
    store.close();
    return { dataDir, ...places };
  });
}

interface Places {
  userId: string;
  spaceId: number;
}

function fill(store: Store, real: RealVectors, { chunks, ...places }: Places & { chunks: number }): void {
  // Only the resulting file matters.
  store.sql.run("PRAGMA synchronous = OFF");
  store.sql.run("PRAGMA cache_size = -262144");
  const vectorAt = createVectorSeries(
    real.passages.map(({ vector }) => vector),
    real.model.dimension,
  );
  const rareChunks = new Set([1, 3, 5].map((sixth) => Math.floor((sixth * chunks) / 6)));
  const documents = Math.floor(chunks / CHUNKS_A_DOCUMENT);
  for (let from = 0; from < documents; from += DOCUMENTS_A_WRITE) {
    store.write((write) => {
      for (let document = from; document < Math.min(documents, from + DOCUMENTS_A_WRITE); document++) {
        const first = document * CHUNKS_A_DOCUMENT;
        const numbers = Array.from({ length: CHUNKS_A_DOCUMENT }, (_, index) => first + index);
        const texts = numbers.map((number) => textAt(real, number, rareChunks.has(number)));
        const title = `Document ${document}`;
        writeDocument(write, places, { title, texts, vectors: numbers.map(vectorAt) });
      }
      // Everything is indexed: a server that starts with this file has nothing to do.
      write.sql.run("DELETE FROM jobs");
    });
  }
}

/** A part of a real text; copies of a text start at different positions. */
function textAt({ passages }: RealVectors, number: number, isRare: boolean): string {
  const { text } = passages[number % passages.length]!;
  const round = Math.floor(number / passages.length);
  const start = (round * 37) % Math.max(1, text.length - CHUNK_CHARACTERS);
  const stretch = text.slice(start, start + CHUNK_CHARACTERS).replace(/\s+/g, " ");
  return `${isRare ? RARE_WORD : `Part ${number}`} ${stretch}`;
}

interface Paragraphs {
  title: string;
  texts: readonly string[];
  /** One for each text. */
  vectors: readonly Float32Array[];
}

/** Writes a document of plain paragraphs with its live generation. */
function writeDocument(
  write: Write,
  { userId, spaceId }: Places,
  { title, texts, vectors }: Paragraphs,
): void {
  const content = texts.join("\n\n");
  const owner = {
    kind: "apiKey",
    userId,
    email: LOCAL_OWNER,
    name: null,
    scopes: [],
    credentialId: "",
  } as const;
  const { id, revision, contentHash } = createDocument(write, owner, { title, content });
  const chunkCount = texts.length + 1;
  const source = {
    documentId: id,
    userId,
    revision,
    title,
    contentHash,
    labelsHash: "",
    spaceId,
    chunkCount,
  };
  const generation = beginGeneration(write, source);
  const root = generation.firstChunk;
  const common = { generationId: generation.id, headingText: null, sectionPath: [], line: 1 };
  const whole = {
    level: "document",
    parentKey: null,
    chunkIndex: 0,
    startIndex: 0,
    endIndex: content.length,
  } as const;
  const preview = `${title}${TITLE_END}${content.slice(0, PREVIEW_UNITS)}`;
  insertChunk(
    write.sql,
    { ...common, ...whole, key: root, id: write.newId(), wordCount: 0, text: preview },
    { context: title },
  );
  let startIndex = 0;
  for (const [chunkIndex, text] of texts.entries()) {
    const key = root + 1 + chunkIndex;
    const endIndex = startIndex + text.length;
    const span = { level: "paragraph", parentKey: root, chunkIndex, startIndex, endIndex } as const;
    insertChunk(
      write.sql,
      { ...common, ...span, key, id: write.newId(), wordCount: 80, text },
      { context: title },
    );
    insertVector(write.sql, { generationId: generation.id, chunkKey: key, vector: vectors[chunkIndex]! });
    startIndex = endIndex + 2;
  }
  publishGeneration(write, generation);
}
