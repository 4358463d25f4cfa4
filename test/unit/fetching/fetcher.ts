// The fetcher under test and the sites it fetches from. Names are resolved here, never by the system.

import { afterAll, beforeEach } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchError } from "../../../src/engine/fetching/errors.ts";
import {
  type FetcherOptions,
  openFetcher,
  type PageRequest,
} from "../../../src/engine/fetching/fetch-page.ts";
import { type Pages, startPages } from "../../helpers/pages.ts";

const TLS = join(import.meta.dir, "../../fixtures/tls");
export const cert = readFileSync(join(TLS, "certificate.pem"), "utf8");
const key = readFileSync(join(TLS, "key.pem"), "utf8");

/**
 * Two sites on loopback, one of them encrypted, for the calling file; without pages and recorded requests at each test.
 */
export function useSites(): { site: Pages; secure: Pages } {
  const site = startPages();
  const secure = startPages({}, { cert, key });
  beforeEach(() => {
    for (const { seen, pages } of [site, secure]) {
      seen.length = 0;
      for (const path of Object.keys(pages)) delete pages[path];
    }
  });
  afterAll(() => Promise.all([site.stop(), secure.stop()]));
  return { site, secure };
}

const NAMES: Record<string, string[]> = {
  "page.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "secure.test": ["127.0.0.1"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "nowhere.test": [],
  localhost: ["127.0.0.1"],
};
const resolve: FetcherOptions["resolve"] = async (hostname) => {
  if (!NAMES[hostname]) throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
  return NAMES[hostname].map((address) => ({ address, family: 4 }));
};

/** A fetcher that resolves the names above and may connect to this machine; `failure` returns what a fetch throws. */
export function open(options: Partial<FetcherOptions> = {}) {
  const fetcher = openFetcher({ userAgent: "ctxrepo/test", allowPrivate: true, resolve, ...options });
  return {
    setOwnPort: fetcher.setOwnPort,
    get: async (url: string, page: Partial<PageRequest> = {}, signal = new AbortController().signal) => {
      const result = await fetcher.fetch({ url, timeoutMs: 10_000, ...page }, signal);
      return result.notModified ? "not modified" : { ...result, text: new TextDecoder().decode(result.body) };
    },
    failure: async (url: string, page: Partial<PageRequest> = {}): Promise<FetchError> => {
      try {
        await fetcher.fetch({ url, timeoutMs: 10_000, ...page }, new AbortController().signal);
      } catch (error) {
        return error as FetchError;
      }
      throw new Error(`${url} was fetched`);
    },
  };
}
/** A page of plain text. */
export const text =
  (body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { headers: { "Content-Type": "text/plain", ...headers } });
