// The operations on chunks (progressive disclosure): paths, shapes, scopes, statuses.

import { dataOf } from "../../http/answers.ts";
import { operationOf } from "../../http/operation.ts";
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
import { readChunk } from "./read.ts";
import { type ChunkSearchDeps, searchChunks } from "./search.ts";
import { createSession } from "./session.ts";

const { disclosure, search, searchSession } = LIMITS;

const operation = operationOf<ChunkSearchDeps>();

export const chunkOperations = [
  operation({
    name: "pd.search",
    method: "POST",
    path: "/v1/pd/search",
    summary: "Search for sections and paragraphs",
    requires: { anyOf: ["documents.read"] },
    body: searchBody,
    description:
      "At most 50 results, whatever `limit` says. An unknown `documentId` or `collectionId` finds nothing.",
    answers: { 200: dataOf(chunkSearchShape) },
    errors: [404],
    handle: async ({ caller, body }, deps) => {
      const { limit = disclosure.defaultLimit, detailLevel = "summary", ...others } = body;
      const { scoreThreshold = search.defaultThreshold } = body;
      const startedAt = deps.clock.monotonic();
      const chunks = await searchChunks(deps, caller, {
        ...others,
        limit,
        detailLevel,
        scoreThreshold,
      });
      const latencyMs = Math.round(deps.clock.monotonic() - startedAt);
      const meta = { query: body.query, totalResults: chunks.length, latencyMs };
      return { status: 200, body: { data: { results: chunks.map(chunkToWire), meta } } };
    },
  }),

  operation({
    name: "pd.expand",
    method: "POST",
    path: "/v1/pd/expand",
    summary: "Go from a chunk to its parent, children or neighbours",
    requires: { anyOf: ["documents.read"] },
    body: expandBody,
    description: "An empty list: nothing lies in that direction, or the chunk is not there any more.",
    answers: { 200: dataOf(expandedShape) },
    handle: ({ caller, body }, { store }) => {
      const { chunkId, direction, count = disclosure.defaultNeighbours } = body;
      const chunks = expandChunk(store, caller, { chunkId, direction, count });
      return { status: 200, body: { data: { chunks: chunks.map(chunkToWire) } } };
    },
  }),

  operation({
    name: "pd.read",
    method: "GET",
    path: "/v1/pd/read/:id",
    summary: "Read one chunk with its place in the document",
    requires: { anyOf: ["documents.read"] },
    answers: { 200: dataOf(readChunkShape) },
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
    summary: "Begin a session: its searches show each chunk once",
    requires: "authenticated",
    body: sessionBody,
    bodyMayBeEmpty: true,
    answers: { 201: dataOf(sessionShape) },
    handle: ({ commit, caller, body: { ttl = searchSession.defaultTtlS } }) =>
      commit((write) => ({
        status: 201,
        body: { data: sessionToWire(createSession(write, caller, ttl)) },
      })),
  }),
];
