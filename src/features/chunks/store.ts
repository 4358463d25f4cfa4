// Reads chunks of live generations with their position in the tree. src/retrieval/ writes the rows.

import { and, asc, between, count, eq, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { chunks, indexGenerations } from "../../db/index-tables.ts";
import { prepared } from "../../db/prepared.ts";
import type { TableReader, Tables } from "../../db/store.ts";
import { bodies, type DocumentStatus, documents } from "../../db/tables.ts";

export interface LocatedChunk {
  key: number;
  id: string;
  parentKey: number | null;
  userId: string;
  documentId: string;
  documentTitle: string;
  documentStatus: DocumentStatus;
  /** The hash of the text that the chunk is a part of, which may be older than the document's current text. */
  contentHash: string;
  level: "document" | "section" | "paragraph";
  chunkIndex: number;
  startIndex: number;
  endIndex: number;
  wordCount: number;
  headingText: string | null;
  sectionPath: string[];
  parentId: string | null;
  previousId: string | null;
  nextId: string | null;
  /** What search matches: a whole paragraph, a section's heading lines, a document's title and first 4 kB. */
  text: string;
}

/** Rows that a generator reads at a time: its consumer usually stops early. */
const BATCH = 32;

const parent = alias(chunks, "parent");
const previous = alias(chunks, "previous");
const next = alias(chunks, "next");
const isSearched = and(eq(indexGenerations.id, chunks.generationId), eq(indexGenerations.state, "live"));

const selectLocated = (tables: Tables) =>
  tables
    .select({
      key: chunks.key,
      id: chunks.id,
      parentKey: chunks.parentKey,
      userId: indexGenerations.userId,
      documentId: indexGenerations.documentId,
      documentTitle: documents.title,
      documentStatus: documents.status,
      contentHash: indexGenerations.contentHash,
      level: chunks.level,
      chunkIndex: chunks.chunkIndex,
      startIndex: chunks.startIndex,
      endIndex: chunks.endIndex,
      wordCount: chunks.wordCount,
      headingText: chunks.headingText,
      sectionPath: chunks.sectionPath,
      parentId: parent.id,
      previousId: previous.id,
      nextId: next.id,
      text: chunks.text,
    })
    .from(chunks)
    .innerJoin(indexGenerations, isSearched)
    .innerJoin(documents, eq(documents.id, indexGenerations.documentId))
    .leftJoin(parent, eq(parent.key, chunks.parentKey))
    .leftJoin(previous, and(eq(previous.parentKey, chunks.parentKey), isBeside(previous.chunkIndex, -1)))
    .leftJoin(next, and(eq(next.parentKey, chunks.parentKey), isBeside(next.chunkIndex, 1)));

function isBeside(chunkIndex: typeof previous.chunkIndex | typeof next.chunkIndex, step: 1 | -1) {
  return eq(chunkIndex, sql`${chunks.chunkIndex} + ${sql.raw(String(step))}`);
}

const locatedById = prepared((tables) =>
  selectLocated(tables)
    .where(eq(chunks.id, sql.placeholder("id")))
    .prepare(),
);
const locatedByKey = prepared((tables) =>
  selectLocated(tables)
    .where(eq(chunks.key, sql.placeholder("key")))
    .prepare(),
);
const locatedChildren = prepared((tables) =>
  selectLocated(tables)
    .where(
      and(
        eq(chunks.parentKey, sql.placeholder("parentKey")),
        between(chunks.chunkIndex, sql.placeholder("from"), sql.placeholder("to")),
      ),
    )
    .orderBy(asc(chunks.chunkIndex))
    .limit(BATCH)
    .prepare(),
);
const childCount = prepared((tables) =>
  tables
    .select({ children: count() })
    .from(chunks)
    .where(eq(chunks.parentKey, sql.placeholder("parentKey")))
    .prepare(),
);
const placeOfDocument = prepared((tables) =>
  tables
    .select({
      path: sql<string | null>`${documents.metadata} ->> '$.importPath'`,
      root: sql<string | null>`${documents.metadata} ->> '$.importRoot'`,
      url: documents.sourceUrl,
      contentHtmlHash: documents.contentHtmlHash,
    })
    .from(documents)
    .where(eq(documents.id, sql.placeholder("id")))
    .prepare(),
);
/** Characters of HTML in which the address of a heading is looked for. */
const MAX_SEARCHED_HTML = 2 * 1024 ** 2;
const htmlOfPage = prepared((tables) =>
  tables
    .select({ html: bodies.text })
    .from(bodies)
    .where(
      and(
        eq(bodies.documentId, sql.placeholder("id")),
        eq(bodies.hash, sql.placeholder("hash")),
        lte(sql`length(${bodies.text})`, MAX_SEARCHED_HTML),
      ),
    )
    .prepare(),
);
const placeOfChunk = prepared((tables) =>
  tables
    .select({ sectionPath: chunks.sectionPath, line: chunks.line })
    .from(chunks)
    .where(eq(chunks.id, sql.placeholder("id")))
    .prepare(),
);

/** From where a document was imported or scraped, or undefined if it does not exist. */
export function documentPlace(reader: TableReader, id: string) {
  return placeOfDocument(reader).get({ id });
}

/** The clean HTML of a page; null if it has none or is too long to be searched for each result. */
export function pageHtml(reader: TableReader, id: string, hash: string | null): string | null {
  return hash === null ? null : (htmlOfPage(reader).get({ id, hash })?.html ?? null);
}

/** Where a chunk is in its document, or undefined if it does not exist. */
export function chunkPlace(reader: TableReader, id: string) {
  return placeOfChunk(reader).get({ id });
}

/** A visible chunk by its id, or undefined. */
export function findChunk(reader: TableReader, id: string): LocatedChunk | undefined {
  return locatedById(reader).get({ id });
}

/** A visible chunk by its key, or undefined. */
export function findChunkByKey(reader: TableReader, key: number | undefined): LocatedChunk | undefined {
  return key === undefined ? undefined : locatedByKey(reader).get({ key });
}

/** Children of a chunk by position, from `from` to `to` inclusive, read a batch at a time. */
export function* childrenOf(
  reader: TableReader,
  parentKey: number,
  { from, to }: { from: number; to: number },
): Generator<LocatedChunk> {
  for (let start = from; ; ) {
    const batch = locatedChildren(reader).all({ parentKey, from: start, to });
    yield* batch;
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    start = last.chunkIndex + 1;
  }
}

/** How many children a chunk has. */
export function countChildren(reader: TableReader, key: number): number {
  return childCount(reader).get({ parentKey: key })?.children ?? 0;
}
