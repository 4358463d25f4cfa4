// Extracts small pages for the tests of this folder.

import { type ExtractedPage, extractPage } from "../../../src/engine/extraction/extract.ts";

export const URL_OF_PAGE = "https://example.com/guide/page.html";

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Extracts a page with this body, without selection of the main content. */
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

/** The Markdown of a page with this body. */
export function markdownOf(body: string, head = ""): string {
  return extractBody(body, head).markdown;
}
