// The set-up of tests of scrape and refresh: a server that may scrape this machine, and a web site on loopback.

import { afterAll, beforeEach, expect } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { article, hold, type Pages, startPages } from "./pages.ts";
import { type Client, type Reply, type Started, useServer } from "./start.ts";

export const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
export const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";

export interface Scraping {
  /** Its only page before each test is `/kettles`. */
  site: Pages;
  started: Started;
  /**
   * Moves only when a test advances it, and by the pauses between attempts to load a page, which are not waited for.
   */
  clock: ManualClock;
  client: Client;
  /** Requests a scrape. */
  scrape(body: object, headers?: Record<string, string>): Promise<Reply>;
  /** The members of a document. */
  read(id: string): Promise<Reply["body"]>;
  /** Scrapes a page of the site, waits for the job, and returns the document. */
  scraped(path: string, options?: object): Promise<Reply["body"]>;
  /** A page of the site that responds only when it is released. */
  held(path: string, page: () => Response): ReturnType<typeof hold>;
}

/** The server and the site for all tests of the calling file. */
export function useScraping(): Scraping {
  const site = startPages();
  const clock = new ManualClock(undefined, { advancesOnSleep: true });
  const started = useServer({ clock, settings: { scrapePrivateNetwork: "allow" } });
  const { client } = started;
  afterAll(() => site.stop());
  beforeEach(() => {
    site.seen.length = 0;
    for (const path of Object.keys(site.pages)) delete site.pages[path];
    site.pages["/kettles"] = () => article("Kettles", TEXT, MORE);
  });
  const scrape: Scraping["scrape"] = (body, headers) => client("POST", "/v1/documents/scrape", body, headers);
  const read: Scraping["read"] = async (id) => (await client("GET", `/v1/documents/${id}`)).body.data;
  return {
    site,
    started,
    clock,
    client,
    scrape,
    read,
    async scraped(path, options) {
      const { status, body } = await scrape({ url: site.url + path, options });
      expect(status).toBe(202);
      await started.settle();
      return read(body.data.documentId);
    },
    held: (path, page) => hold(site, path, page),
  };
}

export interface ScrapedDocument {
  /** May be replaced by the id of another document. */
  id: string;
  /** The path of the document, followed by `tail`. */
  path(tail?: string): string;
  read(): Promise<Reply["body"]>;
  refresh(headers?: Record<string, string>, body?: unknown): Promise<Reply>;
  etag(): Promise<string>;
  /** Replaces the document by one that is scraped now. */
  scrapeAgain(): Promise<void>;
}

/** A document that is scraped from `/page` of the site before each test; the request for it is not in `seen`. */
export function useScrapedDocument({ site, client, scraped, read }: Scraping): ScrapedDocument {
  const document: ScrapedDocument = {
    id: "",
    path: (tail = "") => `/v1/documents/${document.id}${tail}`,
    read: () => read(document.id),
    refresh: (headers, body) => client("POST", document.path("/refresh"), body, headers),
    etag: async () => (await client("GET", document.path())).headers.get("etag")!,
    async scrapeAgain() {
      document.id = (await scraped("/page")).id;
    },
  };
  beforeEach(async () => {
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    await document.scrapeAgain();
    site.seen.length = 0;
  });
  return document;
}
