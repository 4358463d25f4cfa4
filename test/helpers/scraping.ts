// The set-up of tests of scrape and refresh: a server that may scrape this machine, and a web site on loopback.

import { ManualClock } from "../../src/kernel/clock.ts";
import { type Pages, startPages } from "./pages.ts";
import { type Client, type Started, startServer } from "./start.ts";

export const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
export const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";

export interface Scraping {
  site: Pages;
  started: Started;
  /** Moves only when a test advances it, and by the pauses between attempts to load a page, which are not waited for. */
  clock: ManualClock;
  client: Client;
  /** Requests a scrape. */
  scrape(body: object, headers?: Record<string, string>): ReturnType<Client>;
  read(id: string): Promise<Awaited<ReturnType<Client>>["body"]>;
  /** Deletes all pages of the site and the requests it has recorded. */
  clear(): void;
  stop(): Promise<void>;
}

export function startScraping(): Scraping {
  const site = startPages();
  const clock = new ManualClock(undefined, { advancesOnSleep: true });
  const started = startServer({ clock, settings: { scrapePrivateNetwork: "allow" } });
  const { client } = started;
  return {
    site,
    started,
    clock,
    client,
    scrape: (body, headers) => client("POST", "/v1/documents/scrape", body, headers),
    read: async (id) => (await client("GET", `/v1/documents/${id}`)).body.data,
    clear() {
      site.seen.length = 0;
      for (const path of Object.keys(site.pages)) delete site.pages[path];
    },
    async stop() {
      await started.stop();
      await site.stop();
    },
  };
}
