// What the extraction thread offers. Pages in, Markdown out; it knows no network and no storage.

import { messageOf } from "../../kernel/errors.ts";
import { type ExtractionCode, ExtractionError } from "./errors.ts";
import { type ExtractedPage, extractPage, type PageSource } from "./extract.ts";

/** A page or the reason why there is none: the code must cross to the other thread. */
export type ExtractionAnswer = { page: ExtractedPage } | { error: { code: ExtractionCode; message: string } };

/** The functions of the extraction thread; see WorkerApi. */
export async function serveExtraction(): Promise<{ extract(input: PageSource): ExtractionAnswer }> {
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
