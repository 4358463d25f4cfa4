// Revisions: which fields make one, what is recorded of it, and what identifies one state of a document.

import { displayName, type Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { isBeingScraped, updateFetch } from "./scraping/store.ts";
import { type DocumentRow, insertVersion, updateDocument } from "./store.ts";

/** The canonical fields: a change to one of them makes a new revision. Texts are named by their hashes. */
export type Canonical = Pick<
  DocumentRow,
  "title" | "contentHash" | "contentHtmlHash" | "rawHtmlHash" | "sourceUrl" | "metadata" | "tags"
>;

export function canonicalOf(row: DocumentRow): Canonical {
  const { title, contentHash, contentHtmlHash, rawHtmlHash, sourceUrl, metadata, tags } = row;
  return { title, contentHash, contentHtmlHash, rawHtmlHash, sourceUrl, metadata, tags };
}

/** Who makes a revision, as its version row names them. */
export type Actor = Pick<Identity, "kind" | "name" | "email">;

/** A document after a write. */
export interface Revised {
  row: DocumentRow;
  /** True when nothing changed. */
  noop: boolean;
}

/**
 * Makes `next` the current state: a new revision with its version row and index job, or nothing when it is no change. While
 * the document is being scraped, a change of what the page would fill ends the scrape.
 */
export function revise(
  write: Write,
  actor: Actor,
  row: DocumentRow,
  next: Canonical,
  origin: string,
  changeLog?: string,
): Revised {
  if (canonicalJson(next) === canonicalJson(canonicalOf(row))) return { row, noop: true };
  const revised = {
    ...row,
    ...next,
    ...(replacesPage(row, next) && isBeingScraped(write, row.id) && endedScrape(write, row)),
    revision: row.revision + 1,
    lastChangedAt: write.now,
    updatedAt: write.now,
  };
  updateDocument(write, revised);
  snapshot(write, revised, actor, origin, changeLog);
  enqueue(write, "document.index", row.id);
  return { row: revised, noop: false };
}

function replacesPage(row: DocumentRow, next: Canonical): boolean {
  return (["contentHash", "contentHtmlHash", "rawHtmlHash", "sourceUrl"] as const).some(
    (field) => row[field] !== next[field],
  );
}

/** The first fetch is dropped: the document is what somebody wrote. */
function endedScrape(write: Write, row: DocumentRow): Pick<DocumentRow, "status" | "source"> {
  updateFetch(write, row.id, { settled: true });
  const message = "the document was edited while its page was being fetched, and the edit was kept";
  return {
    status: row.status === "processing" ? "completed" : row.status,
    source: { ...row.source, lastRefreshError: { code: "SUPERSEDED", message, at: write.now } },
  };
}

/** Appends the version row of a document's current state. */
export function snapshot(
  write: Write,
  row: DocumentRow,
  actor: Actor,
  origin: string,
  changeLog?: string,
): void {
  insertVersion(write, {
    id: write.newId(),
    documentId: row.id,
    version: row.revision,
    ...canonicalOf(row),
    snapshotCompleteness: "complete",
    actorKind: actor.kind,
    actorName: displayName(actor),
    origin,
    changeLog: changeLog ?? null,
    createdAt: write.now,
  });
}

/**
 * A strong, opaque validator of everything that a reader can see change: revision, canonical fields, status, and the
 * error of the last refresh (so that a poll sees a scrape end).
 */
export function etagOf(row: DocumentRow): string {
  const state = [row.id, row.revision, canonicalOf(row), row.status, row.source.lastRefreshError ?? null];
  return `"${sha256Hex(canonicalJson(state)).slice(0, 40)}"`;
}

/** The headers of detail and write answers. */
export function revisionHeaders(row: DocumentRow): Record<string, string> {
  return {
    ETag: etagOf(row),
    "X-Service-Revision": String(row.revision),
    "X-Service-Content-Hash": row.contentHash,
  };
}
