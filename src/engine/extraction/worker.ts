// The functions of the extraction worker. They use no network and no storage.

import { heapStats } from "bun:jsc";
import { messageOf } from "../../kernel/errors.ts";
import { type ExtractionCode, ExtractionError } from "./errors.ts";
import {
  type ExtractedPage,
  extractOffice,
  extractPage,
  type OfficeSource,
  type PageSource,
} from "./extract.ts";

/**
 * A page, or the error with its code, because error classes cannot be sent to another thread; and the memory that the thread
 * has reserved for objects by now.
 */
export type ExtractionResult = { heapBytes: number } & (
  | { page: ExtractedPage }
  | { error: { code: ExtractionCode; message: string } }
);

/** The functions of the extraction thread; see WorkerApi. */
export async function serveExtraction(): Promise<{
  extract(input: PageSource): Promise<ExtractionResult>;
  extractOffice(input: OfficeSource): Promise<ExtractionResult>;
}> {
  return {
    extract: (source) => resultOf(() => extractPage(source)),
    extractOffice: (source) => resultOf(() => extractOffice(source)),
  };
}

async function resultOf(extract: () => ExtractedPage | Promise<ExtractedPage>): Promise<ExtractionResult> {
  try {
    const page = await extract();
    return { page, heapBytes: heapStats().heapCapacity };
  } catch (error) {
    const code = error instanceof ExtractionError ? error.code : "EXTRACTION_FAILED";
    return { error: { code, message: messageOf(error) }, heapBytes: heapStats().heapCapacity };
  }
}
