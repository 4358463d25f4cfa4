// The operations that fetch a page: scrape, which responds immediately, and refresh, which responds after the fetch.

import { operationOf } from "../../../http/operation.ts";
import { readConditions } from "../../../http/preconditions.ts";
import { dataOf } from "../../../http/response-shapes.ts";
import { revisionHeaders } from "../contract.ts";
import { coordinatedWriteHeaders, emptyBody } from "../coordination/contract.ts";
import {
  readScrape,
  refreshHeaders,
  refreshResponse,
  scrapeBody,
  scrapeHeaders,
  scrapeResponse,
} from "./contract.ts";
import { holdHeaders, type ScrapeHeaders } from "./headers.ts";
import { finishRefresh, loadRefresh, type RefreshDeps } from "./refresh.ts";
import { startScrape } from "./scrape.ts";

const scrapes = { anyOf: ["documents.write", "documents.scrape"] } as const;

/** What the operations that fetch need. */
export interface ScrapingDeps extends RefreshDeps {
  scrapeHeaders: ScrapeHeaders;
}

const operation = operationOf<ScrapingDeps>();

export const scrapingOperations = [
  operation({
    name: "documents.scrape",
    method: "POST",
    path: "/v1/documents/scrape",
    summary: "Create a document from a web page",
    description:
      "Creates the document immediately with status `processing` and fetches the page in the background. The status then " +
      "becomes `completed`, or `failed` with the cause in `source.lastRefreshError`. The page's scripts are not run.",
    requires: scrapes,
    tier: "scrape",
    idempotency: "accepted",
    body: scrapeBody,
    responses: { 202: dataOf(scrapeResponse, scrapeHeaders) },
    errors: [404],
    handle: ({ caller, body, commit }, { allowsPrivateNetwork, scrapeHeaders }) => {
      const { request, headers } = readScrape(body, allowsPrivateNetwork);
      return commit((write) => {
        const { id } = startScrape(write, caller, request);
        if (request.hasHeaders) write.afterCommit(() => holdHeaders(scrapeHeaders, id, headers));
        return {
          status: 202,
          headers: { Location: `/v1/documents/${id}` },
          body: { data: { documentId: id } },
        };
      });
    },
  }),

  operation({
    name: "documents.refresh",
    method: "POST",
    path: "/v1/documents/:id/refresh",
    summary: "Fetch the page of a scraped document again",
    description:
      "Waits until the page is fetched; a changed text or title is stored as a new version. If the page cannot be fetched, the " +
      "response is 500, the document is not changed and `source.lastRefreshError` contains the cause. In `lease_required` " +
      "mode, `Idempotency-Key` is required, and another credential's active lease gives 409.",
    requires: scrapes,
    tier: "scrape",
    queue: "refresh",
    idempotency: "accepted",
    body: emptyBody,
    bodyMayBeEmpty: true,
    headers: coordinatedWriteHeaders,
    responses: { 202: dataOf(refreshResponse, refreshHeaders) },
    errors: [404, 409, 412, 428],
    handle: async ({ caller, id, headers, disconnected, commit }, deps) => {
      const conditions = readConditions(headers);
      const refresh = await loadRefresh(deps, { caller, id, conditions, cancelled: disconnected });
      return commit((write) => {
        const { row, noop } = finishRefresh(write, caller, refresh);
        return {
          status: 202,
          headers: { Location: `/v1/documents/${id}`, ...revisionHeaders(row) },
          body: { data: { documentId: id, changed: !noop } },
        };
      });
    },
  }),
];
