// One search over everything that a caller may see: documents, prompts and their collections.

import { hasScope, type Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import type { Condition } from "../../kernel/search-syntax.ts";
import { embedQuery, type RetrievalDeps } from "../chunks/retrieve.ts";
import { type CollectionHit, searchCollectionsByMembers, searchCollectionsByText } from "./collections.ts";
import type { DocumentHit } from "./contract.ts";
import { searchDocumentsByText } from "./literal.ts";
import { type PromptHit, searchPromptsByText } from "./prompts.ts";
import { createResultCache, type ResultCache } from "./result-cache.ts";

/** A validated search request. */
export interface Search {
  /** The query without its operators; empty only in a search by text. */
  query: string;
  /** What its operators require. */
  conditions: readonly Condition[];
  type: string;
  tags: string[];
  /** Only what is in this collection; undefined for everything. */
  collectionId?: string;
  /** Maximum number of results per group. */
  limit: number;
  /** Minimum score, 0 to 1; semantic search only. */
  threshold: number;
  /** Fires when nobody waits for the results any more. */
  cancelled: AbortSignal;
}

/** The results by kind of record, best first. */
export interface Groups {
  documents: DocumentHit[];
  prompts: PromptHit[];
  collections: CollectionHit[];
}

/** The requested groups that the caller's scopes cover. The others stay empty. */
function wantedGroups(caller: Identity, { type, collectionId }: Search): Record<keyof Groups, boolean> {
  const requested = (group: keyof Groups) => type === "all" || type === group;
  const [documents, prompts] = [hasScope(caller, "documents.read"), hasScope(caller, "prompts.read")];
  return {
    documents: requested("documents") && documents,
    prompts: requested("prompts") && prompts,
    // The items of a collection are documents and prompts.
    collections: requested("collections") && documents && collectionId === undefined,
  };
}

/**
 * Semantic search. Collections are scored by all matching members, not only by those that are returned. Rejects with
 * Failure("unavailable") while the model or the search worker cannot be used, and with the reason of `cancelled` if
 * that fires before the scan.
 */
export async function searchGroupsByMeaning(
  deps: RetrievalDeps,
  caller: Identity,
  search: Search,
): Promise<Groups> {
  const { cancelled, ...wording } = search;
  const { query, conditions, tags, collectionId, limit, threshold } = search;
  const wanted = wantedGroups(caller, search);
  const needsDocuments = wanted.documents || wanted.collections;
  const needsPrompts = wanted.prompts || (wanted.collections && hasScope(caller, "prompts.read"));
  if (!needsDocuments && !needsPrompts) return { documents: [], prompts: [], collections: [] };

  const cache = cacheOf(deps.store);
  const key = JSON.stringify([caller.userId, caller.scopes, wording]);
  const filter = { userId: caller.userId, tags, collectionId, conditions };
  const embedded = await embedQuery(deps, query, filter);
  cancelled.throwIfAborted();
  return cache.get(key, embedded, async () => {
    const found = await deps.searchWorker.call.records({
      query: embedded,
      filter,
      threshold,
      // Collections are scored by records that are not returned themselves.
      documents: needsDocuments ? (wanted.documents ? limit : 0) : undefined,
      prompts: needsPrompts ? (wanted.prompts ? limit : 0) : undefined,
    });
    const members = { documents: found.documents.all, prompts: found.prompts.all };
    return {
      documents: found.documents.hits,
      prompts: found.prompts.hits,
      collections: wanted.collections
        ? searchCollectionsByMembers(deps.store, caller, { query, conditions, tags, limit, members })
        : [],
    };
  });
}

const caches = new WeakMap<Store, ResultCache<Groups>>();

/** The results of recent searches in a store. */
function cacheOf(store: Store): ResultCache<Groups> {
  const cache =
    caches.get(store) ??
    createResultCache<Groups>(
      store,
      ({ documents, prompts, collections }) => documents.length + prompts.length + collections.length,
    );
  caches.set(store, cache);
  return cache;
}

/** Literal search. Rejects with Failure("unavailable") while the search worker cannot be used. */
export async function searchGroupsByText(
  deps: RetrievalDeps,
  caller: Identity,
  search: Search,
): Promise<Groups> {
  const { query, conditions, tags, collectionId, limit } = search;
  const wanted = wantedGroups(caller, search);
  const filter = { userId: caller.userId, tags, collectionId, conditions };
  const [documents, prompts] = await Promise.all([
    wanted.documents ? searchDocumentsByText(deps, { query, filter, limit }) : [],
    wanted.prompts ? searchPromptsByText(deps, { query, filter, limit }) : [],
  ]);
  return {
    documents,
    prompts,
    collections: wanted.collections
      ? searchCollectionsByText(deps.store, caller, { query, conditions, tags, limit })
      : [],
  };
}
