// Reads an HTML, PDF or Word file that was dropped on the page as Markdown, as `ctxrepo import` does.

import type { Extractor } from "../../../engine/extraction/extractor.ts";
import { Failure, messageOf } from "../../../kernel/errors.ts";

interface SentFile {
  name: string;
  type: "html" | "pdf" | "docx";
  base64: string;
}

/** The page that a file contains. Throws `unprocessable` with the reason if it cannot be read. */
export async function readFile(
  extractor: Extractor,
  { name, type, base64 }: SentFile,
): Promise<{ title: string; markdown: string; metadata: object }> {
  const body = Buffer.from(base64, "base64");
  const url = `file:///${encodeURIComponent(name)}`;
  try {
    if (type !== "html") {
      const { title, markdown, metadata } = await extractor.extractOffice({ body, type, url });
      return { title, markdown, metadata };
    }
    const contentType = "text/html; charset=utf-8";
    const { title, markdown } = await extractor.extract({ body, contentType, url, onlyMainContent: false });
    // Where the page was published is not known, and its metadata can be read from the stored page.
    return { title, markdown, metadata: {} };
  } catch (error) {
    throw new Failure("unprocessable", messageOf(error), { cause: error });
  }
}
