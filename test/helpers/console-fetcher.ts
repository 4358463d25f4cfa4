// A fetcher that serves pages from memory.

import { FetchError } from "../../src/engine/fetching/errors.ts";
import type { Fetcher } from "../../src/engine/fetching/fetch-page.ts";

/** The fetcher of these pages by URL, and a function that changes one. Every other URL is a 404. */
export function fetcherOf(pages: Record<string, string>): {
  fetcher: Fetcher;
  set(url: string, html: string): void;
} {
  const current = new Map(Object.entries(pages));
  return {
    set: (url, html) => current.set(url, html),
    fetcher: {
      async fetch({ url }) {
        const html = current.get(url);
        if (html === undefined) throw new FetchError("HTTP_404", "the server responded with status 404");
        const body = new TextEncoder().encode(html);
        return { notModified: false, body, contentType: "text/html; charset=utf-8", finalUrl: url };
      },
      setOwnPort() {},
    },
  };
}
