// Why a page has no text for us. It knows no HTTP.

import type { FailureCodeOf } from "../../kernel/failure-codes.ts";

/** The document's last error has the same code. */
export type ExtractionCode = FailureCodeOf<"extraction">;

/** A page that cannot be turned into Markdown. The message may be shown to the user. */
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
