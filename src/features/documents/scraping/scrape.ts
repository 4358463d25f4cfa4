// Begins a scrape: an empty document titled with its URL, and the job that fills it, in one write.

import type { App } from "../../../app.ts";
import { displayName, type Identity } from "../../../auth/identity.ts";
import type { Write } from "../../../db/store.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { contentHash } from "../../../kernel/hash.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { addToCollections } from "../../collections/membership.ts";
import { snapshot } from "../revision.ts";
import { type DocumentRow, insertDocument, putBody } from "../store.ts";
import { placeholderTitle } from "./fill.ts";
import { insertFetch } from "./store.ts";

/** A scrape whose URL and options were checked. */
export interface ScrapeRequest {
  url: string;
  collectionIds?: readonly string[];
  onlyMainContent?: boolean;
  waitForMs?: number;
  timeoutMs?: number;
  hasHeaders?: boolean;
}

/** The new document belongs to the caller. Throws `not-found` for an unknown collection. */
export function beginScrape(write: Write, caller: Identity, request: ScrapeRequest): DocumentRow {
  const id = write.newId();
  const { url, collectionIds = [], onlyMainContent = true, waitForMs = 0, hasHeaders = false } = request;
  const { timeoutMs = LIMITS.scrape.maxTimeoutMs } = request;
  const title = placeholderTitle(url);
  const row: DocumentRow = {
    id,
    userId: caller.userId,
    title,
    status: "processing",
    tags: [],
    contentHash: contentHash(""),
    contentHtmlHash: null,
    rawHtmlHash: null,
    sourceType: "scrape",
    sourceUrl: url,
    source: {},
    metadata: {},
    workspaceId: null,
    revision: 0,
    lastChangedAt: write.now,
    createdAt: write.now,
    updatedAt: write.now,
  };
  insertDocument(write, row);
  putBody(write, id, "");
  snapshot(write, row, caller, "scrape");
  insertFetch(write, {
    documentId: id,
    settled: false,
    onlyMainContent,
    timeoutMs,
    hasHeaders,
    actorKind: caller.kind,
    actorName: displayName(caller),
    title,
    finalUrl: null,
    etag: null,
    lastModified: null,
  });
  addToCollections(write, caller, collectionIds, { itemType: "document", itemId: id });
  enqueue(write, "document.scrape", id, waitForMs);
  return row;
}

type KeptHeaders = Map<string, Readonly<Record<string, string>>>;
const keptOf = new WeakMap<App, KeptHeaders>();
/** Scrapes whose own headers are remembered; the oldest give way. */
const MAX_KEPT = 1_000;

/** Remembers the caller's own headers until the fetch: in memory alone, because they may hold credentials. */
export function keepHeaders(app: App, documentId: string, headers: Readonly<Record<string, string>>): void {
  const kept: KeptHeaders = keptOf.get(app) ?? new Map();
  keptOf.set(app, kept);
  if (kept.size >= MAX_KEPT) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
  kept.set(documentId, headers);
}

/** The headers kept for a document; undefined when they were lost. */
export function keptHeaders(app: App, documentId: string): Readonly<Record<string, string>> | undefined {
  return keptOf.get(app)?.get(documentId);
}

export function forgetHeaders(app: App, documentId: string): void {
  keptOf.get(app)?.delete(documentId);
}
