// What a page that was loaded does to its document: a new revision where text or title differ, fresh marks in `source`, and
// the failure where there was one. The road of the first fetch and of every refresh.

import type { Write } from "../../../db/store.ts";
import type { DocumentSource } from "../../../db/tables.ts";
import { contentHash } from "../../../kernel/hash.ts";
import { type Actor, canonicalOf, type Revised, revise } from "../revision.ts";
import { type DocumentRow, putBody, updateDocument } from "../store.ts";
import { type LoadedPage, titleFrom } from "./load.ts";
import { type FetchRow, updateFetch } from "./store.ts";

/** A page that was loaded, for whom and by which operation. */
export interface Filling {
  actor: Actor;
  fetch: FetchRow;
  page: LoadedPage;
  origin: "scrape" | "refresh";
}

/** Makes the page the document's current state. `noop` if neither its text nor its title has changed. */
export function fillFromPage(
  write: Write,
  row: DocumentRow,
  { actor, fetch, page, origin }: Filling,
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
  const isChangedSource = hash !== row.source.contentHash;
  const lastChangedAt = isChangedSource ? now : (row.source.lastChangedAt ?? now);
  return marked(write, revised, { contentHash: hash, lastCheckedAt: now, lastChangedAt });
}

/** The page has not changed since it was last read: that is all there is to remember. */
export function markUnchanged(write: Write, row: DocumentRow): Revised {
  const { lastRefreshError: _cleared, ...source } = row.source;
  return marked(write, { row, noop: true }, { ...source, lastCheckedAt: write.now });
}

/** Records why a fetch failed; the document stays as it was. */
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

/** The title that stands for a page until it is known. */
export const placeholderTitle = (url: string) => titleFrom(url);

/** True as long as nobody has given the document a title of their own. */
function hasFetchedTitle(row: DocumentRow, fetch: FetchRow): boolean {
  return row.title === fetch.title || row.title === placeholderTitle(row.sourceUrl ?? "");
}

function changes(write: Write, row: DocumentRow, { page, origin }: Pick<Filling, "page" | "origin">) {
  const hashOf = (text: string | null) => (text === null ? null : putBody(write, row.id, text));
  // What somebody wrote while the page was being fetched for the first time stays; later the page knows better.
  const metadata =
    origin === "scrape" ? { ...page.metadata, ...row.metadata } : { ...row.metadata, ...page.metadata };
  return {
    ...canonicalOf(row),
    contentHash: putBody(write, row.id, page.markdown),
    contentHtmlHash: hashOf(page.contentHtml),
    rawHtmlHash: hashOf(page.rawHtml),
    metadata,
  };
}

function marked(write: Write, { row, noop }: Revised, source: DocumentSource): Revised {
  const status = row.status === "processing" || row.status === "failed" ? "completed" : row.status;
  const marked = { ...row, status, source } as const;
  updateDocument(write, marked);
  return { row: marked, noop };
}
