// Evidence for a question: the paragraphs nearest to it, within limit and token budget, each with what introduces it. It
// must not know how answers are made.

import type { Store } from "../../db/store.ts";
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

export interface Wanted {
  query: string;
  limit: number;
  maxTokens: number;
  documentId?: string;
  collectionId?: string;
}

type Reader = Pick<Store, "tables">;

/** Of a hit on a section so many of its paragraphs are taken: those that were hit best, else its first. */
const PARAGRAPHS_OF_A_SECTION = 2;
/** Of a table's header row so much is read. */
const HEAD_UNITS = 4_000;
const LEAD_UNITS = 400;
const NEAR_CHUNKS = 64;
const NEAR_UNITS = 1_000;

export interface Gathered {
  evidence: Evidence[];
  /** Texts of what else is near to the question, titles included: what stands in all of them tells nothing apart. */
  near: string[];
}

/** At most `limit` paragraphs of the user's documents, best first, with at most `maxTokens` tokens of text together. */
export async function gatherEvidence(
  deps: RetrievalDeps,
  userId: string,
  { query, limit, maxTokens, documentId, collectionId }: Wanted,
): Promise<Gathered> {
  const filter = { userId, tags: [], documentId, collectionId };
  return retrieve(deps, { query: await embedQuery(deps, query), filter }, (hits, successorOf) =>
    gather(deps.store, hits, successorOf, limit, maxTokens),
  );
}

function gather(
  reader: Reader,
  hits: readonly ChunkHit[],
  successorOf: Successor,
  limit: number,
  maxTokens: number,
): Gathered {
  const scores = new Map(hits.map(({ chunkKey, score }) => [chunkKey, score]));
  const near = nearTexts(reader, hits);
  const fits = tokenBudget(maxTokens);
  const taken = new Set<number>();
  const evidence: Evidence[] = [];
  for (const hit of hits) {
    for (const { chunk, score } of paragraphsOf(reader, hit, successorOf, scores)) {
      if (evidence.length >= limit) return { evidence, near };
      if (taken.has(chunk.key)) continue;
      taken.add(chunk.key);
      if (!fits({ content: chunk.text })) return { evidence, near };
      evidence.push(toEvidence(reader, chunk, score));
      const next = introducedBy(reader, chunk);
      if (!next || taken.has(next.key) || evidence.length >= limit) continue;
      taken.add(next.key);
      if (!fits({ content: next.text })) return { evidence, near };
      evidence.push(toEvidence(reader, next, score));
    }
  }
  return { evidence, near };
}

function nearTexts(reader: Reader, hits: readonly ChunkHit[]): string[] {
  return hits.slice(0, NEAR_CHUNKS).flatMap(({ chunkKey }) => {
    const hit = findHit(reader, chunkKey);
    return hit ? [`${hit.title}\n${cutUnits(hit.text, NEAR_UNITS)}`] : [];
  });
}

/** The hit itself, or the best paragraphs of the section that was hit. Documents without text have none. */
function paragraphsOf(
  reader: Reader,
  hit: ChunkHit,
  successorOf: Successor,
  scores: ReadonlyMap<number, number>,
): { chunk: LocatedChunk; score: number }[] {
  const { chunkKey, score } = hit;
  const chunk = findChunkByKey(reader, chunkKey) ?? findChunkByKey(reader, successorOf(hit));
  if (!chunk || chunk.level === "document") return [];
  if (chunk.level === "paragraph") return [{ chunk, score }];
  return [...childrenOf(reader, chunk.key, { from: 0, to: PARAGRAPHS_OF_A_SECTION * 8 })]
    .map((child) => ({ chunk: child, score: scores.get(child.key) ?? 0 }))
    .sort((a, b) => b.score - a.score || a.chunk.key - b.chunk.key)
    .slice(0, PARAGRAPHS_OF_A_SECTION)
    .map(({ chunk: child, score: own }) => ({ chunk: child, score: own > 0 ? own : score }));
}

/** Lists, tables and code are introduced by what stands before them. */
const IS_INTRODUCED = /^\s{0,3}(?:[-*+]\s|\d{1,9}[.)]\s|`{3}|~{3}|\|)|^(?: {4}|\t)/;

/** The header row of a table that a text begins with; undefined where it begins with none. */
function tableHeadOf(text: string): string | undefined {
  const [head = "", rule = ""] = cutUnits(text.trimStart(), 2 * HEAD_UNITS).split("\n", 2);
  const isRule = rule.includes("|") && rule.includes("-") && /^[\s|:-]+$/.test(rule);
  return isRule && head.includes("|") ? cutUnits(head, HEAD_UNITS) : undefined;
}

/** The list, table or code block that a paragraph ends on announcing. */
function introducedBy(
  reader: Reader,
  { text, parentKey, chunkIndex }: LocatedChunk,
): LocatedChunk | undefined {
  if (parentKey === null || !/[:：]\s*$/.test(text)) return undefined;
  const [next] = childrenOf(reader, parentKey, { from: chunkIndex + 1, to: chunkIndex + 1 });
  return next?.level === "paragraph" && IS_INTRODUCED.test(next.text) ? next : undefined;
}

function toEvidence(reader: Reader, chunk: LocatedChunk, score: number): Evidence {
  const { id, documentId, documentTitle, sectionPath, text, parentId } = chunk;
  const place = { id, documentId, title: documentTitle, path: sectionPath };
  const evidence: Evidence = {
    ...place,
    text,
    score,
    ...(parentId !== null && sectionPath.length > 0 && { sectionId: parentId }),
  };
  if (!IS_INTRODUCED.test(text) || chunk.parentKey === null || chunk.chunkIndex === 0) return evidence;
  const { parentKey, chunkIndex } = chunk;
  if (text.trimStart().startsWith("|") && tableHeadOf(text) === undefined) {
    return { ...evidence, tableHead: headBefore(reader, parentKey, chunkIndex) };
  }
  const [introduction] = childrenOf(reader, parentKey, { from: chunkIndex - 1, to: chunkIndex - 1 });
  return !introduction || IS_INTRODUCED.test(introduction.text) || introduction.level !== "paragraph"
    ? evidence
    : { ...evidence, lead: lastSentence(introduction.text) };
}

/** The header row of the table of which a later piece was found; "" where the pieces before it are none of a table. */
function headBefore(reader: Reader, parentKey: number, chunkIndex: number): string {
  for (const text of textsBefore(reader, { parentKey, chunkIndex }, 2 * HEAD_UNITS)) {
    if (!text.trimStart().startsWith("|")) return tableHeadOf(text) ?? "";
    const head = tableHeadOf(text);
    if (head !== undefined) return head;
  }
  return "";
}

function lastSentence(text: string): string {
  const tail = text.length > LEAD_UNITS ? text.slice(-LEAD_UNITS) : text;
  return cutUnits(/[^.!?]+[.!?:]*\s*$/.exec(tail)?.[0].trim() ?? tail.trim(), LEAD_UNITS);
}
