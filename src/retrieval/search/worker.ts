// The API of the search worker: scans over all chunks, prompts or titles on a read-only handle of its own, so that they
// never block the HTTP loop or a write. Chunks and lists are returned as keys, whose rows the caller loads; search
// results and evidence with what is shown of them.

import { requireSameFile } from "../../db/file-identity.ts";
import { openReader } from "../../db/handles.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { FoundNames } from "../../kernel/names.ts";
import { sendNotice, type WorkerApi } from "../../workers/rpc.ts";
import type { SupervisedWorker } from "../../workers/supervisor.ts";
import type { VectorEngine } from "../vectors/dense.ts";
import type { Filter } from "./filter.ts";
import { type EvidenceSearch, type FoundEvidence, searchEvidence } from "./evidence.ts";
import { type HybridQuery, openHybridSearch } from "./hybrid.ts";
import { findBacklinks } from "./lists/backlinks.ts";
import { type ChangeDaysQuery, countChangeDays } from "./lists/change-days.ts";
import { openMapReader } from "./lists/document-map.ts";
import { type DocumentListFilter, type ListedDocument, listDocuments } from "./lists/documents.ts";
import { findNamed, listNames, type NameLookup, type NamesLookup } from "./lists/named.ts";
import { readStorage } from "./lists/storage.ts";
import { readTable, type TablePage, type TableQuery } from "./lists/table.ts";
import { type CountedTag, countTags } from "./lists/tags.ts";
import { readVersionSizes, type VersionSizesQuery } from "./lists/version-sizes.ts";
import type { ChangeDays, DocumentMap, Storage, VersionSize } from "../../kernel/pictures.ts";
import { type ListedPrompt, listPrompts, type PromptListFilter } from "./lists/prompts.ts";
import type { ListPage } from "./lists/read.ts";
import { type LiteralHit, searchLiteral } from "./literal.ts";
import { type PackedMatches, packMatches } from "./packed-matches.ts";
import { type PromptFilter, searchPromptTexts } from "./prompts.ts";
import { type FoundRecords, type RecordSearch, searchRecords } from "./records.ts";
import { countRows, type RowCounts } from "../generations/row-counts.ts";

export interface SearchOptions {
  databasePath: string;
  /** Device and inode of the file that the caller has open; see identityOf. */
  identity: string | undefined;
  /** Path of the sqlite-vec library, or null to search in JavaScript. */
  extensionPath: string | null;
}

export interface SearchApi extends WorkerApi {
  engine(input: null): VectorEngine;
  /** Reads the index into memory, in slices between other calls, so that the first search need not wait for it. */
  preload(input: null): Promise<void>;
  /**
   * Reads what a search for this text needs besides its vectors, so that this need not wait for the embedding model.
   */
  prepare(input: { text: string; filter: Filter }): void;
  /** Chunks by meaning and words, best first; without those that the search session `sessionId` has returned. */
  chunks(input: { query: HybridQuery; filter: Filter; sessionId?: string }): PackedMatches;
  /** Paragraphs to answer a question from, with what surrounds them. */
  evidence(input: EvidenceSearch): FoundEvidence;
  /** Documents and prompts by meaning, best first. */
  records(input: RecordSearch): FoundRecords;
  literal(input: { query: string; filter: Filter; limit: number }): LiteralHit[];
  /** Ids of prompts that contain the query. */
  promptTexts(input: { query: string; filter: PromptFilter; limit: number }): string[];
  documentList(input: { filter: DocumentListFilter; page: ListPage }): ListedDocument[];
  documentTable(input: TableQuery): TablePage;
  promptList(input: { filter: PromptListFilter; page: ListPage }): ListedPrompt[];
  /** Records by path, URL, title, name, or the start of an id. */
  named(input: NameLookup): FoundNames;
  /** Names that start with a text. */
  names(input: NamesLookup): string[];
  /** The documents that link to one. */
  backlinks(input: { userId: string; id: string }): { id: string; title: string }[];
  /** The changes of days, by author. */
  changeDays(input: ChangeDaysQuery): ChangeDays;
  /** The latest versions of a record with the number of changed lines, the latest first. */
  versionSizes(input: VersionSizesQuery): VersionSize[];
  /** What the documents of a user take up, by collection. */
  storage(input: { userId: string }): Promise<Storage>;
  /** Documents as points of a plane. */
  documentMap(input: { userId: string }): Promise<DocumentMap>;
  tags(input: { userId: string; limit: number }): CountedTag[];
  rowCounts(input: null): RowCounts;
  /** Closes the handle. No other function may be called afterwards. */
  close(input: null): void;
}

/** Long work goes on for this long and then pauses for as long, so that it takes half of a core at most. */
const SLICE_MS = 4;

/** Does the steps between other calls, and returns their result. */
async function inSlices<Result>(steps: Iterator<void, Result>): Promise<Result> {
  let until = systemClock.monotonic() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (systemClock.monotonic() < until) continue;
    await Bun.sleep(SLICE_MS);
    until = systemClock.monotonic() + SLICE_MS;
  }
}

/** The worker as its callers hold it. */
export type SearchWorker = Pick<SupervisedWorker<SearchApi>, "call">;

/** Opens a read-only handle and returns the functions of the worker. Throws if another file is at the path. */
export async function serveSearch(options: SearchOptions): Promise<SearchApi> {
  const { databasePath, identity, extensionPath } = options;
  requireSameFile(databasePath, identity);
  const database = openReader(databasePath);
  let engine: VectorEngine = "javascript";
  if (extensionPath !== null) {
    try {
      database.loadExtension(extensionPath);
      engine = "sqlite-vec";
    } catch {
      // This SQLite cannot load extensions (macOS). The JavaScript engine returns the same results.
    }
  }
  const maps = openMapReader(database);
  const hybrid = openHybridSearch(database, engine, sendNotice);
  /**
   * All reads of a call see the same commit: otherwise a document that is reindexed meanwhile is found twice or not at
   * all.
   */
  const inSnapshot = <Result>(read: () => Result): Result => database.transaction(read)();
  return {
    engine: () => engine,
    preload: () => inSlices(hybrid.preload()),
    prepare: ({ text, filter }) => inSnapshot(() => hybrid.prepare(text, filter)),
    chunks: ({ query, filter, sessionId }) =>
      packMatches(inSnapshot(() => hybrid.search(query, filter, sessionId))),
    evidence: (input) => inSnapshot(() => searchEvidence({ database, hybrid }, input)),
    records: (input) => inSnapshot(() => searchRecords({ database, engine, hybrid }, input)),
    literal: (input) => inSnapshot(() => searchLiteral(database, input)),
    promptTexts: (input) => inSnapshot(() => searchPromptTexts(database, input)),
    documentList: ({ filter, page }) => inSnapshot(() => listDocuments(database, filter, page)),
    documentTable: (input) => inSnapshot(() => readTable(database, input)),
    promptList: ({ filter, page }) => inSnapshot(() => listPrompts(database, filter, page)),
    named: (input) => inSnapshot(() => findNamed(database, input)),
    names: (input) => inSnapshot(() => listNames(database, input)),
    backlinks: (input) => inSnapshot(() => findBacklinks(database, input)),
    changeDays: (input) => inSnapshot(() => countChangeDays(database, input)),
    versionSizes: (input) => inSnapshot(() => readVersionSizes(database, input)),
    storage: (input) => inSlices(readStorage(database, input)),
    documentMap: ({ userId }) => inSlices(maps.read(userId)),
    tags: (input) => inSnapshot(() => countTags(database, input)),
    rowCounts: () => inSnapshot(() => countRows(database)),
    close: () => database.close(true),
  };
}
