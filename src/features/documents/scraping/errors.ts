// Why a scrape or refresh failed, as the document's last error says it: stable codes from three rooms, and our own.

import type { DocumentSource } from "../../../db/tables.ts";
import { ExtractionError } from "../../../engine/extraction/errors.ts";
import { FetchError } from "../../../engine/fetching/errors.ts";
import { cutBytes } from "../../../kernel/text.ts";

/** A page that was fetched and read, and still makes no document; or a fetch that came to its end otherwise. */
export class ScrapeError extends Error {
  override readonly name = "ScrapeError";

  constructor(
    readonly code: "CONTENT_TOO_LARGE" | "EMPTY_CONTENT" | "HEADERS_LOST" | "INTERRUPTED" | "INTERNAL",
    message: string,
  ) {
    super(message);
  }
}

const MESSAGE_BYTES = 1024;

/** Whether the page never had its turn: no fault of its own. */
export function isBusy(error: unknown): boolean {
  return error instanceof ExtractionError && error.code === "EXTRACTOR_BUSY";
}

/** The entry of `lastRefreshError`, or undefined for what is our mistake and not the page's. */
export function refreshErrorOf(error: unknown, at: number): DocumentSource["lastRefreshError"] | undefined {
  if (error instanceof FetchError || error instanceof ExtractionError || error instanceof ScrapeError) {
    return { code: error.code, message: cutBytes(error.message.toWellFormed(), MESSAGE_BYTES), at };
  }
  return undefined;
}

/** Whether the same page may succeed a little later, and after how long at the earliest. */
export function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof FetchError) return error.retryable;
  return isBusy(error);
}
