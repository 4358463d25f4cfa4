// The text of chunks: the whole of it as it is stored, or its beginning as far as a summary needs to look.

import type { Store } from "../../db/store.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../kernel/text.ts";
import { readBody } from "../documents/store.ts";
import { childrenOf, type LocatedChunk } from "./store.ts";

type Reader = Pick<Store, "tables">;

/**
 * Reads the stored text of chunks from startIndex to endIndex, cut at 2 MB. Of neighbouring chunks of one document the
 * body is read once.
 */
export function openContents(reader: Reader): (chunk: LocatedChunk) => string {
  let source = "";
  let body = "";
  return ({ level, text, documentId, contentHash, startIndex, endIndex }) => {
    if (level === "paragraph") return cutBytes(text, LIMITS.document.wireTextBytes);
    if (source !== documentId + contentHash) {
      body = readBody(reader, documentId, contentHash) ?? "";
      source = documentId + contentHash;
    }
    const content = cutBytes(body.slice(startIndex, endIndex), LIMITS.document.wireTextBytes);
    // A copy: a slice keeps the whole body in memory for as long as the answer is being made.
    return Buffer.from(content).toString();
  };
}

/** How far into a chunk a summary looks for its matching part; few sections are longer. UTF-16 units. */
const BEGINNING_UNITS = 16_000;

/** The beginning of a section or paragraph, without reading the document's body: a section's heading and its paragraphs. */
export function beginningOf(reader: Reader, chunk: LocatedChunk): string {
  let beginning = chunk.text;
  if (chunk.level === "section") {
    for (const { text } of childrenOf(reader, chunk.key, { from: 0, to: LIMITS.document.chunks })) {
      if (beginning.length >= BEGINNING_UNITS) break;
      beginning += `\n\n${text}`;
    }
  }
  return cutUnits(beginning, BEGINNING_UNITS);
}
