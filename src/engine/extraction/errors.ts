// The errors of an extraction.

import { messageOf } from "../../kernel/errors.ts";
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

/** What a reader of files finds. Throws ExtractionError also for the errors of libraries. */
export async function contentsOf<Contents>(read: () => Promise<Contents>): Promise<Contents> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    const reason = error instanceof RangeError ? "it is nested too deeply" : messageOf(error);
    throw new ExtractionError("NOT_TEXT", `the file cannot be read: ${reason}`, { cause: error });
  }
}

/** Why a page is not stored, for people. */
export const EMPTY_PAGE = "contains no text: it may be built by scripts, which are not run";
