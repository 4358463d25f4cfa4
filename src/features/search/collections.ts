// The group `collections` of a search: the caller's collections, by the scores of matching members, or by name and
// description.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import type { Condition } from "../../kernel/search-syntax.ts";
import { fold } from "../../kernel/text.ts";
import { conditionTest } from "../../retrieval/search/conditions.ts";
import type { Scores } from "../../retrieval/search/records.ts";
import { itemCountFor } from "../collections/access.ts";
import { listMemberships } from "../collections/items/store.ts";
import { matchingField } from "../collections/list.ts";
import { type CollectionRow, ownsCollections, walkCollections } from "../collections/store.ts";

/** A validated search for collections. */
export interface CollectionSearch {
  query: string;
  /**
   * What the operators of the query require of the collection itself. No collection has a path or is in another one.
   */
  conditions?: readonly Condition[];
  tags: string[];
  limit: number;
}

/** The scores of all records that a semantic search has found. */
export interface MemberScores {
  documents: Scores;
  prompts: Scores;
}

/** A matching collection. */
export interface CollectionHit {
  row: CollectionRow;
  itemCount: number;
  /** Absent if only name or description matched: no vectors were compared. */
  score?: number;
  /** The member that has this score. */
  bestItemId?: string;
}

/**
 * Collections for a semantic search, at most `limit`. The score of a collection is the highest score of its members:
 * many average members do not make a collection more relevant than one good one. Collections without matching members
 * whose name or description contains the query follow, without a score.
 */
export function searchCollectionsByMembers(
  store: Store,
  caller: Identity,
  { query, conditions = [], tags, limit, members }: CollectionSearch & { members: MemberScores },
): CollectionHit[] {
  if (!ownsCollections(store, caller.userId)) return [];
  const { documents, prompts } = members;
  const scoreOf = new Map(
    [documents, prompts].flatMap(({ ids, scores }) => ids.map((id, index) => [id, scores[index]!] as const)),
  );
  const memberships = listMemberships(store, documents.ids, prompts.ids);
  const best = new Map<string, { score: number; itemId: string }>();
  for (const { collectionId, itemId } of memberships) {
    const score = scoreOf.get(itemId)!;
    if (score > (best.get(collectionId)?.score ?? -1)) best.set(collectionId, { score, itemId });
  }
  const filter = { userId: caller.userId, tags };
  const fulfils = testOf(conditions);
  const scored = [...walkCollections(store, { ...filter, ids: [...best.keys()] })]
    .filter(fulfils)
    .sort((a, b) => best.get(b.id)!.score - best.get(a.id)!.score)
    .slice(0, limit);
  const named = findByText(
    store,
    { query, tags, userId: caller.userId, limit: limit - scored.length },
    (row) => !best.has(row.id) && fulfils(row),
  );
  return [...scored, ...named].map((row) => ({
    row,
    itemCount: itemCountFor(store, caller, row),
    score: best.get(row.id)?.score,
    bestItemId: best.get(row.id)?.itemId,
  }));
}

/** Collections whose name or description contains `query`, at most `limit`: matching names first, then newest first. */
export function searchCollectionsByText(
  store: Store,
  caller: Identity,
  search: CollectionSearch,
): CollectionHit[] {
  const fulfils = testOf(search.conditions ?? []);
  return findByText(store, { ...search, userId: caller.userId }, fulfils).map((row) => ({
    row,
    itemCount: itemCountFor(store, caller, row),
  }));
}

/** Says whether a collection fulfils all conditions. */
function testOf(conditions: readonly Condition[]): (row: CollectionRow) => boolean {
  const tests = conditions.map(conditionTest);
  return ({ name: title, description, tags, updatedAt }) => {
    const texts = description === null ? [] : [description];
    return tests.every((test) => test({ title, texts, places: [], tags, updatedAt, isIn: () => false }));
  };
}

function findByText(
  store: Store,
  { query, tags, limit, userId }: CollectionSearch & { userId: string },
  isWanted: (row: CollectionRow) => boolean,
): CollectionRow[] {
  const wanted = fold(query);
  const found = { name: [] as CollectionRow[], description: [] as CollectionRow[] };
  if (limit === 0) return [];
  for (const row of walkCollections(store, { userId, tags })) {
    const field = isWanted(row) ? matchingField(row, wanted) : undefined;
    if (field !== undefined && found[field].length < limit) found[field].push(row);
    if (found.name.length === limit) break;
  }
  return [...found.name, ...found.description].slice(0, limit);
}
