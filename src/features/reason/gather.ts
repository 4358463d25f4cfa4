// Finds evidence for a question: for each part of it the nearest paragraphs, more than an answer may use, each with the
// paragraph that may introduce it. It must not depend on how answers are made, or parse Markdown.

import type { Store } from "../../db/store.ts";
import {
  announces,
  continuesTable,
  INTRODUCTION_UNITS,
  isTableRow,
  mayAnnounce,
  mayIntroduce,
} from "../../engine/markdown/introduction.ts";
import type { ChunkHit as PartHit, Evidence } from "../../engine/answering/passages.ts";
import { headingStates } from "../../engine/chunking/statements.ts";
import { cutUnits } from "../../kernel/text.ts";
import { liveGeneration } from "../../retrieval/generations.ts";
import { findHit } from "../../retrieval/hit-rows.ts";
import {
  type ChunkHit,
  embedQuery,
  type RetrievalDeps,
  retrieve,
  type Successor,
} from "../chunks/retrieve.ts";
import {
  childrenOf,
  findChunkByKey,
  findSectionAbove,
  type LocatedChunk,
  textsBefore,
} from "../chunks/store.ts";

/** A question and the document or collection to read; without either, all documents. */
export interface Question {
  query: string;
  documentId?: string;
  collectionId?: string;
}

type Reader = Pick<Store, "tables" | "sql">;

/** Maximum number of paragraphs used of a section that was hit: its best hits, otherwise its first ones. */
const MAX_PARAGRAPHS_OF_SECTION = 2;
/** So many times the paragraphs that an answer may use are found: reading them tells more than their vectors. */
const POOL = 1.5;
const MAX_NEAR_CHUNKS = 48;
const MAX_NEAR_UNITS = 1_000;
const OPENING_UNITS = 500;
/** Pieces of one table before the one that was hit, in which its header row is looked for. */
const MAX_TABLE_PIECES = 256;

export interface Gathered {
  evidence: Evidence[];
  /** Titles and texts of the chunks near the question, for the rarity of words: one that occurs in all of them does not count. */
  near: string[];
}

/** A paragraph that was found for a part of the question. */
interface Candidate {
  chunk: LocatedChunk;
  hit: PartHit;
}

/** What to search for: a text for each part of the question. */
interface Search extends Omit<Question, "query"> {
  searches: readonly string[];
  /** How many chunks the answer may use. */
  limit: number;
}

/**
 * At most POOL × `limit` paragraphs of the user's documents, the best of each part of the question in turn. Rejects with
 * Failure("unavailable") when the embedder cannot be used.
 */
export async function gatherEvidence(
  deps: RetrievalDeps,
  userId: string,
  { searches, limit, documentId, collectionId }: Search,
): Promise<Gathered> {
  const size = Math.ceil(limit * POOL);
  const filter = { userId, tags: [], documentId, collectionId };
  const found = await Promise.all(
    searches.map(async (text) =>
      retrieve(deps, { query: await embedQuery(deps, text, filter), filter }, (hits, successorOf) => ({
        candidates: candidatesOf({ reader: deps.store, hits, successorOf }, size),
        near: nearTexts(deps.store, hits),
      })),
    ),
  );
  const evidence = inTurn(
    deps.store,
    found.map(({ candidates }) => candidates),
    size,
  );
  return { evidence, near: [...new Set(found.flatMap(({ near }) => near))] };
}

interface Retrieved {
  reader: Reader;
  hits: readonly ChunkHit[];
  successorOf: Successor;
}

/** The first `size` paragraphs for one part, each once. */
function candidatesOf(retrieved: Retrieved, size: number): Candidate[] {
  const { reader, hits } = retrieved;
  const hitOf = new Map(hits.map((hit) => [hit.chunkKey, hit]));
  const candidates = new Map<number, Candidate>();
  const add = (chunk: LocatedChunk, { score, parts }: ChunkHit) => {
    if (candidates.has(chunk.key)) return;
    const { cosine = 0, lexical } = parts;
    candidates.set(chunk.key, { chunk, hit: { score, cosine, lexical, rank: candidates.size } });
  };
  for (const hit of hits) {
    if (candidates.size >= size) break;
    for (const chunk of paragraphsOf(retrieved, hit, hitOf)) {
      add(chunk, hitOf.get(chunk.key) ?? hit);
      const next = announcedBy(reader, chunk);
      if (next) add(next, hitOf.get(next.key) ?? hit);
    }
  }
  return [...candidates.values()].slice(0, size);
}

/** Takes the next candidate of each part in turn, until there are `size`. */
function inTurn(reader: Reader, lists: readonly Candidate[][], size: number): Evidence[] {
  const chosen = new Map<number, LocatedChunk>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  takeAll: for (let rank = 0; rank < longest; rank++) {
    for (const { [rank]: candidate } of lists) {
      if (!candidate || chosen.has(candidate.chunk.key)) continue;
      if (chosen.size >= size) break takeAll;
      chosen.set(candidate.chunk.key, candidate.chunk);
    }
  }
  const none: PartHit = { score: 0, cosine: 0, lexical: 0, rank: size };
  const hits = lists.map((list) => new Map(list.map(({ chunk, hit }) => [chunk.key, hit])));
  const openings = openingsOf(reader, [...chosen.values()]);
  return [...chosen.values()].map((chunk) =>
    toEvidence(reader, chunk, {
      hits: hits.map((ofPart) => ofPart.get(chunk.key) ?? none),
      opening: openings.get(chunk.documentId)!,
    }),
  );
}

function nearTexts(reader: Reader, hits: readonly ChunkHit[]): string[] {
  return hits.slice(0, MAX_NEAR_CHUNKS).flatMap(({ chunkKey }) => {
    const hit = findHit(reader, chunkKey);
    return hit ? [`${hit.title}\n${cutUnits(hit.text, MAX_NEAR_UNITS)}`] : [];
  });
}

/** The hit itself, or the best paragraphs of the section that was hit, if it has any; none for a document without text. */
function paragraphsOf(
  { reader, successorOf }: Retrieved,
  hit: ChunkHit,
  hitOf: ReadonlyMap<number, ChunkHit>,
): LocatedChunk[] {
  const chunk = findChunkByKey(reader, hit.chunkKey) ?? findChunkByKey(reader, successorOf(hit));
  if (!chunk || chunk.level === "document") return [];
  if (chunk.level === "paragraph") return [chunk];
  const scoreOf = ({ key }: LocatedChunk) => hitOf.get(key)?.score ?? 0;
  const paragraphs = [...childrenOf(reader, chunk.key, { from: 0, to: MAX_PARAGRAPHS_OF_SECTION * 8 })]
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a.chunkIndex - b.chunkIndex)
    .slice(0, MAX_PARAGRAPHS_OF_SECTION);
  // The heading of a release may have its date, and only other headings below it.
  return paragraphs.length === 0 && headingStates(chunk.headingText ?? "") ? [chunk] : paragraphs;
}

/** The paragraph after `chunk` if that announces it. */
function announcedBy(
  reader: Reader,
  { text, parentKey, chunkIndex }: LocatedChunk,
): LocatedChunk | undefined {
  if (parentKey === null || !mayAnnounce(text)) return undefined;
  const [next] = childrenOf(reader, parentKey, { from: chunkIndex + 1, to: chunkIndex + 1 });
  return next?.level === "paragraph" && announces(text, next.text) ? next : undefined;
}

function toEvidence(
  reader: Reader,
  chunk: LocatedChunk,
  known: Pick<Evidence, "hits" | "opening">,
): Evidence {
  const { id, documentId, documentTitle, sectionPath, text, previousId } = chunk;
  const heading = statingHeading(reader, chunk);
  const before = paragraphBefore(reader, chunk);
  const continuedBy = nextRowsOf(reader, chunk);
  return {
    id,
    documentId,
    title: documentTitle,
    path: sectionPath,
    text,
    ...known,
    ...(before !== undefined && { before }),
    ...(previousId !== null && { previousId }),
    ...(continuedBy !== undefined && { continuedBy }),
    ...(heading && { heading }),
  };
}

/** The innermost heading above a chunk that states something itself, with the chunk of its section. */
function statingHeading(
  reader: Reader,
  { key, id: ownId, level, sectionPath, parentId, parentKey }: LocatedChunk,
): Evidence["heading"] {
  const at = sectionPath.findLastIndex(headingStates);
  if (at < 0 || parentId === null || parentKey === null) return undefined;
  const [sectionId, sectionKey] = level === "section" ? [ownId, key] : [parentId, parentKey];
  const isOwn = at === sectionPath.length - 1;
  const id = isOwn ? sectionId : findSectionAbove(reader, sectionKey, sectionPath.slice(0, at + 1));
  return id === undefined ? undefined : { text: sectionPath[at]!, id };
}

/** The id of the next piece of the table that a chunk is a piece of. */
function nextRowsOf(reader: Reader, { text, parentKey, chunkIndex }: LocatedChunk): string | undefined {
  if (parentKey === null || !isTableRow(text)) return undefined;
  const [next] = childrenOf(reader, parentKey, { from: chunkIndex + 1, to: chunkIndex + 1 });
  return next?.level === "paragraph" && continuesTable(next.text) ? next.id : undefined;
}

/** The beginnings of the documents that chunks are in, by document id. */
function openingsOf(reader: Reader, chunks: readonly LocatedChunk[]): Map<string, string> {
  const documents = new Set(chunks.map(({ documentId }) => documentId));
  const openingOf = (documentId: string) => {
    const opening = findChunkByKey(reader, liveGeneration(reader, documentId)?.firstChunk);
    return [documentId, cutUnits(opening?.text ?? "", OPENING_UNITS)] as const;
  };
  return new Map([...documents].map(openingOf));
}

/** The paragraph that may introduce a chunk; see introductionOf. */
function paragraphBefore(reader: Reader, { text, parentKey, chunkIndex }: LocatedChunk): string | undefined {
  if (parentKey === null || chunkIndex === 0) return undefined;
  const isPiece = continuesTable(text);
  let pieces = 0;
  for (const before of textsBefore(reader, { parentKey, chunkIndex }, INTRODUCTION_UNITS)) {
    if (!isPiece || !continuesTable(before)) return mayIntroduce(before, text) ? before : undefined;
    if (++pieces >= MAX_TABLE_PIECES) break;
  }
  return undefined;
}
