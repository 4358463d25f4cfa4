// One search over everything that a caller may see: documents, prompts and their collections.

import { hasScope, type Identity } from "../../auth/identity.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { embedQuery, type RetrievalDeps, retrieve } from "../chunks/retrieve.ts";
import { type CollectionHit, searchCollectionsByMembers, searchCollectionsByText } from "./collections.ts";
import type { DocumentHit } from "./contract.ts";
import { searchDocumentsByText } from "./literal.ts";
import { type PromptHit, searchPromptsBySimilarity, searchPromptsByText } from "./prompts.ts";
import { rankDocuments, readDocuments } from "./semantic.ts";

/** A validated search request. */
export interface Search {
  query: string;
  type: string;
  tags: string[];
  /** Maximum number of results per group. */
  limit: number;
  /** Minimum score, 0 to 1; semantic search only. */
  threshold: number;
}

/** The results by kind of record, best first. */
export interface Groups {
  documents: DocumentHit[];
  prompts: PromptHit[];
  collections: CollectionHit[];
}

/** The requested groups that the caller's scopes cover. The others stay empty. */
function wantedGroups(caller: Identity, type: string): Record<keyof Groups, boolean> {
  const requested = (group: keyof Groups) => type === "all" || type === group;
  const [documents, prompts] = [hasScope(caller, "documents.read"), hasScope(caller, "prompts.read")];
  return {
    documents: requested("documents") && documents,
    prompts: requested("prompts") && prompts,
    collections: requested("collections") && documents,
  };
}

/**
 * Semantic search. Collections are scored by all matching members, not only by those that are returned. Rejects with
 * Failure("unavailable") while the model or the search worker cannot be used.
 */
export async function searchGroupsByMeaning(
  deps: RetrievalDeps,
  caller: Identity,
  search: Search,
): Promise<Groups> {
  const { query, tags, limit, threshold } = search;
  const wanted = wantedGroups(caller, search.type);
  const filter = { userId: caller.userId, tags };
  const needsDocuments = wanted.documents || wanted.collections;
  const needsPrompts = wanted.prompts || (wanted.collections && hasScope(caller, "prompts.read"));
  if (!needsDocuments && !needsPrompts) return { documents: [], prompts: [], collections: [] };

  const embedded = await embedQuery(deps, query);
  const [{ ranked, documents }, prompts] = await Promise.all([
    needsDocuments
      ? retrieve(deps, { query: embedded, filter }, (hits, successorOf) => {
          const ranked = rankDocuments(hits, threshold);
          return {
            ranked,
            documents: wanted.documents ? readDocuments(deps.store, ranked, { limit, successorOf }) : [],
          };
        })
      : { ranked: [], documents: [] },
    needsPrompts
      ? searchPromptsBySimilarity(
          deps,
          { query: embedded, filter },
          { limit: LIMITS.search.candidates, threshold },
        )
      : [],
  ]);
  const members = {
    documents: ranked,
    prompts: prompts.map(({ promptId, score }) => ({ promptId, score: score ?? 0 })),
  };
  return {
    documents,
    prompts: wanted.prompts ? prompts.slice(0, limit) : [],
    collections: wanted.collections
      ? searchCollectionsByMembers(deps.store, caller, { query, tags, limit, members })
      : [],
  };
}

/** Literal search. Rejects with Failure("unavailable") while the search worker cannot be used. */
export async function searchGroupsByText(
  deps: RetrievalDeps,
  caller: Identity,
  search: Search,
): Promise<Groups> {
  const { query, tags, limit } = search;
  const wanted = wantedGroups(caller, search.type);
  const filter = { userId: caller.userId, tags };
  const [documents, prompts] = await Promise.all([
    wanted.documents ? searchDocumentsByText(deps, { query, filter, limit }) : [],
    wanted.prompts ? searchPromptsByText(deps, { query, filter, limit }) : [],
  ]);
  return {
    documents,
    prompts,
    collections: wanted.collections
      ? searchCollectionsByText(deps.store, caller, { query, tags, limit })
      : [],
  };
}
