// The wire shapes of chunks.

import type { ReadChunk } from "./read.ts";

/** A chunk as GET /v1/pd/read shows it. */
export function readToWire(chunk: ReadChunk): Record<string, unknown> {
  const sectionPath = chunk.sectionPath.join(" > ");
  return {
    chunkId: chunk.id,
    _id: chunk.id,
    content: chunk.content,
    level: chunk.level,
    hierarchy: {
      documentId: chunk.documentId,
      documentTitle: chunk.documentTitle,
      sectionPath,
      position: {
        chunkIndex: chunk.chunkIndex,
        parentChunkId: chunk.parentId,
        prevSiblingId: chunk.previousId,
        nextSiblingId: chunk.nextId,
      },
    },
    metadata: {
      startIndex: chunk.startIndex,
      endIndex: chunk.endIndex,
      wordCount: chunk.wordCount,
      sectionPath,
      ...(chunk.headingText !== null && { headingText: chunk.headingText }),
    },
  };
}
