// The kind of a body, from its header or its first characters.

import { ExtractionError } from "../errors.ts";

/** The kinds of pages that can be read. */
export type Kind = "html" | "markdown" | "text";

/**
 * The kind for a media type. Without a specific type, `head` (the first characters) decides. Throws ExtractionError
 * UNSUPPORTED_CONTENT_TYPE.
 */
export function kindOf(mediaType: string, head: string): Kind {
  switch (mediaType) {
    case "text/html":
    case "application/xhtml+xml":
      return "html";
    case "text/markdown":
    case "text/x-markdown":
      return "markdown";
    case "text/plain":
      return "text";
    case "":
    case "application/octet-stream":
      return HTML_START.test(withoutComments(head)) ? "html" : "text";
    case "application/xml":
    case "text/xml":
      if (/<html[\s>]/i.test(head)) return "html";
  }
  throw new ExtractionError(
    "UNSUPPORTED_CONTENT_TYPE",
    `a page of type ${mediaType.slice(0, 100)} cannot be read`,
  );
}

const HTML_START = /^<(?:!doctype\s+html|html|head|body|meta|title|script|div|p|h1|table|article|main)[\s>]/i;

/** The text after the white space and comments at its start. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4);
    if (end < 0) break;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

/** Media type (in lower case) and charset of a Content-Type header; "" for a missing part. */
export function readContentType(header: string): { mediaType: string; charset: string } {
  const [type = "", ...parameters] = header.split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(parameter)?.[1])
    .find((value) => value);
  return { mediaType: type.trim().toLowerCase(), charset: charset ?? "" };
}
