// Why a page has no text for us. It knows no HTTP.

/** Each cause once; the code goes into the document's last error as it is. */
export type ExtractionCode =
  | "UNSUPPORTED_CONTENT_TYPE"
  | "NOT_TEXT"
  | "TOO_LARGE"
  | "TOO_MANY_NODES"
  | "EXTRACTION_TIMEOUT"
  | "EXTRACTION_FAILED"
  | "EXTRACTOR_BUSY";

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
