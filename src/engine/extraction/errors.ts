// The errors of an extraction. They do not depend on HTTP.

/** One code for each cause; the document's last error contains it. */
export type ExtractionCode =
  | "UNSUPPORTED_CONTENT_TYPE"
  | "NOT_TEXT"
  | "TOO_LARGE"
  | "TOO_MANY_NODES"
  | "EXTRACTION_TIMEOUT"
  | "EXTRACTION_FAILED"
  | "EXTRACTOR_BUSY";

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
