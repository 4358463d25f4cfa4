// Errors of loading a page, and the entry that they become in a document's `lastRefreshError`. Codes:
// kernel/failure-codes.ts.

import type { DocumentSource } from "../../../db/tables.ts";
import { ExtractionError } from "../../../engine/extraction/errors.ts";
import { FetchError } from "../../../engine/fetching/errors.ts";
import { FAILURE_CODES, type FailureCodeOf } from "../../../kernel/failure-codes.ts";
import { cutBytes } from "../../../kernel/text.ts";

export type ScrapeErrorCode = FailureCodeOf<"scraping">;

/** A page was fetched and read but cannot become a document, or its fetch was abandoned. */
export class ScrapeError extends Error {
  override readonly name = "ScrapeError";

  constructor(
    readonly code: ScrapeErrorCode,
    message: string,
  ) {
    super(message);
  }
}

const MAX_MESSAGE_BYTES = 1024;

/** Whether the page was not read because too many others were waiting. */
export function isBusy(error: unknown): boolean {
  return error instanceof ExtractionError && error.code === "EXTRACTOR_BUSY";
}

/** The entry of `lastRefreshError`, with its time (epoch ms); undefined for internal errors. */
export function refreshErrorOf(error: unknown, at: number): DocumentSource["lastRefreshError"] {
  if (error instanceof FetchError || error instanceof ExtractionError || error instanceof ScrapeError) {
    return { code: error.code, message: cutBytes(error.message.toWellFormed(), MAX_MESSAGE_BYTES), at };
  }
  return undefined;
}

/** Whether the same page may succeed a few seconds later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof FetchError) return error.retryable;
  return error instanceof ExtractionError && FAILURE_CODES[error.code].retry === "automatic";
}
