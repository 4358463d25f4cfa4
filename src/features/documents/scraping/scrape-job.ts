// The job document.scrape: the first fetch of a scraped document. It ends with the page as revision 1, or with the failure
// recorded on the document; the queue retries only internal errors.

import type { Store } from "../../../db/store.ts";
import type { Log } from "../../../kernel/log.ts";
import { findDocument } from "../store.ts";
import { isBusy, refreshErrorOf, ScrapeError } from "./errors.ts";
import { fillFromPage, recordFailure } from "./fill.ts";
import type { ScrapeHeaders } from "./headers.ts";
import { type LoadDeps, type LoadedPage, loadPage } from "./load.ts";
import { type FetchRow, findFetch } from "./store.ts";

/** What the job needs. */
export interface ScrapeJobDeps extends LoadDeps {
  store: Store;
  log: Log;
  scrapeHeaders: ScrapeHeaders;
}

/** Fetches the page and fills the document. Does nothing if it was deleted or edited in between. */
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
      store.write((write) => {
        const row = findDocument(write, documentId);
        const fetch = findFetch(write, documentId);
        if (!row || !fetch || fetch.settled) return;
        const actor = { kind: fetch.actorKind, name: fetch.actorName, email: "" };
        fillFromPage(write, row, { actor, fetch, page, origin: "scrape" });
      });
    } catch (error) {
      signal.throwIfAborted();
      // Too many pages at once: the queue comes back to it.
      if (isBusy(error) || !refreshErrorOf(error, 0)) throw error;
      endWith(deps, documentId, error);
    }
  }
  deps.scrapeHeaders.delete(documentId);
}

/** Records on the document that its fetch was given up, so that nobody waits for it forever. */
export function abandonScrape(deps: ScrapeJobDeps, documentId: string): void {
  deps.scrapeHeaders.delete(documentId);
  endWith(
    deps,
    documentId,
    new ScrapeError("INTERRUPTED", "the server could not finish this; its log says why"),
  );
}

interface WaitingFetch {
  url: string;
  fetch: FetchRow;
}

function waitingFetch(store: Store, documentId: string): WaitingFetch | undefined {
  const url = findDocument(store, documentId)?.sourceUrl;
  const fetch = findFetch(store, documentId);
  return url && fetch && !fetch.settled ? { url, fetch } : undefined;
}

async function loadFirst(
  deps: ScrapeJobDeps,
  { url, fetch }: WaitingFetch,
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
  const page = await loadPage(deps, { url, headers, timeoutMs, onlyMainContent }, signal);
  if (page.notModified) throw new Error("a page that was asked for without conditions is always answered");
  return page;
}

function endWith({ store, log }: ScrapeJobDeps, documentId: string, error: unknown): void {
  log.info("a page could not be fetched", { documentId, code: refreshErrorOf(error, 0)?.code });
  store.write((write) => {
    const row = findDocument(write, documentId);
    if (!row || findFetch(write, documentId)?.settled !== false) return;
    recordFailure(write, row, refreshErrorOf(error, write.now));
  });
}
