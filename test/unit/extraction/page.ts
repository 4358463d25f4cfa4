// Pages for the tests of this folder, and what is read from them.

import { type ExtractedPage, extractPage } from "../../../src/engine/extraction/extract.ts";

export const URL_OF_PAGE = "https://example.com/guide/page.html";

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A whole page with this body, extracted as a whole: selection has tests of its own. */
export function extractBody(body: string, head = ""): ExtractedPage {
  return extract(
    `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`,
  );
}

export function extract(html: string, options: { main?: boolean; url?: string } = {}): ExtractedPage {
  return extractPage({
    body: bytes(html),
    contentType: "text/html; charset=utf-8",
    url: options.url ?? URL_OF_PAGE,
    onlyMainContent: options.main ?? false,
  });
}

/** The Markdown of a page's body. */
export function markdownOf(body: string, head = ""): string {
  return extractBody(body, head).markdown;
}
