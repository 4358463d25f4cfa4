// The errors of an extraction.

import type { FailureCodeOf } from "../../kernel/failure-codes.ts";

/** The codes of `source.lastRefreshError` that an extraction can cause. */
export type ExtractionCode = FailureCodeOf<"extraction">;

/** A page that cannot be converted to Markdown. The message may be shown to the user. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";

  constructor(
    readonly code: ExtractionCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a page is not stored, for people. */
export const EMPTY_PAGE = "contains no text: it may be built by scripts, which are not run";
