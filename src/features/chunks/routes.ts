// The operations on chunks (progressive disclosure): paths, shapes, scopes, statuses.

import type { Store } from "../../db/store.ts";
import { operationOf } from "../../http/operation.ts";
import { dataOf } from "../../http/response-shapes.ts";
import { LIMITS } from "../../kernel/limits.ts";
import {
  chunkSearchShape,
  chunkToWire,
  expandBody,
  expandedShape,
  readChunkShape,
  readToWire,
  searchBody,
  sessionBody,
  sessionShape,
  sessionToWire,
} from "./contract.ts";
import { expandChunk } from "./expand.ts";
import { pendingOf } from "./pending.ts";
import { placeOf } from "./place.ts";
import { type ReadChunk, readChunk } from "./read.ts";
import { type ChunkSearchDeps, searchChunks } from "./search.ts";
import { createSession } from "./sessions/session.ts";

const { disclosure, search, searchSession } = LIMITS;

const operation = operationOf<ChunkSearchDeps>();

const withPlace = <Chunk extends ReadChunk>(store: Store, chunk: Chunk) => ({
  ...chunk,
  source: placeOf(store, { documentId: chunk.documentId, chunkId: chunk.id }),
});

export const chunkOperations = [
  operation({
    name: "pd.search",
    method: "POST",
    path: "/v1/pd/search",
    summary: "Search for sections and paragraphs",
    description:
      "Finds chunks of the caller's documents by meaning and by words, best first. Prompts are not searched. At most 50 results are " +
      "returned, even if `limit` is larger. An unknown `documentId` or `collectionId` gives an empty list; an unknown or expired `sessionId` gives 404.",
    requires: { anyOf: ["documents.read"] },
    queue: "search",
    body: searchBody,
    responses: { 200: dataOf(chunkSearchShape) },
    errors: [404],
    handle: async ({ caller, body, disconnected }, deps) => {
      const { limit = disclosure.defaultLimit, detailLevel = "summary", ...others } = body;
      const { scoreThreshold = search.defaultThreshold } = body;
      const startedAt = deps.clock.monotonic();
      const chunks = await searchChunks(deps, caller, {
        ...others,
        limit,
        detailLevel,
        scoreThreshold,
        cancelled: disconnected,
      });
      const latencyMs = Math.round(deps.clock.monotonic() - startedAt);
      const pending = pendingOf(deps.store, caller);
      const meta = { query: body.query, totalResults: chunks.length, latencyMs, pending };
      const results = chunks.map((chunk) => chunkToWire(withPlace(deps.store, chunk)));
      return { status: 200, body: { data: { results, meta } } };
    },
  }),

  operation({
    name: "pd.expand",
    method: "POST",
    path: "/v1/pd/expand",
    summary: "Get the parent, children or neighbours of a chunk",
    description:
      "Returns the chunks around a chunk in its document. The list is empty if there are none in that direction, or if the chunk no " +
      "longer exists because the document was changed.",
    requires: { anyOf: ["documents.read"] },
    queue: "expand",
    body: expandBody,
    responses: { 200: dataOf(expandedShape) },
    handle: ({ caller, body }, { store }) => {
      const { chunkId, direction, count = disclosure.defaultNeighbours } = body;
      const chunks = expandChunk(store, caller, { chunkId, direction, count });
      const placed = chunks.map((chunk) => chunkToWire(withPlace(store, chunk)));
      return { status: 200, body: { data: { chunks: placed } } };
    },
  }),

  operation({
    name: "pd.read",
    method: "GET",
    path: "/v1/pd/read/:id",
    idName: "chunkId",
    summary: "Read a chunk and its position in the document",
    description:
      "Returns the whole text of a chunk, its parent, its neighbours and its offsets in the document's `content`. A chunk " +
      "that no longer exists because the document was changed gives 404.",
    requires: { anyOf: ["documents.read"] },
    responses: { 200: dataOf(readChunkShape) },
    errors: [404],
    handle: ({ caller, id }, { store }) => ({
      status: 200,
      body: { data: readToWire(readChunk(store, caller, id)) },
    }),
  }),

  operation({
    name: "pd.session",
    method: "POST",
    path: "/v1/pd/session",
    summary: "Start a search session",
    description:
      "Searches with this session's `sessionId` return each chunk only once, so repeating a search continues with new results. Only " +
      "the caller that started the session can use it.",
    requires: "authenticated",
    body: sessionBody,
    bodyMayBeEmpty: true,
    responses: { 201: dataOf(sessionShape) },
    handle: ({ commit, caller, body: { ttl = searchSession.defaultTtlS } }) =>
      commit((write) => ({
        status: 201,
        body: { data: sessionToWire(createSession(write, caller, ttl)) },
      })),
  }),
];
