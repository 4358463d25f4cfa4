// Reads one file of an import: its bytes and digest, then its text, and the Markdown of HTML, PDF and Word files.

import { readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Extractor, openExtractor } from "../../engine/extraction/extractor.ts";
import { Failure } from "../../kernel/errors.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { FileText } from "./record.ts";
import { reasonOf, typeOf } from "./find-files.ts";

const MB = 1024 * 1024;
/** Front matter can be as large as metadata. The text itself is checked by the API. */
const MAX_TEXT_BYTES = LIMITS.document.textBytes + LIMITS.metadata.bytes;
/** Most of a PDF or Word file are pictures and fonts. */
const MAX_OFFICE_BYTES = 64 * MB;

export interface FileReader {
  /** The bytes and their digest. Throws a Failure that says why the file cannot be read. */
  read(path: string): { bytes: Uint8Array; hash: string };
  /** The text of these bytes. Throws a Failure if they are not text. */
  textOf(path: string, bytes: Uint8Array): Promise<FileText>;
  close(): Promise<void>;
}

/** Opens a reader. Its worker starts with the first file that is not plain text. */
export function openFileReader(): FileReader {
  let extractor: Extractor | undefined;
  const read = (path: string) => {
    try {
      const { size } = statSync(path);
      const maximum = typeOf(path) === "pdf" || typeOf(path) === "docx" ? MAX_OFFICE_BYTES : MAX_TEXT_BYTES;
      if (size > maximum) throw new Failure("too-large", `is larger than ${Math.floor(maximum / MB)} MB`);
      const bytes = readFileSync(path);
      return { bytes, hash: `sha256:${sha256Hex(bytes)}` };
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure("unavailable", reasonOf(error), { cause: error });
    }
  };
  return {
    read,
    async textOf(path, bytes) {
      const type = typeOf(path);
      const readBeside = (other: string) => decode(read(other).bytes);
      if (type !== "html" && type !== "pdf" && type !== "docx")
        return { path, text: decode(bytes), readBeside };
      extractor ??= openExtractor();
      const url = pathToFileURL(path).href;
      if (type !== "html") {
        const page = await extractor.extractOffice({ body: bytes, type, url });
        return { path, text: "", page, readBeside };
      }
      const text = decode(bytes);
      const contentType = "text/html; charset=utf-8";
      const page = await extractor.extract({ body: bytes, contentType, url, onlyMainContent: false });
      // Where the page was published is not known, and its metadata can be read from the stored page.
      return { path, text, page: { ...page, metadata: {} }, readBeside };
    },
    close: async () => extractor?.close(),
  };
}

/** UTF-8 without its byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure("unprocessable", "is not UTF-8 text", { cause: error });
  }
}
