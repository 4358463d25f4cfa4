// One search over all that a caller may see: documents, prompts, and the collections they stand in.

import { type Identity, mayDo } from "../../auth/identity.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { embedQuery, type RetrievalDeps, retrieve } from "../chunks/retrieve.ts";
import { type CollectionHit, searchCollectionsByMembers, searchCollectionsByText } from "./collections.ts";
import type { DocumentHit } from "./contract.ts";
import { searchByText } from "./literal.ts";
import { type PromptHit, searchPromptsBySimilarity, searchPromptsByText } from "./prompts.ts";
import { rankDocuments, showDocuments } from "./semantic.ts";

export interface Search {
  query: string;
  type: string;
  tags: string[];
  /** For each group. */
  limit: number;
  /** Semantic only. */
  threshold: number;
}

export interface Groups {
  documents: DocumentHit[];
  prompts: PromptHit[];
  collections: CollectionHit[];
}

/** Which groups were asked for and are covered by the caller's scopes. The others stay empty. */
function wantedGroups(caller: Identity, type: string): Record<keyof Groups, boolean> {
  const asked = (group: keyof Groups) => type === "all" || type === group;
  const [documents, prompts] = [mayDo(caller, "documents.read"), mayDo(caller, "prompts.read")];
  return {
    documents: asked("documents") && documents,
    prompts: asked("prompts") && prompts,
    collections: asked("collections") && documents,
  };
}

/** Semantic search. Members of collections are taken from all matches, not only from those that are returned. */
export async function searchGroupsByMeaning(
  deps: RetrievalDeps,
  caller: Identity,
  search: Search,
): Promise<Groups> {
  const { query, tags, limit, threshold } = search;
  const wanted = wantedGroups(caller, search.type);
  const filter = { userId: caller.userId, tags };
  const needsDocuments = wanted.documents || wanted.collections;
  const needsPrompts = wanted.prompts || (wanted.collections && mayDo(caller, "prompts.read"));
  if (!needsDocuments && !needsPrompts) return { documents: [], prompts: [], collections: [] };

  const embedded = await embedQuery(deps, query);
  const [{ ranked, documents }, prompts] = await Promise.all([
    needsDocuments
      ? retrieve(deps, { query: embedded, filter }, (hits, successorOf) => {
          const ranked = rankDocuments(hits, threshold);
          return {
            ranked,
            documents: wanted.documents ? showDocuments(deps.store, ranked, { limit, successorOf }) : [],
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

/** Literal search. */
export async function searchGroupsByText(
  deps: RetrievalDeps,
  caller: Identity,
  search: Search,
): Promise<Groups> {
  const { query, tags, limit } = search;
  const wanted = wantedGroups(caller, search.type);
  const filter = { userId: caller.userId, tags };
  const [documents, prompts] = await Promise.all([
    wanted.documents ? searchByText(deps, { query, filter, limit }) : [],
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
