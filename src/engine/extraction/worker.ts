// The functions of the extraction worker. They use no network and no storage.

import { messageOf } from "../../kernel/errors.ts";
import { type ExtractionCode, ExtractionError } from "./errors.ts";
import { type ExtractedPage, extractPage, type PageSource } from "./extract.ts";

/** A page, or the error with its code, because error classes cannot be sent to another thread. */
export type ExtractionResult = { page: ExtractedPage } | { error: { code: ExtractionCode; message: string } };

/** The functions of the extraction thread; see WorkerApi. */
export async function serveExtraction(): Promise<{ extract(input: PageSource): ExtractionResult }> {
  return {
    extract(source) {
      try {
        return { page: extractPage(source) };
      } catch (error) {
        const code = error instanceof ExtractionError ? error.code : "EXTRACTION_FAILED";
        return { error: { code, message: messageOf(error) } };
      }
    },
  };
}
