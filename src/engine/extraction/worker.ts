// The functions of the processes that read pages and files. They use no network and no storage.

import { messageOf } from "../../kernel/errors.ts";
import type { UnpackedFile } from "./containers/part.ts";
import { type ContainerSource, unpackFile } from "./containers/unpack.ts";
import { type ExtractionCode, ExtractionError } from "./errors.ts";
import { type ExtractedPage, extractPage, type PageSource } from "./extract.ts";
import { type ExtractedFile, extractFile, type FileSource } from "./extract-file.ts";

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
  unpackFile(input: ContainerSource): Promise<ExtractionResult<UnpackedFile>>;
  extractPage(input: PageSource): Promise<ExtractionResult<ExtractedPage>>;
  extractFile(input: FileSource): Promise<ExtractionResult<ExtractedFile>>;
};

export async function serveExtraction(): Promise<ExtractionApi> {
  return {
    unpackFile: (source) => resultOf(() => unpackFile(source)),
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
