// The wire shapes of scrape and refresh, and the checks of a scrape request that its schema cannot express.

import { type Static, Type } from "@sinclair/typebox";
import { FetchError } from "../../../engine/fetching/errors.ts";
import { readScrapeUrl } from "../../../engine/fetching/scrape-url.ts";
import { id, location } from "../../../http/response-shapes.ts";
import { label, recordIds } from "../../../http/shape.ts";
import { badRequest } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { utf8Length } from "../../../kernel/text.ts";
import { revisionHeaderShape } from "../contract.ts";
import type { ScrapeRequest } from "./scrape.ts";

const { maxWaitForMs, minTimeoutMs, maxTimeoutMs, headers: maxHeaders, headerBytes } = LIMITS.scrape;

const options = Type.Object({
  onlyMainContent: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        "Extract only the main text, without navigation and the like. `false` extracts the whole page.",
    }),
  ),
  waitFor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWaitForMs,
      description:
        "Milliseconds to wait before fetching. The page's scripts are not run, so this is only a delay.",
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: minTimeoutMs,
      maximum: maxTimeoutMs,
      description: "Maximum duration of one attempt in milliseconds.",
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        `Additional request headers, at most ${maxHeaders} and ${headerBytes / 1024} kB. They are sent only to the origin of ` +
        "the URL and are not stored, so a refresh does not send them. `Host` and headers that control the connection, the " +
        "encoding, ranges or conditions are rejected.",
    }),
  ),
});

export const scrapeBody = Type.Object(
  {
    url: {
      ...label(LIMITS.uri.bytes),
      description: "URL of the page, with http or https. Without `://`, `https://` is prefixed.",
    },
    collectionIds: Type.Optional(
      recordIds(
        LIMITS.collection.itemIds,
        "Collections to add the document to; all must exist and belong to the caller.",
      ),
    ),
    options: Type.Optional(options),
  },
  {
    $id: "DocumentScrape",
    examples: [{ url: "https://example.org/kettles", options: { onlyMainContent: true } }],
  },
);

export const scrapeResponse = Type.Object({ documentId: id });
export const scrapeHeaders = location("/v1/documents/:id");
export const refreshResponse = Type.Object({
  documentId: id,
  changed: Type.Boolean({
    description: "Whether the text or the title changed, so that there is a new version.",
    examples: [true],
  }),
});
export const refreshHeaders = Type.Composite([location("/v1/documents/:id"), revisionHeaderShape]);

/** Headers that only the server sets: they control the connection, or make the response conditional or partial. */
const RESERVED_HEADERS =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|accept-encoding|range|if-.*)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The scrape request, and the additional request headers. Throws `bad-request` with the invalid fields. */
export function readScrape(
  { url, collectionIds, options = {} }: Static<typeof scrapeBody>,
  allowPrivate: boolean,
): { request: ScrapeRequest; headers: Record<string, string> } {
  const headers = options.headers ?? {};
  checkHeaders(headers);
  const { onlyMainContent, waitFor, timeout } = options;
  return {
    request: {
      url: readUrl(url, allowPrivate),
      collectionIds,
      onlyMainContent,
      waitForMs: waitFor,
      timeoutMs: timeout,
      hasHeaders: Object.keys(headers).length > 0,
    },
    headers,
  };
}

/** The normalized URL. Throws `bad-request` if it must not be fetched. */
export function readUrl(text: string, allowPrivate: boolean): string {
  try {
    return readScrapeUrl(text, allowPrivate);
  } catch (error) {
    if (error instanceof FetchError) throw badRequest({ path: "url", message: error.message });
    throw error;
  }
}

function checkHeaders(headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  const problem = (name: string, message: string) => badRequest({ path: `options.headers${name}`, message });
  if (entries.length > maxHeaders) throw problem("", `must be at most ${maxHeaders}`);
  if (utf8Length(JSON.stringify(headers)) > headerBytes)
    throw problem("", `must be at most ${headerBytes} bytes`);
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name)) throw problem(`.${name}`, "is not a header name");
    if (RESERVED_HEADERS.test(name)) throw problem(`.${name}`, "is set by the server only");
    if (!HEADER_VALUE.test(value)) throw problem(`.${name}`, "is not a header value");
  }
}
