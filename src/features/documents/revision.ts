// What identifies one state of a document: the ETag and the headers that go with it.

import { sha256Hex } from "../../kernel/hash.ts";
import type { DocumentRow } from "./store.ts";

/**
 * A strong, opaque validator of everything that a reader can see change: revision, canonical fields, status, and the
 * error of the last refresh (so that a poll sees a scrape end).
 */
export function etagOf(row: DocumentRow): string {
  const state = [
    row.id,
    row.revision,
    row.title,
    row.contentHash,
    row.contentHtmlHash,
    row.rawHtmlHash,
    row.sourceUrl,
    row.metadata,
    row.tags,
    row.status,
    row.source.lastRefreshError ?? null,
  ];
  return `"${sha256Hex(JSON.stringify(state)).slice(0, 40)}"`;
}

/** The headers of detail and write answers. */
export function revisionHeaders(row: DocumentRow): Record<string, string> {
  return {
    ETag: etagOf(row),
    "X-Service-Revision": String(row.revision),
    "X-Service-Content-Hash": row.contentHash,
  };
}
