// The wire shapes of GET /v1/search.

import { type Static, Type } from "@sinclair/typebox";
import { searchText } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";

const { defaultLimit, maxLimit, defaultThreshold } = LIMITS.search;

export const searchQuery = Type.Object({
  q: Type.Optional(searchText()),
  query: Type.Optional(searchText()),
  type: Type.Union(
    ["prompts", "documents", "collections", "all"].map((name) => Type.Literal(name)),
    { default: "all" },
  ),
  semantic: Type.Boolean({ default: true }),
  limit: Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit }),
  scoreThreshold: Type.Number({ minimum: 0, maximum: 1, default: defaultThreshold }),
  tags: Type.Optional(Type.String()),
});
export type SearchQuery = Static<typeof searchQuery>;

export interface DocumentHit {
  documentId: string;
  title: string;
  tags: string[];
  score?: number;
  highlight: string;
  chunkId?: string;
}

/** A row of the group `documents`; it also carries the generic `id` and `type`. */
export function documentHitToWire(hit: DocumentHit): Record<string, unknown> {
  return { id: hit.documentId, type: "document", ...hit };
}
