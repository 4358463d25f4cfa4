// Reads a file that was dropped on the page as Markdown, as `ctxrepo import` does.

import { EMPTY_PAGE, ExtractionError } from "../../../engine/extraction/errors.ts";
import type { ExtractedFile } from "../../../engine/extraction/extract-file.ts";
import type { FileKind } from "../../../kernel/file-kinds.ts";
import type { Extractor } from "../../../engine/extraction/extractor.ts";
import { Failure, messageOf } from "../../../kernel/errors.ts";
import type { Requester } from "../../../kernel/fair-queue.ts";

interface SentFile {
  name: string;
  type: "html" | FileKind;
  base64: string;
}

/**
 * The page that a file contains. Throws `unprocessable` with the reason if it cannot be read, `rate-limited` if too
 * many wait.
 */
export async function readFile(
  extractor: Extractor,
  { name, type, base64 }: SentFile,
  requester: Requester,
): Promise<Pick<ExtractedFile, "title" | "markdown" | "leftOut"> & { metadata: object; rawHtml?: string }> {
  const body = Buffer.from(base64, "base64");
  const url = `file:///${encodeURIComponent(name)}`;
  try {
    if (type !== "html") return await extractor.extractFile({ body, kind: type, url }, requester);
    const source = { body, contentType: "text/html", url, onlyMainContent: true };
    const { title, markdown, leftOut, rawHtml } = await extractor.extractPage(source, requester);
    // Where the page was published is not known, and its metadata can be read from the stored page.
    if (markdown.trim() === "") throw new Failure("unprocessable", EMPTY_PAGE);
    return { title, markdown, metadata: {}, leftOut, rawHtml: rawHtml ?? "" };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    const kind = error.code === "EXTRACTOR_BUSY" ? "rate-limited" : "unprocessable";
    throw new Failure(kind, messageOf(error), { cause: error });
  }
}
