// Finds the document that was scraped from a URL, so that a second scrape refreshes it. Must run in a browser, too.

import { pageNames } from "../kernel/uri.ts";
import { dataOf, type Requests } from "./reply.ts";

/** A document that was scraped, as far as it is needed here. */
export interface StoredPage {
  id: string;
  title: string;
  status: string;
  /** When the page was last read or tried, epoch ms. */
  checkedAt: number;
  /** The code of the last fetch if that failed, such as `HTTP_404`. */
  failed?: string;
}

/** The newest document that was scraped from this URL, with or without its fragment; undefined if there is none. */
export async function storedPage(client: Requests, url: string): Promise<StoredPage | undefined> {
  for (const name of pageNames(url)) {
    const query = { name, types: "document" };
    const { matches } = dataOf(await client.request("GET", "/console/api/named", { query }));
    for (const { id, place } of matches) {
      if (place !== name) continue;
      const reply = await client.request("GET", `/v1/documents/${id}`, { query: { includeContent: false } });
      const { sourceType, title, status, source, updatedAt } = dataOf(reply);
      if (sourceType === "scrape")
        return {
          id,
          title,
          status,
          checkedAt: source?.lastCheckedAt ?? updatedAt,
          failed: source?.lastRefreshError?.code,
        };
    }
  }
  return undefined;
}
