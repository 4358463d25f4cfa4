// A change of a document by a user (PATCH or restore) as a new revision. If its page is still being fetched for the
// first time and the change affects a field that comes from the page, the fetch is cancelled.

import type { Write } from "../../db/store.ts";
import { type Cause, type Revised, revise, type VersionedFields } from "./revision.ts";
import { refreshErrorOf, ScrapeError } from "./scraping/errors.ts";
import { isBeingScraped, updateFetch } from "./scraping/store.ts";
import { type DocumentRow, updateDocument } from "./store.ts";

/** Fields that come from the page. */
const PAGE_FIELDS = ["contentHash", "contentHtmlHash", "rawHtmlHash", "sourceUrl"] as const;

/** Makes `next` the current state; `noop` if nothing changes. */
export function edit(write: Write, row: DocumentRow, change: Cause & { next: VersionedFields }): Revised {
  const revised = revise(write, row, change);
  const replacesPage = PAGE_FIELDS.some((field) => row[field] !== change.next[field]);
  if (!replacesPage || !isBeingScraped(write, row.id)) return revised;
  return { ...revised, row: cancelFetch(write, revised.row) };
}

function cancelFetch(write: Write, row: DocumentRow): DocumentRow {
  updateFetch(write, row.id, { settled: true });
  const message =
    "the document was edited while its page was being fetched: the edit is stored, the page is not";
  const cancelled = {
    ...row,
    status: row.status === "processing" ? ("completed" as const) : row.status,
    source: {
      ...row.source,
      lastRefreshError: refreshErrorOf(new ScrapeError("SUPERSEDED", message), write.now),
    },
  };
  updateDocument(write, cancelled);
  return cancelled;
}
