// Sends searches while somebody types: one at a time, and after it the latest one.

import type { CollectionHit, DocumentHit, PromptHit } from "../../api/openapi.d.ts";
import { send } from "../../api/request.ts";
import { parseTags } from "../../text/format.ts";

/** Of each kind of record: at first, and when more are wanted. */
const FIRST_RESULTS = 20;
export const MAX_RESULTS = 50;

/** The minimum score that is shown if the user has not chosen one. */
export const DEFAULT_THRESHOLD = "0.35";

/** A search as the address contains it. */
export interface Search {
  query: string;
  /** By exact text instead of by meaning. */
  isLiteral: boolean;
  type: "all" | "documents" | "prompts" | "collections";
  /** Separated by commas. */
  tags: string;
  /** Only what is in this collection; "" for everywhere. */
  collectionId: string;
  /** The minimum score. */
  threshold: string;
  /** Only what was changed from this day on, and before that day: `2026-01-31`, UTC; "" for any. */
  after: string;
  before: string;
  /** The start of a path or URL, or of a part of it; "" for any. */
  path: string;
  /** Whether archived records are left out. */
  isCurrent: boolean;
  /** Whether more than the first results are wanted. */
  isMore: boolean;
}

export interface Found {
  documents: DocumentHit[];
  prompts: PromptHit[];
  collections: CollectionHit[];
  count: number;
  /** Whether there may be more results than are shown. */
  hasMore: boolean;
  /** The number of records that are not indexed yet, so that they may be missing. */
  pending: number;
  /** What was searched for. */
  search: Search;
}

/** Whether two searches have the same results. */
export const isSameSearch = (a: Search, b: Search) => JSON.stringify(a) === JSON.stringify(b);

/** A search without a query is not sent. */
export const isBlank = ({ query }: Search) => query.trim() === "";

interface Outcome {
  done(found: Found): void;
  failed(error: unknown): void;
}

/** Returns a function that searches; while a search runs, only the latest of the following ones is kept. */
export function createSearcher(): (search: Search, outcome: Outcome) => void {
  let isRunning = false;
  let next: [Search, Outcome] | undefined;
  const run = async (search: Search, outcome: Outcome): Promise<void> => {
    if (isRunning) {
      next = [search, outcome];
      return;
    }
    isRunning = true;
    try {
      const found = await find(search);
      if (!next) outcome.done(found);
    } catch (error) {
      if (!next) outcome.failed(error);
    }
    isRunning = false;
    const following = next;
    next = undefined;
    if (following) run(...following);
  };
  return (search, outcome) => {
    run(search, outcome);
  };
}

interface Answer {
  data: Pick<Found, "documents" | "prompts" | "collections">;
  meta: { pending?: number };
}

/** The query with the filters that are operators of it. */
function queryOf({ query, after, before, path }: Search): string {
  const place = path.replaceAll('"', "").trim();
  return [
    query,
    ...(after === "" ? [] : [`after:${after}`]),
    ...(before === "" ? [] : [`before:${before}`]),
    ...(place === "" ? [] : [`path:"${place}"`]),
  ].join(" ");
}

async function find(search: Search): Promise<Found> {
  const { isLiteral, type, tags, collectionId, threshold, isCurrent, isMore } = search;
  const limit = isMore ? MAX_RESULTS : FIRST_RESULTS;
  const { data } = await send<Answer>("GET", "/v1/search", {
    query: {
      q: queryOf(search),
      type,
      semantic: !isLiteral,
      limit,
      tags: parseTags(tags),
      collectionId,
      ...(!isLiteral && { explain: true }),
      // The server decides without one: a phrase is found whatever its score is.
      ...(!isLiteral && threshold !== DEFAULT_THRESHOLD && { scoreThreshold: threshold }),
    },
  });
  const { prompts, collections } = data.data;
  const documents = data.data.documents.filter(({ status }) => !isCurrent || status !== "archived");
  return {
    documents,
    prompts,
    collections,
    hasMore: !isMore && Object.values(data.data).some((hits) => hits.length === FIRST_RESULTS),
    count: documents.length + prompts.length + collections.length,
    pending: data.meta.pending ?? 0,
    search,
  };
}
