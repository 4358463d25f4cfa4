// Reads one file of an import: its bytes and digest, then its text, and the Markdown of other kinds.

import { basename, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { UnpackedFile } from "../../engine/extraction/containers/part.ts";
import { EMPTY_PAGE } from "../../engine/extraction/errors.ts";
import { type Extractor, openExtractor } from "../../engine/extraction/extractor.ts";
import { Failure } from "../../kernel/errors.ts";
import type { ContainerKind } from "../../kernel/file-kinds.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { decodeText } from "../../importing/decode.ts";
import { exportFoldersOf, MAX_PART_BYTES } from "../../importing/export-layout.ts";
import { isExtracted, maxBytesOf, PART_ENDINGS, typeOf } from "../../importing/file-types.ts";
import type { FileText } from "../../importing/record.ts";
import { hasExportIndex } from "../export-index.ts";
import { readRegularFile } from "../regular-file.ts";

export interface FileReader {
  /** The bytes and their digest. Throws a Failure that says why the file cannot be read. */
  read(path: string): { bytes: Uint8Array; hash: string };
  /**
   * The text of these bytes. Throws a Failure if they are not text. Of a part of a file of several documents, all is
   * kept, and it cannot name parts of an exported record.
   */
  textOf(path: string, bytes: Uint8Array, options?: { isPart: boolean }): Promise<FileText>;
  /** The documents that a file contains. Throws ExtractionError. */
  unpack(kind: ContainerKind, bytes: Uint8Array): Promise<UnpackedFile>;
  close(): Promise<void>;
}

/**
 * Opens a reader. Files that are not plain text are read by processes that start with the first of them. `asIs` keeps
 * all of a saved web page, not only its main content.
 */
export function openFileReader({ asIs = false }: { asIs?: boolean } = {}): FileReader {
  let extractor: Extractor | undefined;
  // All files are those of one user, and nobody stops waiting for them.
  const requester = { userId: "", cancelled: new AbortController().signal };
  return {
    read(path) {
      const bytes = readRegularFile(path, maxBytesOf(typeOf(path)));
      return { bytes, hash: `sha256:${sha256Hex(bytes)}` };
    },
    async textOf(path, bytes, { isPart } = { isPart: false }) {
      const type = typeOf(path);
      const name = basename(path);
      const readPart = (part: string) => {
        if (isPart) throw new Failure("unprocessable", NOT_EXPORTED);
        return readExported(path, part);
      };
      if (type !== "html" && !isExtracted(type)) return { name, text: decodeText(bytes), readPart };
      extractor ??= openExtractor();
      const url = pathToFileURL(path).href;
      if (isExtracted(type)) {
        const page = await extractor.extractFile({ body: bytes, kind: type, url }, requester);
        return { name, text: "", page, readPart };
      }
      const source = { body: bytes, contentType: "text/html", url, onlyMainContent: !asIs && !isPart };
      const page = await extractor.extractPage(source, requester);
      if (page.markdown.trim() === "") throw new Failure("unprocessable", EMPTY_PAGE);
      // Where the page was published is not known, and its metadata can be read from the stored page.
      return { name, text: page.rawHtml ?? "", page: { ...page, metadata: {} }, readPart };
    },
    async unpack(kind, body) {
      extractor ??= openExtractor();
      return extractor.unpackFile({ body, kind, endings: PART_ENDINGS }, requester);
    },
    close: async () => extractor?.close(),
  };
}

const NOT_EXPORTED = "is read only in a folder that ctxrepo export has written";

/** The text of a part of the record at `path`, by its path inside the exported folder. */
function readExported(path: string, part: string): string {
  const folder = exportFoldersOf(path.replaceAll(sep, "/")).find(hasExportIndex);
  if (folder === undefined) {
    throw new Failure("unprocessable", NOT_EXPORTED);
  }
  return decodeText(readRegularFile(join(folder, part), MAX_PART_BYTES));
}
