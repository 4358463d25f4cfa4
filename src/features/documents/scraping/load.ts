// Loads a page for a document: fetches it, retries if that may help, and extracts its text. It writes nothing.

import type { Extractor } from "../../../engine/extraction/extractor.ts";
import { FetchError } from "../../../engine/fetching/errors.ts";
import type { Fetcher, PageRequest } from "../../../engine/fetching/fetch-page.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { normalizeTags, tagProblems } from "../../../kernel/tags.ts";
import { cutBytes, utf8Length } from "../../../kernel/text.ts";
import { isRetryable, ScrapeError } from "./errors.ts";

/** What loading a page needs. */
export interface LoadDeps {
  clock: Clock;
  fetcher: Fetcher;
  extractor: Extractor;
}

/** A page in the form in which a document stores it. */
export interface LoadedPage {
  notModified: false;
  /** "" if the page has none. */
  title: string;
  markdown: string;
  /** Null if there is none, or it is larger than a document may be. */
  contentHtml: string | null;
  rawHtml: string | null;
  metadata: Record<string, string>;
  /** Tags that the page itself names, such that a document can have them. */
  tags: string[];
  finalUrl: string;
  etag: string | null;
  lastModified: string | null;
}

/** A request for a page; `timeoutMs` bounds each attempt. */
export interface LoadRequest extends PageRequest {
  /** Whose page it is: users take turns. */
  userId: string;
  onlyMainContent: boolean;
}

/** Pauses before the second and the third attempt. */
const PAUSES_MS = [500, 3_000];
/** Maximum time of all attempts together. */
const MAX_TOTAL_MS = 30_000;
/** Maximum pause that a server can request with Retry-After. */
const MAX_RETRY_AFTER_MS = 8_000;
/** With less time left than this no further attempt is made. */
const MIN_ATTEMPT_MS = 500;
/** Maximum size of a stored validator or member of metadata. */
const MAX_VALUE_BYTES = 2 * 1024;

/**
 * Loads a page, with at most three attempts within 30 seconds if the failure may be temporary. Throws FetchError,
 * ExtractionError or ScrapeError, and the reason of `signal` when that is aborted.
 */
export async function loadPage(
  deps: LoadDeps,
  page: LoadRequest,
  signal: AbortSignal,
): Promise<LoadedPage | { notModified: true }> {
  const endsAt = deps.clock.monotonic() + MAX_TOTAL_MS;
  const left = () => endsAt - deps.clock.monotonic();
  let headersMs: number | undefined;
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    try {
      const timeoutMs = Math.min(page.timeoutMs, left());
      return await loadOnce(deps, { ...page, timeoutMs, headersMs }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (pauseMs === undefined || !isRetryable(error)) throw error;
      const requestedMs = error instanceof FetchError ? Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS) : 0;
      const waitMs = Math.max(pauseMs, requestedMs);
      if (left() - waitMs < MIN_ATTEMPT_MS) throw error;
      // After the first attempt, a slow server may use all the time that is left to start its response.
      headersMs = MAX_TOTAL_MS;
      await deps.clock.sleep(waitMs, signal);
    }
  }
  throw new Error("the last attempt returns or throws");
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
  const source = {
    body,
    // JSON is stored as text; its first line is not a title.
    contentType: isJson ? "text/plain; charset=utf-8" : contentType,
    url: finalUrl,
    onlyMainContent: request.onlyMainContent,
  };
  const extracted = await extractor.extractPage(source, { userId: request.userId, cancelled: signal });
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
      "the page contains no text: it may be built by scripts, which are not run",
    );
  }
  return {
    notModified: false,
    title: isJson ? "" : titleFrom(extracted.title),
    markdown,
    contentHtml: fitting(extracted.contentHtml),
    rawHtml: fitting(extracted.rawHtml),
    metadata: { ...textsOf(extracted.metadata), finalUrl },
    tags: tagsOf(extracted.tags ?? []),
    finalUrl,
    etag: validatorOf(etag),
    lastModified: validatorOf(lastModified),
  };
}

/** A title without NUL and surrounding space, cut to the maximum size of titles; may be "". */
export function titleFrom(text: string): string {
  return cutBytes(text.toWellFormed().replaceAll("\0", "").trim(), LIMITS.title.bytes).trim();
}

/** The tags that a document can have. */
const tagsOf = (tags: readonly string[]) =>
  normalizeTags(
    tags.map((tag) => tag.toWellFormed()).filter((tag) => tagProblems([tag], "").length === 0),
  ).slice(0, LIMITS.tags.count);

/** A validator, or null if it is missing or too long. */
const validatorOf = (value: string | undefined) =>
  value !== undefined && utf8Length(value) <= MAX_VALUE_BYTES ? value : null;

/** The members of metadata that are texts. */
function textsOf(metadata: object): Record<string, string> {
  const texts = Object.entries(metadata).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(
    texts.map(([name, value]) => [name, cutBytes(value.toWellFormed(), MAX_VALUE_BYTES)]),
  );
}
