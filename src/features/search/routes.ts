// GET /v1/search: shapes, scopes, groups.

import { mayDo } from "../../auth/identity.ts";
import { operation } from "../../http/operation.ts";
import { sameParameter } from "../../http/query.ts";
import { badRequest } from "../../kernel/errors.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { documentHitToWire, searchQuery } from "./contract.ts";
import { searchByText } from "./literal.ts";
import { searchBySimilarity } from "./semantic.ts";

export const searchOperations = [
  operation({
    name: "search",
    method: "GET",
    path: "/v1/search",
    summary: "Search by meaning or by text",
    requires: { anyOf: ["prompts.read", "documents.read"] },
    query: searchQuery,
    statuses: [200, 400],
    handle: async ({ app, caller, query: parameters }) => {
      const { semantic, limit, scoreThreshold, type } = parameters;
      const query = sameParameter(["q", "query"], parameters.q, parameters.query);
      if (query === undefined) throw badRequest({ path: "q", message: "is required" });
      const startedAt = app.clock.monotonic();
      const filter = { userId: caller.userId, tags: parseTagFilter(parameters.tags) };
      const wantsDocuments = (type === "all" || type === "documents") && mayDo(caller, "documents.read");
      const documents = !wantsDocuments
        ? []
        : semantic
          ? await searchBySimilarity(app, query, filter, limit, scoreThreshold)
          : await searchByText(app, query, filter, limit);
      const latencyMs = Math.round(app.clock.monotonic() - startedAt);
      return {
        status: 200,
        body: {
          data: { documents: documents.map(documentHitToWire), prompts: [], collections: [] },
          meta: { query, semantic, ...(semantic && { latencyMs }) },
        },
      };
    },
  }),
];
