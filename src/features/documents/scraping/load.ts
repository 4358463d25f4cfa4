// From a URL to a page that fits a document: fetched, tried again where that may help, and read. It writes nothing.

import type { Extractor } from "../../../engine/extraction/extractor.ts";
import { FetchError } from "../../../engine/fetching/errors.ts";
import type { Fetcher, PageRequest } from "../../../engine/fetching/fetch-page.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { cutBytes, utf8Length } from "../../../kernel/text.ts";
import { isRetryable, ScrapeError } from "./errors.ts";

/** What loading a page needs. */
export interface LoadDeps {
  clock: Clock;
  fetcher: Fetcher;
  extractor: Extractor;
}

export interface LoadedPage {
  notModified: false;
  /** "" where the page has none. */
  title: string;
  markdown: string;
  /** Null where there is none, or it is too large to keep. */
  contentHtml: string | null;
  rawHtml: string | null;
  metadata: Record<string, string>;
  finalUrl: string;
  etag: string | null;
  lastModified: string | null;
}

export interface LoadRequest extends PageRequest {
  onlyMainContent: boolean;
}

/** Between a try and the next. */
const PAUSES_MS = [500, 3_000];
/** All tries together. */
const WITHIN_MS = 30_000;
/** How long a server may ask us to wait and still be asked again. */
const MAX_RETRY_AFTER_MS = 8_000;
/** Less time than this is no further try. */
const MIN_TRY_MS = 500;
/** Of a header or a member of metadata. */
const FACT_BYTES = 2 * 1024;

/**
 * Throws FetchError, ExtractionError or ScrapeError. `timeoutMs` bounds each try; three tries are made within 30 seconds where
 * the cause may pass. Throws the reason of `signal` when that fires.
 */
export async function loadPage(
  deps: LoadDeps,
  page: LoadRequest,
  signal: AbortSignal,
): Promise<LoadedPage | { notModified: true }> {
  const endsAt = deps.clock.monotonic() + WITHIN_MS;
  const left = () => endsAt - deps.clock.monotonic();
  let headersMs: number | undefined;
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    try {
      const timeoutMs = Math.min(page.timeoutMs, left());
      return await loadOnce(deps, { ...page, timeoutMs, headersMs }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (pauseMs === undefined || !isRetryable(error)) throw error;
      const asked = error instanceof FetchError ? Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS) : 0;
      const wait = Math.max(pauseMs, asked);
      if (left() - wait < MIN_TRY_MS) throw error;
      // A server that said nothing for its time is not gone but slow: now it has all that is left.
      headersMs = WITHIN_MS;
      await deps.clock.sleep(wait, signal);
    }
  }
  throw new Error("the last try either returns or throws");
}

async function loadOnce(
  { fetcher, extractor }: LoadDeps,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadedPage | { notModified: true }> {
  const fetched = await fetcher.fetch(request, signal);
  if (fetched.notModified) return fetched;
  const { body, contentType, finalUrl, etag, lastModified } = fetched;
  const isJson = /^application\/json\b/i.test(contentType);
  const extracted = await extractor.extract({
    body,
    // JSON is read as the text that it is; its first line is no title.
    contentType: isJson ? "text/plain; charset=utf-8" : contentType,
    url: finalUrl,
    onlyMainContent: request.onlyMainContent,
  });
  const { textBytes } = LIMITS.document;
  const fitting = (text: string | null) =>
    text === null || utf8Length(text) > textBytes ? null : text.toWellFormed();
  const markdown = extracted.markdown.toWellFormed();
  if (utf8Length(markdown) > textBytes) {
    throw new ScrapeError("CONTENT_TOO_LARGE", `the page's text is larger than ${textBytes / 1024 ** 2} MB`);
  }
  if (markdown.trim() === "") {
    throw new ScrapeError(
      "EMPTY_CONTENT",
      "the page holds no text: it may be built by scripts, which are not run",
    );
  }
  return {
    notModified: false,
    title: isJson ? "" : titleFrom(extracted.title),
    markdown,
    contentHtml: fitting(extracted.contentHtml),
    rawHtml: fitting(extracted.rawHtml),
    metadata: { ...factsOf(extracted.metadata), finalUrl },
    finalUrl,
    etag: shortFact(etag),
    lastModified: shortFact(lastModified),
  };
}

/** A title as documents may have it; "" for one that says nothing. */
export function titleFrom(text: string): string {
  return cutBytes(text.toWellFormed().replaceAll("\0", "").trim(), LIMITS.title.bytes).trim();
}

/** A validator is of use whole or not at all. */
const shortFact = (value: string | undefined) =>
  value !== undefined && utf8Length(value) <= FACT_BYTES ? value : null;

function factsOf(metadata: object): Record<string, string> {
  const texts = Object.entries(metadata).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, cutBytes(value.toWellFormed(), FACT_BYTES)]));
}
