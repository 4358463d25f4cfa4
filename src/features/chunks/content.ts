// The text of chunks: all of it, or the start that summaries need.

import type { TableReader } from "../../db/store.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../kernel/text.ts";
import { readBody } from "../documents/store.ts";
import { childrenOf, type LocatedChunk } from "./store.ts";

/**
 * Returns a function that reads the stored text of chunks, cut at 2 MB. For consecutive chunks of one document the body
 * is read once.
 */
export function openContents(reader: TableReader): (chunk: LocatedChunk) => string {
  let source = "";
  let body = "";
  return ({ level, text, documentId, contentHash, startIndex, endIndex }) => {
    if (level === "paragraph") return cutBytes(text, LIMITS.document.wireTextBytes);
    if (source !== documentId + contentHash) {
      body = readBody(reader, documentId, contentHash) ?? "";
      source = documentId + contentHash;
    }
    const content = cutBytes(body.slice(startIndex, endIndex), LIMITS.document.wireTextBytes);
    // A copy, because a slice would keep the whole body in memory until the response is complete.
    return Buffer.from(content).toString();
  };
}

/** Maximum length of the text, in UTF-16 units, from which a summary is chosen; few sections are longer. */
const MAX_START_UNITS = 16_000;

/** The start of a section (heading and paragraphs) or paragraph, without reading the document's body. */
export function startOf(reader: TableReader, chunk: LocatedChunk): string {
  let start = chunk.text;
  if (chunk.level === "section") {
    for (const { text } of childrenOf(reader, chunk.key, { from: 0, to: LIMITS.document.chunks })) {
      if (start.length >= MAX_START_UNITS) break;
      start += `\n\n${text}`;
    }
  }
  return cutUnits(start, MAX_START_UNITS);
}
