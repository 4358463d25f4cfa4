// Writes the outcome of a fetch to its document: a loaded page, an unchanged page, or a failure. The first fetch and
// every refresh use it.

import type { Write } from "../../../db/store.ts";
import type { DocumentSource } from "../../../db/tables.ts";
import { contentHash } from "../../../kernel/hash.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { normalizeTags } from "../../../kernel/tags.ts";
import { type Actor, type Revised, revise, versionedFieldsOf } from "../revision.ts";
import { type DocumentRow, putBody, updateDocument } from "../store.ts";
import { type LoadedPage, titleFrom } from "./load.ts";
import { type FetchRow, updateFetch } from "./store.ts";

/** A loaded page, who requested it, and by which operation. */
export interface PageUpdate {
  actor: Actor;
  fetch: FetchRow;
  page: LoadedPage;
  origin: "scrape" | "refresh";
}

/**
 * Makes the page the document's current state. A new text makes a new revision, as does a new title unless a user
 * changed it; otherwise it is a `noop`. Metadata and HTML are stored only with a new revision.
 */
export function applyPage(
  write: Write,
  row: DocumentRow,
  { actor, fetch, page, origin }: PageUpdate,
): Revised {
  const { now } = write;
  const hash = contentHash(page.markdown);
  const title = page.title !== "" && hasFetchedTitle(row, fetch) ? page.title : row.title;
  const isNew = title !== row.title || hash !== row.contentHash;
  updateFetch(write, row.id, {
    settled: true,
    title: page.title === "" ? fetch.title : page.title,
    finalUrl: page.finalUrl,
    etag: page.etag,
    lastModified: page.lastModified,
  });
  const revised = isNew
    ? revise(write, row, { next: { ...changes(write, row, { page, origin }), title }, actor, origin })
    : { row, noop: true };
  const hasPageChanged = hash !== row.source.contentHash;
  const lastChangedAt = hasPageChanged ? now : (row.source.lastChangedAt ?? now);
  return withSource(write, revised, { contentHash: hash, lastCheckedAt: now, lastChangedAt });
}

/** Records that the page has not changed since it was last read. */
export function recordUnchanged(write: Write, row: DocumentRow): Revised {
  const { lastRefreshError: _cleared, ...source } = row.source;
  return withSource(write, { row, noop: true }, { ...source, lastCheckedAt: write.now });
}

/** Records why a fetch failed; versioned fields do not change. A document without a page gets the status `failed`. */
export function recordFailure(
  write: Write,
  row: DocumentRow,
  lastRefreshError: DocumentSource["lastRefreshError"],
): void {
  const status = row.status === "processing" ? "failed" : row.status;
  const updatedAt = status === row.status ? row.updatedAt : write.now;
  updateDocument(write, { ...row, status, source: { ...row.source, lastRefreshError }, updatedAt });
  updateFetch(write, row.id, { settled: true });
}

/** The title of a document until its page has been read. */
export const placeholderTitle = (url: string) => titleFrom(url);

/** Whether the title is that of the page or the placeholder, so that no user has changed it. */
function hasFetchedTitle(row: DocumentRow, fetch: FetchRow): boolean {
  return row.title === fetch.title || row.title === placeholderTitle(row.sourceUrl ?? "");
}

function changes(write: Write, row: DocumentRow, { page, origin }: Pick<PageUpdate, "page" | "origin">) {
  const hashOf = (text: string | null) => (text === null ? null : putBody(write, row.id, text));
  // Metadata that a user added during the first fetch is not replaced by that of the page; on a refresh it is.
  const metadata =
    origin === "scrape" ? { ...page.metadata, ...row.metadata } : { ...row.metadata, ...page.metadata };
  // Later, a person may have removed them.
  const tags =
    origin === "scrape" ? normalizeTags([...row.tags, ...page.tags]).slice(0, LIMITS.tags.count) : row.tags;
  return {
    ...versionedFieldsOf(row),
    tags,
    contentHash: putBody(write, row.id, page.markdown),
    contentHtmlHash: hashOf(page.contentHtml),
    rawHtmlHash: hashOf(page.rawHtml),
    metadata,
  };
}

/** Stores the state of the source; a document that was waiting for its page is completed. */
function withSource(write: Write, { row, noop }: Revised, source: DocumentSource): Revised {
  const status = row.status === "processing" || row.status === "failed" ? "completed" : row.status;
  const updated = { ...row, status, source } as const;
  updateDocument(write, updated);
  return { row: updated, noop };
}
