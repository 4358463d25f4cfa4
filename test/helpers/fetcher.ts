// A fetcher without a network: every URL is an article, whose text alternates between two editions.

import type { Fetcher } from "../../src/engine/fetching/fetch-page.ts";

export function fakeFetcher(): Fetcher {
  let fetches = 0;
  return {
    async fetch({ url }) {
      const edition = ++fetches % 2 === 0 ? "first" : "second";
      const text = `<p>The kettle whistles when the water boils; this is the ${edition} edition of it.</p>`;
      const page = `<!doctype html><html><head><title>Kettles</title></head><body><h1>Kettles</h1>${text}</body></html>`;
      const body = new TextEncoder().encode(page);
      return { notModified: false, body, contentType: "text/html", finalUrl: url };
    },
    setOwnPort() {},
  };
}
