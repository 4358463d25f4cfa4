// Starts a scrape: creates an empty document with the URL as its title, and the job that fetches the page, in one
// write.

import { displayName, type Identity } from "../../../auth/identity.ts";
import type { Write } from "../../../db/store.ts";
import { countOpenOfUser } from "../../../jobs/owners.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { Failure } from "../../../kernel/errors.ts";
import { contentHash } from "../../../kernel/hash.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { addToCollections } from "../../collections/membership.ts";
import { snapshot } from "../revision.ts";
import { type DocumentRow, insertDocument, putBody } from "../store.ts";
import { placeholderTitle } from "./apply-page.ts";
import { insertFetch } from "./store.ts";

/** A validated request to scrape a page. */
export interface ScrapeRequest {
  url: string;
  collectionIds?: readonly string[];
  onlyMainContent?: boolean;
  waitForMs?: number;
  timeoutMs?: number;
  hasHeaders?: boolean;
}

/** By about this time some of the pages that wait have been fetched. */
const RETRY_AFTER_S = 10;

/**
 * The new document belongs to the caller. Throws `not-found` for an unknown collection, and `rate-limited` if too many
 * pages of the caller or of all users wait to be fetched.
 */
export function startScrape(write: Write, caller: Identity, request: ScrapeRequest): DocumentRow {
  requireRoom(write, caller);
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
  snapshot(write, row, { actor: caller, origin: "scrape" });
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
  addToCollections(write, caller, { itemType: "document", itemId: id, collectionIds });
  enqueue(write, "document.scrape", id, { userId: caller.userId, delayMs: waitForMs });
  return row;
}

function requireRoom(write: Write, { userId }: Identity): void {
  const { openOfAll, openOfUser } = LIMITS.scrape;
  const { ofAll, ofUser } = countOpenOfUser(write, "document.scrape", userId);
  if (ofAll < openOfAll && ofUser < openOfUser) return;
  throw new Failure("rate-limited", "too many pages wait to be fetched", { retryAfterS: RETRY_AFTER_S });
}
