// The functions of the processes that read pages and files. They use no network and no storage.

import { messageOf } from "../../kernel/errors.ts";
import { type ExtractionCode, ExtractionError } from "./errors.ts";
import {
  type ExtractedFile,
  type ExtractedPage,
  extractFile,
  extractPage,
  type FileSource,
  type PageSource,
} from "./extract.ts";

/**
 * What was read, or the error with its code, because error classes cannot be sent to another process; and the memory
 * that the process has in use by now (resident set size).
 */
export type ExtractionResult<Value> = { memoryBytes: number } & (
  | { value: Value; error?: undefined }
  | { error: { code: ExtractionCode; message: string } }
);

/** See WorkerApi. */
export type ExtractionApi = {
  extractPage(input: PageSource): Promise<ExtractionResult<ExtractedPage>>;
  extractFile(input: FileSource): Promise<ExtractionResult<ExtractedFile>>;
};

export async function serveExtraction(): Promise<ExtractionApi> {
  return {
    extractPage: (source) => resultOf(() => extractPage(source)),
    extractFile: (source) => resultOf(() => extractFile(source)),
  };
}

async function resultOf<Value>(extract: () => Value | Promise<Value>): Promise<ExtractionResult<Value>> {
  try {
    const value = await extract();
    return { value, memoryBytes: process.memoryUsage.rss() };
  } catch (error) {
    const code = error instanceof ExtractionError ? error.code : "EXTRACTION_FAILED";
    return { error: { code, message: messageOf(error) }, memoryBytes: process.memoryUsage.rss() };
  }
}
