// The wire shapes of scrape and refresh, and the rules of a scrape request that its schema cannot say.

import { type Static, Type } from "@sinclair/typebox";
import { FetchError } from "../../../engine/fetching/errors.ts";
import { readScrapeUrl } from "../../../engine/fetching/scrape-url.ts";
import { flag, id, location } from "../../../http/answers.ts";
import { label } from "../../../http/shape.ts";
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
      description: "Leaves out what frames the text; `false` keeps the whole page.",
    }),
  ),
  waitFor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxWaitForMs,
      description: "Milliseconds to wait before fetching. Scripts are not run, so it only delays.",
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: minTimeoutMs,
      maximum: maxTimeoutMs,
      description: "Milliseconds that one try may take.",
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        `Request headers of your own, at most ${maxHeaders} and ${headerBytes / 1024} kB: sent to the origin of the URL ` +
        "alone, never stored, and so not sent by a refresh. Those that frame the request or make it conditional are refused.",
    }),
  ),
});

export const scrapeBody = Type.Object(
  {
    url: {
      ...label(LIMITS.uri.bytes),
      description: "The page, http or https; `https://` is put before it where there is no `://`.",
    },
    collectionIds: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.collection.itemIds })),
    options: Type.Optional(options),
  },
  { examples: [{ url: "https://example.org/kettles", options: { onlyMainContent: true } }] },
);

export const scrapeAnswer = Type.Object({ documentId: id });
export const scrapeHeaders = location("/v1/documents/:id");
export const refreshAnswer = Type.Object({ documentId: id, changed: flag(true) });
export const refreshHeaders = Type.Composite([location("/v1/documents/:id"), revisionHeaderShape]);

/** Headers that are ours to set: they frame the request, or make its answer conditional or partial. */
const OURS =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|accept-encoding|range|if-.*)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A scrape as its rules take it, and the headers that go with it. Throws `bad-request` naming what is wrong. */
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

/** The URL that is asked for. Throws `bad-request`. */
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
    if (!HEADER_NAME.test(name)) throw problem(`.${name}`, "is no header name");
    if (OURS.test(name)) throw problem(`.${name}`, "is set by the server alone");
    if (!HEADER_VALUE.test(value)) throw problem(`.${name}`, "is no header value");
  }
}
