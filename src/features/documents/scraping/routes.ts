// The operations that fetch: scrape, which answers at once, and refresh, which answers when the page is there.

import { dataOf } from "../../../http/answers.ts";
import { operationOf } from "../../../http/operation.ts";
import { readConditions } from "../../../http/preconditions.ts";
import { revisionHeaders } from "../contract.ts";
import { canonicalWriteHeaders, emptyBody } from "../coordination/contract.ts";
import {
  readScrape,
  refreshAnswer,
  refreshHeaders,
  scrapeAnswer,
  scrapeBody,
  scrapeHeaders,
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
    summary: "Make a document of a web page",
    description:
      "The document is there at once, with status `processing`; it becomes `completed`, or `failed` with " +
      "`source.lastRefreshError`. Scripts of the page are not run.",
    requires: scrapes,
    tier: "scrape",
    idempotency: "accepted",
    body: scrapeBody,
    answers: { 202: dataOf(scrapeAnswer, scrapeHeaders) },
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
      "`changed` says whether text or title differ, which makes a new version. A page that cannot be had is answered 500, and " +
      "`source.lastRefreshError` says why. In `lease_required` mode it needs `Idempotency-Key`, and no other caller's lease " +
      "may be alive.",
    requires: scrapes,
    tier: "scrape",
    idempotency: "accepted",
    body: emptyBody,
    bodyMayBeEmpty: true,
    headers: canonicalWriteHeaders,
    answers: { 202: dataOf(refreshAnswer, refreshHeaders) },
    errors: [404, 409, 412, 428],
    handle: async ({ caller, id, headers, commit }, deps) => {
      const refresh = await loadRefresh(deps, { caller, id, conditions: readConditions(headers) });
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
