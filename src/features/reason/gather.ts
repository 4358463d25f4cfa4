// Gathers evidence for a question: the nearest paragraphs within limit and token budget, each with the text that introduces it.
// It must not depend on how answers are made, or parse Markdown.

import type { Store } from "../../db/store.ts";
import {
  announcesNext,
  INTRODUCTION_UNITS,
  introductionOf,
  isIntroduced,
} from "../../engine/answering/introduction.ts";
import type { Evidence } from "../../engine/answering/units.ts";
import { cutUnits } from "../../kernel/text.ts";
import {
  type ChunkHit,
  embedQuery,
  type RetrievalDeps,
  retrieve,
  type Successor,
} from "../chunks/retrieve.ts";
import { childrenOf, findChunkByKey, findHit, type LocatedChunk, textsBefore } from "../chunks/store.ts";
import { tokenBudget } from "../chunks/token-budget.ts";

/** A question, the bounds of its evidence and the document or collection to read; without either, all documents. */
export interface ReasonRequest {
  query: string;
  limit: number;
  maxTokens: number;
  documentId?: string;
  collectionId?: string;
}

type Reader = Pick<Store, "tables">;

/** Maximum number of paragraphs used of a section that was hit: its best hits, otherwise its first ones. */
const MAX_PARAGRAPHS_OF_SECTION = 2;
const MAX_NEAR_CHUNKS = 64;
const MAX_NEAR_UNITS = 1_000;

export interface Gathered {
  evidence: Evidence[];
  /** Titles and texts of the chunks near the question, for the rarity of words: one that occurs in all of them does not count. */
  near: string[];
}

/**
 * At most `limit` paragraphs of the user's documents, best first, with at most `maxTokens` tokens of text together (but
 * always one). Rejects with Failure("unavailable") when the embedder cannot be used.
 */
export async function gatherEvidence(
  deps: RetrievalDeps,
  userId: string,
  request: ReasonRequest,
): Promise<Gathered> {
  const { query, documentId, collectionId } = request;
  const filter = { userId, tags: [], documentId, collectionId };
  return retrieve(deps, { query: await embedQuery(deps, query), filter }, (hits, successorOf) =>
    gather({ reader: deps.store, hits, successorOf }, request),
  );
}

interface Retrieved {
  reader: Reader;
  hits: readonly ChunkHit[];
  successorOf: Successor;
}

function gather(
  retrieved: Retrieved,
  { limit, maxTokens }: Pick<ReasonRequest, "limit" | "maxTokens">,
): Gathered {
  const { reader, hits } = retrieved;
  const scores = new Map(hits.map(({ chunkKey, score }) => [chunkKey, score]));
  const near = nearTexts(reader, hits);
  const fits = tokenBudget(maxTokens);
  const added = new Set<number>();
  const evidence: Evidence[] = [];
  for (const hit of hits) {
    for (const { chunk, score } of paragraphsOf(retrieved, hit, scores)) {
      if (evidence.length >= limit) return { evidence, near };
      if (added.has(chunk.key)) continue;
      added.add(chunk.key);
      if (!fits({ content: chunk.text })) return { evidence, near };
      evidence.push(toEvidence(reader, chunk, score));
      const next = announcedBy(reader, chunk);
      if (!next || added.has(next.key) || evidence.length >= limit) continue;
      added.add(next.key);
      if (!fits({ content: next.text })) return { evidence, near };
      evidence.push(toEvidence(reader, next, score));
    }
  }
  return { evidence, near };
}

function nearTexts(reader: Reader, hits: readonly ChunkHit[]): string[] {
  return hits.slice(0, MAX_NEAR_CHUNKS).flatMap(({ chunkKey }) => {
    const hit = findHit(reader, chunkKey);
    return hit ? [`${hit.title}\n${cutUnits(hit.text, MAX_NEAR_UNITS)}`] : [];
  });
}

/** The hit itself, or the best paragraphs of the section that was hit; none for a document without text. */
function paragraphsOf(
  { reader, successorOf }: Retrieved,
  hit: ChunkHit,
  scores: ReadonlyMap<number, number>,
): { chunk: LocatedChunk; score: number }[] {
  const { chunkKey, score } = hit;
  const chunk = findChunkByKey(reader, chunkKey) ?? findChunkByKey(reader, successorOf(hit));
  if (!chunk || chunk.level === "document") return [];
  if (chunk.level === "paragraph") return [{ chunk, score }];
  return [...childrenOf(reader, chunk.key, { from: 0, to: MAX_PARAGRAPHS_OF_SECTION * 8 })]
    .map((child) => ({ chunk: child, score: scores.get(child.key) ?? 0 }))
    .sort((a, b) => b.score - a.score || a.chunk.key - b.chunk.key)
    .slice(0, MAX_PARAGRAPHS_OF_SECTION)
    .map(({ chunk: child, score: own }) => ({ chunk: child, score: own > 0 ? own : score }));
}

/** The paragraph after `chunk` if that announces it. */
function announcedBy(
  reader: Reader,
  { text, parentKey, chunkIndex }: LocatedChunk,
): LocatedChunk | undefined {
  if (parentKey === null || !announcesNext(text)) return undefined;
  const [next] = childrenOf(reader, parentKey, { from: chunkIndex + 1, to: chunkIndex + 1 });
  return next?.level === "paragraph" && isIntroduced(next.text) ? next : undefined;
}

function toEvidence(reader: Reader, chunk: LocatedChunk, score: number): Evidence {
  const { id, documentId, documentTitle, sectionPath, text, parentId } = chunk;
  return {
    id,
    documentId,
    title: documentTitle,
    path: sectionPath,
    text,
    score,
    ...(parentId !== null && sectionPath.length > 0 && { sectionId: parentId }),
    ...introductionOf(text, paragraphsBefore(reader, chunk)),
  };
}

/** The texts of the paragraphs before a chunk, nearest first. The nearest one is read alone, because it usually suffices. */
function* paragraphsBefore(reader: Reader, { parentKey, chunkIndex }: LocatedChunk): Generator<string> {
  if (parentKey === null || chunkIndex === 0) return;
  const position = chunkIndex - 1;
  for (const { text } of childrenOf(reader, parentKey, { from: position, to: position })) yield text;
  yield* textsBefore(reader, { parentKey, chunkIndex: position }, INTRODUCTION_UNITS);
}
