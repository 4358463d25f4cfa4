// The job document.scrape: the first fetch of a scraped document. It ends with the page as revision 1, or with the reason on
// the document; only what is our own mistake is tried again by the queue.

import type { App } from "../../../app.ts";
import { findDocument } from "../store.ts";
import { isBusy, refreshErrorOf, ScrapeError } from "./errors.ts";
import { fillFrom, recordFailure } from "./fill.ts";
import { type LoadedPage, loadPage } from "./load.ts";
import { forgetHeaders, keptHeaders } from "./scrape.ts";
import { type FetchRow, findFetch } from "./store.ts";

/** Fetches the page and fills the document. Does nothing when it is gone, or an edit was faster. */
export async function scrapeDocument(app: App, documentId: string, signal: AbortSignal): Promise<void> {
  const { store } = app;
  const waiting = waitingFetch(app, documentId);
  if (waiting) {
    try {
      const page = await loadFirst(app, waiting.url, waiting.fetch, signal);
      store.write((write) => {
        const row = findDocument(write, documentId);
        const fetch = findFetch(write, documentId);
        if (!row || !fetch || fetch.settled) return;
        const actor = { kind: fetch.actorKind, name: fetch.actorName, email: "" };
        fillFrom(write, actor, row, fetch, page, "scrape");
      });
    } catch (error) {
      signal.throwIfAborted();
      // Too many pages at once: the queue comes back to it.
      if (isBusy(error) || !refreshErrorOf(error, 0)) throw error;
      endWith(app, documentId, error);
    }
  }
  forgetHeaders(app, documentId);
}

/** Says on the document that its fetch was given up, so that nobody waits for it for ever. */
export function abandonScrape(app: App, documentId: string): void {
  forgetHeaders(app, documentId);
  endWith(
    app,
    documentId,
    new ScrapeError("INTERRUPTED", "the server could not finish this; its log says why"),
  );
}

function waitingFetch({ store }: App, documentId: string): { url: string; fetch: FetchRow } | undefined {
  const url = findDocument(store, documentId)?.sourceUrl;
  const fetch = findFetch(store, documentId);
  return url && fetch && !fetch.settled ? { url, fetch } : undefined;
}

async function loadFirst(app: App, url: string, fetch: FetchRow, signal: AbortSignal): Promise<LoadedPage> {
  const headers = keptHeaders(app, fetch.documentId);
  if (fetch.hasHeaders && !headers) {
    throw new ScrapeError(
      "HEADERS_LOST",
      "the server was restarted, and the headers of this request are not stored: scrape the page again",
    );
  }
  const { timeoutMs, onlyMainContent } = fetch;
  const page = await loadPage(app, { url, headers, timeoutMs, onlyMainContent }, signal);
  if (page.notModified) throw new Error("a page that was asked for without conditions is always answered");
  return page;
}

function endWith({ store, log }: App, documentId: string, error: unknown): void {
  log.info("a page could not be had", { documentId, code: refreshErrorOf(error, 0)?.code });
  store.write((write) => {
    const row = findDocument(write, documentId);
    if (!row || findFetch(write, documentId)?.settled !== false) return;
    recordFailure(write, row, refreshErrorOf(error, write.now));
  });
}
