// The wire shapes of chunks and of search sessions.

import { type Static, Type } from "@sinclair/typebox";
import {
  archivedStatus,
  count,
  id,
  instant,
  oneOf,
  orNull,
  pending,
  place,
  score,
  text,
} from "../../http/response-shapes.ts";
import { recordId, searchText } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Place } from "./place.ts";
import type { ReadChunk } from "./read.ts";
import type { SearchSession } from "./sessions/session.ts";

const { defaultLimit, maxLimit, results, maxTokens, defaultNeighbours, maxNeighbours } = LIMITS.disclosure;
const { defaultTtlS, minTtlS, maxTtlS } = LIMITS.searchSession;

export const searchBody = Type.Object(
  {
    query: searchText(),
    sessionId: Type.Optional(
      recordId("A session from `POST /v1/pd/session`. Chunks it has already returned are omitted."),
    ),
    maxTokens: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: maxTokens,
        description:
          "Maximum size of the returned contents, in tokens of 4 characters. The first result is always returned.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxLimit,
        default: defaultLimit,
        description: `Maximum number of results. At most ${results} are returned.`,
      }),
    ),
    detailLevel: Type.Optional(
      oneOf(["summary", "full"], {
        default: "summary",
        description: "`summary` returns about 200 characters of each chunk, `full` the whole chunk.",
      }),
    ),
    documentId: Type.Optional(recordId("Search only in this document.")),
    collectionId: Type.Optional(recordId("Search only in the documents of this collection.")),
    scoreThreshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: LIMITS.search.defaultThreshold,
        description:
          "Only chunks with at least this score are returned. If it is absent and the query contains a phrase in quotes, it is 0.",
      }),
    ),
  },
  { $id: "ChunkSearch", examples: [{ query: "how do I notice that the water is hot?", limit: 5 }] },
);

export const expandBody = Type.Object(
  {
    chunkId: recordId("The chunk to start from."),
    direction: oneOf(["up", "down", "next", "previous", "surrounding"], {
      description:
        "`up` returns the parent, `down` the children, `next` and `previous` one neighbour, `surrounding` the neighbours on both sides.",
    }),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxNeighbours,
        default: defaultNeighbours,
        description: "Neighbours on each side, for `surrounding`.",
      }),
    ),
  },
  { $id: "ChunkExpand", examples: [{ chunkId: id.examples[0], direction: "surrounding", count: 1 }] },
);

export const sessionBody = Type.Object(
  {
    ttl: Type.Optional(
      Type.Integer({
        minimum: minTtlS,
        maximum: maxTtlS,
        default: defaultTtlS,
        description: "Lifetime of the session in seconds.",
      }),
    ),
  },
  { $id: "SessionCreate", examples: [{ ttl: 3600 }] },
);

const level = oneOf(["paragraph", "section", "document"]);
const content = text("The kettle whistles when the water boils.");
const sectionPath = Type.String({
  description: "The headings above the chunk, joined with ` > `.",
  examples: ["Kitchen > Tea"],
});
const chunkIndex = Type.Integer({
  minimum: 0,
  description: "Position among all chunks of the document, from 0.",
  examples: [0],
});
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
    chunkIndex,
    headingText: Type.Optional(Type.String()),
    sectionPath,
    wordCount: count(7),
    status: archivedStatus,
    source: place,
  },
  { $id: "Chunk" },
);
const foundChunkShape = Type.Composite([chunkShape, Type.Object({ score })], { $id: "FoundChunk" });

/** A chunk in search results; in the results of expand it has no score. */
export function chunkToWire(
  chunk: ReadChunk & { score?: number; source?: Place },
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
    status: chunk.documentStatus === "archived" ? "archived" : undefined,
    source: chunk.source,
  };
}

export const chunkSearchShape = Type.Object({
  results: Type.Array(foundChunkShape),
  meta: Type.Object({
    query: text("how do I notice that the water is hot?"),
    totalResults: count(1),
    latencyMs: count(9),
    pending,
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
        chunkIndex,
        parentChunkId: orNull(id),
        prevSiblingId: noNeighbour,
        nextSiblingId: orNull(id),
      }),
    }),
    metadata: Type.Object({
      startIndex: Type.Integer({
        minimum: 0,
        description: "Start of the chunk in the document's `content`, in UTF-16 units.",
        examples: [7],
      }),
      endIndex: Type.Integer({
        minimum: 0,
        description: "End of the chunk (exclusive), in UTF-16 units.",
        examples: [48],
      }),
      wordCount: count(7),
      sectionPath,
      headingText: Type.Optional(Type.String()),
    }),
  },
  { $id: "ReadChunk" },
);

/** A chunk as returned by GET /v1/pd/read. */
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

/** A search session as returned by POST /v1/pd/session. */
export function sessionToWire(session: SearchSession): Static<typeof sessionShape> {
  return { sessionId: session.id, createdAt: session.createdAt, expiresAt: session.expiresAt };
}
