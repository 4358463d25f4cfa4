// The operation GET /v1/search: path, shapes, scopes, statuses.

import type { Store } from "../../db/store.ts";
import { operationOf } from "../../http/operation.ts";
import { sameParameter } from "../../http/query.ts";
import type { Clock } from "../../kernel/clock.ts";
import { badRequest } from "../../kernel/errors.ts";
import { defaultThreshold, literalSearch, parseSearch } from "../../kernel/search-syntax.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { placeOf } from "../chunks/place.ts";
import { pendingOf } from "../chunks/pending.ts";
import type { RetrievalDeps } from "../chunks/retrieve.ts";
import {
  collectionHitToWire,
  type DocumentHit,
  documentHitToWire,
  foundShape,
  promptHitToWire,
  searchQuery,
} from "./contract.ts";
import { searchGroupsByMeaning, searchGroupsByText } from "./groups.ts";

/** What GET /v1/search needs. */
export interface SearchDeps extends RetrievalDeps {
  clock: Clock;
}

const operation = operationOf<SearchDeps>();

/** Where the text of a result is: a search by meaning has found the chunk that its score was computed for. */
const placeOfHit = (store: Store, { documentId, chunkId, explain }: DocumentHit) =>
  placeOf(store, { documentId, chunkId: chunkId ?? explain?.chunkId });

export const searchOperations = [
  operation({
    name: "search",
    method: "GET",
    path: "/v1/search",
    summary: "Search by meaning or by text",
    description:
      "Searches prompts, documents and collections of the caller. `q` or `query` is required; if both are sent, they must be equal. " +
      "Groups that the credential's scopes do not cover are empty. `score` is returned in semantic search only. A query of operators " +
      "without a word or phrase returns what they select, newest first and without scores.",
    requires: { anyOf: ["prompts.read", "documents.read"] },
    queue: "search",
    query: searchQuery,
    responses: { 200: { body: foundShape } },
    handle: async ({ caller, query: parameters, disconnected: cancelled }, deps) => {
      const query = sameParameter(["q", "query"], parameters.q, parameters.query);
      if (query === undefined) throw badRequest({ path: "q", message: "is required" });
      const { semantic, limit, type, explain } = parameters;
      const syntax = parseSearch(query, "q");
      const { scoreThreshold: threshold = defaultThreshold(syntax) } = parameters;
      // Operators alone select records, but there is nothing to compare their meaning with.
      const isSemantic = semantic && syntax.text !== "";
      const { text, conditions } = isSemantic ? syntax : literalSearch(syntax);
      const tags = parseTagFilter(parameters.tags);
      const collectionId = parameters.collectionId || undefined;
      const search = { query: text, conditions, type, tags, collectionId, limit, threshold, cancelled };
      const startedAt = deps.clock.monotonic();
      const found = await (isSemantic ? searchGroupsByMeaning : searchGroupsByText)(deps, caller, search);
      const latencyMs = Math.round(deps.clock.monotonic() - startedAt);
      return {
        status: 200,
        body: {
          data: {
            documents: found.documents.map((hit) =>
              documentHitToWire(hit, placeOfHit(deps.store, hit), explain),
            ),
            prompts: found.prompts.map((hit) => promptHitToWire(hit, explain)),
            collections: found.collections.map((hit) => collectionHitToWire(hit, explain)),
          },
          meta: {
            query,
            semantic: isSemantic,
            ...(isSemantic && { latencyMs }),
            pending: pendingOf(deps.store, caller),
          },
        },
        noted: {
          kind: "search",
          text: query,
          count: found.documents.length + found.prompts.length + found.collections.length,
        },
      };
    },
  }),
];
