// Sends searches while somebody types: one at a time, and after it the latest one.

import type { CollectionHit, DocumentHit, FoundChunk, PromptHit } from "../../api/openapi.d.ts";
import { read, write } from "../../api/request.ts";
import { parseTags } from "../../text/format.ts";

/** A search as the address contains it. */
export interface Search {
  query: string;
  /** By exact text instead of by meaning. */
  isLiteral: boolean;
  type: "all" | "documents" | "prompts" | "collections";
  /** Separated by commas. */
  tags: string;
  /** Only documents in this collection; "" for everywhere. */
  collectionId: string;
  /** The minimum score. */
  threshold: string;
}

export interface Found {
  documents: DocumentHit[];
  prompts: PromptHit[];
  collections: CollectionHit[];
  count: number;
}

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

async function find(search: Search): Promise<Found> {
  const { query, isLiteral, type, tags, collectionId, threshold } = search;
  const groups =
    collectionId === ""
      ? await read<Omit<Found, "count">>("/v1/search", {
          query: {
            q: query,
            type,
            semantic: !isLiteral,
            limit: 20,
            tags: parseTags(tags),
            ...(!isLiteral && { scoreThreshold: threshold, explain: true }),
          },
        })
      : { documents: await findInCollection(search), prompts: [], collections: [] };
  const { documents, prompts, collections } = groups;
  return { ...groups, count: documents.length + prompts.length + collections.length };
}

/** The best chunk of each document of a collection. */
async function findInCollection({ query, collectionId, threshold }: Search): Promise<DocumentHit[]> {
  const { results } = await write<{ results: FoundChunk[] }>("POST", "/v1/pd/search", {
    body: { query, collectionId, limit: 50, scoreThreshold: Number(threshold) },
  });
  const best = new Map<string, DocumentHit>();
  for (const { documentId, documentTitle, chunkId, content, score } of results) {
    if (best.has(documentId)) continue;
    best.set(documentId, {
      id: documentId,
      type: "document",
      documentId,
      title: documentTitle,
      tags: [],
      highlight: content,
      chunkId,
      score,
    });
  }
  return [...best.values()];
}
