// The operations on chunks (progressive disclosure): paths, shapes, scopes, statuses.

import type { Store } from "../../db/store.ts";
import { operationOf } from "../../http/operation.ts";
import { listPieces, recordPieces } from "../../http/pieces.ts";
import { dataOf } from "../../http/response-shapes.ts";
import { responseBudget } from "../../kernel/budgets.ts";
import { badRequest } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { defaultThreshold, parseSearch } from "../../kernel/search-syntax.ts";
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

const { disclosure, searchSession } = LIMITS;

const operation = operationOf<ChunkSearchDeps>();

/** Returns a function that makes the JSON of a chunk. */
const toJson = (store: Store) => (chunk: ReadChunk & { score?: number }) => {
  const source = placeOf(store, { documentId: chunk.documentId, chunkId: chunk.id });
  return JSON.stringify(chunkToWire({ ...chunk, source }));
};

/** As many of the first chunks as fit into a response, as JSON. */
function* fitting(chunks: Iterable<ReadChunk>, json: (chunk: ReadChunk) => string): Generator<string> {
  const fits = responseBudget();
  for (const chunk of chunks) {
    const item = json(chunk);
    if (!fits(item)) return;
    yield item;
  }
}

export const chunkOperations = [
  operation({
    name: "pd.search",
    method: "POST",
    path: "/v1/pd/search",
    summary: "Search for sections and paragraphs",
    description:
      "Finds chunks of the caller's documents by meaning and by words, best first. Prompts are not searched. At most 50 results are " +
      "returned, even if `limit` is larger. `query` may contain the operators of `GET /v1/search`, and needs a word or phrase. An unknown `documentId` or `collectionId` gives an empty list; an unknown or expired `sessionId` gives 404.",
    requires: { anyOf: ["documents.read"] },
    queue: "search",
    body: searchBody,
    responses: { 200: dataOf(chunkSearchShape) },
    errors: [404],
    handle: async ({ caller, body, disconnected, takeTurn }, deps) => {
      const { limit = disclosure.defaultLimit, detailLevel = "summary", query, ...others } = body;
      const syntax = parseSearch(query, "query");
      const { text, conditions } = syntax;
      if (text === "") throw badRequest({ path: "query", message: "needs a word besides its operators" });
      const { scoreThreshold = defaultThreshold(syntax) } = body;
      const startedAt = deps.clock.monotonic();
      const results = await searchChunks(deps, caller, {
        ...others,
        query: text,
        conditions,
        limit,
        detailLevel,
        scoreThreshold,
        cancelled: disconnected,
        takeTurn,
        toJson: toJson(deps.store),
      });
      const latencyMs = Math.round(deps.clock.monotonic() - startedAt);
      const pending = pendingOf(deps.store, caller);
      const meta = { query, totalResults: results.length, latencyMs, pending };
      return {
        status: 200,
        pieces: listPieces("results", results, { meta }),
        noted: { kind: "search", text: query, count: results.length },
      };
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
    body: expandBody,
    responses: { 200: dataOf(expandedShape) },
    handle: ({ caller, body }, { store }) => {
      const { chunkId, direction, count = disclosure.defaultNeighbours } = body;
      const chunks = expandChunk(store, caller, { chunkId, direction, count });
      return { status: 200, pieces: listPieces("chunks", fitting(chunks, toJson(store))) };
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
    handle: ({ caller, id }, { store }) => {
      const { documentId } = readChunk(store, caller, id);
      return {
        status: 200,
        pieces: recordPieces(() => readToWire(readChunk(store, caller, id))),
        noted: { kind: "read", documentId },
      };
    },
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
