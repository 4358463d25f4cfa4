// The wire shapes of chunks and of search sessions.

import { type Static, Type } from "@sinclair/typebox";
import { count, id, instant, oneOf, orNull, score, text } from "../../http/answers.ts";
import { searchText } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { ReadChunk } from "./read.ts";
import type { SearchSession } from "./session.ts";

const { defaultLimit, maxLimit, maxTokens, defaultNeighbours, maxNeighbours } = LIMITS.disclosure;
const { defaultTtlS, minTtlS, maxTtlS } = LIMITS.searchSession;

export const searchBody = Type.Object(
  {
    query: searchText(),
    sessionId: Type.Optional(Type.String()),
    maxTokens: Type.Optional(Type.Number({ minimum: 1, maximum: maxTokens })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit })),
    detailLevel: Type.Optional(
      Type.Union([Type.Literal("summary"), Type.Literal("full")], { default: "summary" }),
    ),
    documentId: Type.Optional(Type.String()),
    collectionId: Type.Optional(Type.String()),
    scoreThreshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: LIMITS.search.defaultThreshold,
        description: "Only chunks with at least this score.",
      }),
    ),
  },
  { examples: [{ query: "how do I notice that the water is hot?", limit: 5 }] },
);

export const expandBody = Type.Object(
  {
    chunkId: Type.String(),
    direction: oneOf(["up", "down", "next", "previous", "surrounding"]),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: maxNeighbours, default: defaultNeighbours })),
  },
  { examples: [{ chunkId: id.examples[0], direction: "surrounding", count: 1 }] },
);

export const sessionBody = Type.Object(
  { ttl: Type.Optional(Type.Integer({ minimum: minTtlS, maximum: maxTtlS, default: defaultTtlS })) },
  { examples: [{ ttl: 3600 }] },
);

const level = oneOf(["paragraph", "section", "document"]);
const content = text("The kettle whistles when the water boils.");
const sectionPath = Type.String({ description: "Headings joined with ` > `.", examples: ["Kitchen > Tea"] });
const noNeighbour = Type.Union([id, Type.Null()], { examples: [null] });

const chunkShape = Type.Object(
  {
    chunkId: id,
    _id: id,
    documentId: id,
    documentTitle: text("Kitchen notes"),
    level,
    content,
    parentId: orNull(id),
    siblingIds: Type.Object({ prev: noNeighbour, next: orNull(id) }),
    chunkIndex: count(0),
    headingText: Type.Optional(Type.String()),
    sectionPath,
    wordCount: count(7),
  },
  { $id: "Chunk" },
);
const foundChunkShape = Type.Composite([chunkShape, Type.Object({ score })], { $id: "FoundChunk" });

/** A chunk as search shows it, and expand without its score. */
export function chunkToWire(
  chunk: ReadChunk & { score?: number },
): Static<typeof chunkShape> & { score?: number } {
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

export const chunkSearchShape = Type.Object({
  results: Type.Array(foundChunkShape),
  meta: Type.Object({
    query: text("how do I notice that the water is hot?"),
    totalResults: count(1),
    latencyMs: count(9),
  }),
});
export const expandedShape = Type.Object({ chunks: Type.Array(chunkShape) });

export const readChunkShape = Type.Object(
  {
    chunkId: id,
    _id: id,
    content,
    level,
    hierarchy: Type.Object({
      documentId: id,
      documentTitle: text("Kitchen notes"),
      sectionPath,
      position: Type.Object({
        chunkIndex: count(0),
        parentChunkId: orNull(id),
        prevSiblingId: noNeighbour,
        nextSiblingId: orNull(id),
      }),
    }),
    metadata: Type.Object({
      startIndex: count(7),
      endIndex: count(48),
      wordCount: count(7),
      sectionPath,
      headingText: Type.Optional(Type.String()),
    }),
  },
  { $id: "ReadChunk" },
);

/** A chunk as GET /v1/pd/read shows it. */
export function readToWire(chunk: ReadChunk): Static<typeof readChunkShape> {
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

export const sessionShape = Type.Object(
  { sessionId: id, createdAt: instant, expiresAt: instant },
  { $id: "Session" },
);

export function sessionToWire(session: SearchSession): Static<typeof sessionShape> {
  return { sessionId: session.id, createdAt: session.createdAt, expiresAt: session.expiresAt };
}
