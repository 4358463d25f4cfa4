// Reads one file of an import: its bytes and digest, then its text, and the Markdown of HTML, PDF and Word files.

import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Extractor, openExtractor } from "../../engine/extraction/extractor.ts";
import { Failure } from "../../kernel/errors.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { decodeText } from "../../importing/decode.ts";
import { sizeProblem, typeOf } from "../../importing/file-types.ts";
import type { FileText } from "../../importing/record.ts";
import { reasonOf } from "./find-files.ts";

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
      const problem = sizeProblem(typeOf(path), statSync(path).size);
      if (problem !== undefined) throw new Failure("too-large", problem);
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
      const name = basename(path);
      const readBeside = (other: string) => decodeText(read(join(dirname(path), other)).bytes);
      if (type !== "html" && type !== "pdf" && type !== "docx")
        return { name, text: decodeText(bytes), readBeside };
      extractor ??= openExtractor();
      const url = pathToFileURL(path).href;
      if (type !== "html") {
        const page = await extractor.extractOffice({ body: bytes, type, url });
        return { name, text: "", page, readBeside };
      }
      const text = decodeText(bytes);
      const contentType = "text/html; charset=utf-8";
      const page = await extractor.extract({ body: bytes, contentType, url, onlyMainContent: false });
      // Where the page was published is not known, and its metadata can be read from the stored page.
      return { name, text, page: { ...page, metadata: {} }, readBeside };
    },
    close: async () => extractor?.close(),
  };
}
