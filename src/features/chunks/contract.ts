// The wire shapes of chunks and of search sessions.

import { Type } from "@sinclair/typebox";
import { searchText } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { ReadChunk } from "./read.ts";
import type { SearchSession } from "./session.ts";

const { defaultLimit, maxLimit, maxTokens, defaultNeighbours, maxNeighbours } = LIMITS.disclosure;
const { defaultTtlS, minTtlS, maxTtlS } = LIMITS.searchSession;

export const searchBody = Type.Object({
  query: searchText(),
  sessionId: Type.Optional(Type.String()),
  maxTokens: Type.Optional(Type.Number({ minimum: 1, maximum: maxTokens })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit })),
  detailLevel: Type.Optional(
    Type.Union([Type.Literal("summary"), Type.Literal("full")], { default: "summary" }),
  ),
  documentId: Type.Optional(Type.String()),
  collectionId: Type.Optional(Type.String()),
});

export const expandBody = Type.Object({
  chunkId: Type.String(),
  direction: Type.Union([
    Type.Literal("up"),
    Type.Literal("down"),
    Type.Literal("next"),
    Type.Literal("previous"),
    Type.Literal("surrounding"),
  ]),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: maxNeighbours, default: defaultNeighbours })),
});

export const sessionBody = Type.Object({
  ttl: Type.Optional(Type.Integer({ minimum: minTtlS, maximum: maxTtlS, default: defaultTtlS })),
});

/** A chunk as search and expand show it. */
export function chunkToWire(chunk: ReadChunk & { score?: number }): Record<string, unknown> {
  return {
    chunkId: chunk.id,
    _id: chunk.id,
    documentId: chunk.documentId,
    documentTitle: chunk.documentTitle,
    level: chunk.level,
    content: chunk.content,
    score: chunk.score,
    parentId: chunk.parentId,
    siblingIds: { prev: chunk.previousId, next: chunk.nextId },
    chunkIndex: chunk.chunkIndex,
    headingText: chunk.headingText ?? undefined,
    sectionPath: chunk.sectionPath.join(" > "),
    wordCount: chunk.wordCount,
  };
}

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

export function sessionToWire({ id, createdAt, expiresAt }: SearchSession): Record<string, unknown> {
  return { sessionId: id, createdAt, expiresAt };
}
