// The job document.scrape: the first fetch of a scraped document. The page becomes revision 1, or the failure is
// recorded on the document; the queue retries only internal errors and EXTRACTOR_BUSY.

import type { Store, Write } from "../../../db/store.ts";
import { PATIENT } from "../../../db/waiting-writes.ts";
import type { Log } from "../../../kernel/log.ts";
import { findDocument } from "../store.ts";
import { applyPage, recordFailure } from "./apply-page.ts";
import { isBusy, refreshErrorOf, ScrapeError } from "./errors.ts";
import type { ScrapeHeaders } from "./headers.ts";
import { type LoadDeps, type LoadedPage, loadPage } from "./load.ts";
import { type FetchRow, findFetch } from "./store.ts";

/** What the job needs. */
export interface ScrapeJobDeps extends LoadDeps {
  store: Store;
  log: Log;
  scrapeHeaders: ScrapeHeaders;
}

/**
 * Fetches the page and writes it to the document. Does nothing if that was deleted or edited in between. Throws for the
 * queue to retry.
 */
export async function scrapeDocument(
  deps: ScrapeJobDeps,
  documentId: string,
  signal: AbortSignal,
): Promise<void> {
  const { store } = deps;
  const waiting = waitingFetch(store, documentId);
  if (waiting) {
    try {
      const page = await loadFirst(deps, waiting, signal);
      await store.writeWhenFree((write) => {
        const row = findDocument(write, documentId);
        const fetch = findFetch(write, documentId);
        if (!row || !fetch || fetch.settled) return;
        const actor = { kind: fetch.actorKind, name: fetch.actorName, email: "" };
        applyPage(write, row, { actor, fetch, page, origin: "scrape" });
      }, PATIENT);
    } catch (error) {
      signal.throwIfAborted();
      if (isBusy(error) || !refreshErrorOf(error, 0)) throw error;
      await store.writeWhenFree((write) => failFetch(deps, write, { documentId, error }), PATIENT);
    }
  }
  deps.scrapeHeaders.delete(documentId);
}

/** Records on the document that its fetch was abandoned, so that no client waits for it. */
export function abandonScrape(deps: ScrapeJobDeps, write: Write, documentId: string): void {
  deps.scrapeHeaders.delete(documentId);
  const error = new ScrapeError("INTERRUPTED", "the server could not finish the fetch; its log has details");
  failFetch(deps, write, { documentId, error });
}

interface WaitingFetch {
  userId: string;
  url: string;
  fetch: FetchRow;
}

function waitingFetch(store: Store, documentId: string): WaitingFetch | undefined {
  const row = findDocument(store, documentId);
  const fetch = findFetch(store, documentId);
  if (!row?.sourceUrl || !fetch || fetch.settled) return undefined;
  return { userId: row.userId, url: row.sourceUrl, fetch };
}

async function loadFirst(
  deps: ScrapeJobDeps,
  { userId, url, fetch }: WaitingFetch,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const headers = deps.scrapeHeaders.get(fetch.documentId);
  if (fetch.hasHeaders && !headers) {
    throw new ScrapeError(
      "HEADERS_LOST",
      "the server was restarted, and the headers of this request are not stored: scrape the page again",
    );
  }
  const { timeoutMs, onlyMainContent } = fetch;
  const page = await loadPage(deps, { userId, url, headers, timeoutMs, onlyMainContent }, signal);
  if (page.notModified) throw new Error("an unconditional request never results in 304");
  return page;
}

function failFetch(
  { log }: ScrapeJobDeps,
  write: Write,
  { documentId, error }: { documentId: string; error: unknown },
): void {
  const row = findDocument(write, documentId);
  if (!row || findFetch(write, documentId)?.settled !== false) return;
  recordFailure(write, row, refreshErrorOf(error, write.now));
  write.afterCommit(() =>
    log.info("a page could not be fetched", { documentId, code: refreshErrorOf(error, 0)?.code }),
  );
}
