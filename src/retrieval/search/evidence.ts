// Finds the evidence for a question: for each part of it the nearest paragraphs, more than an answer may use, each with
// what introduces and continues it. Everything is read from one state of the database.

import type { Database } from "bun:sqlite";
import type { ChunkHit, Evidence } from "../../engine/answers/2-passages/passages.ts";
import type { QuestionPart, SearchedPart } from "../../engine/answers/1-question/question.ts";
import { headingStates } from "../../engine/chunking/statements.ts";
import { isQuestion } from "../../engine/markdown/entries.ts";
import {
  announces,
  continuesTable,
  INTRODUCTION_UNITS,
  isTableRow,
  mayAnnounce,
  mayIntroduce,
} from "../../engine/markdown/introduction.ts";
import { cutUnits } from "../../kernel/text.ts";
import {
  findPlaced,
  openingOf,
  type PlacedChunk,
  placedChildren,
  sectionAbove,
  textsBefore,
} from "./evidence-rows.ts";
import type { Filter } from "./filter.ts";
import { findHit } from "./hit-rows.ts";
import type { ChunkMatch, HybridQuery, HybridSearch } from "./hybrid.ts";

export interface EvidenceSearch {
  /** The parts of a question, each with what is searched for it. */
  parts: readonly { part: QuestionPart; query: HybridQuery }[];
  filter: Filter;
  /** Maximum number of paragraphs. */
  size: number;
}

export interface FoundEvidence {
  /** The parts in their order, with the hits among the evidence. */
  parts: SearchedPart[];
  evidence: Evidence[];
  /**
   * Titles and texts of the chunks near the question, for the rarity of words: one that occurs in all of them does not
   * count.
   */
  near: string[];
}

/** Maximum number of paragraphs used of a section that was hit: its best hits, otherwise its first ones. */
const MAX_PARAGRAPHS_OF_SECTION = 2;
const MAX_NEAR_CHUNKS = 48;
const MAX_NEAR_UNITS = 1_000;
const OPENING_UNITS = 500;
/** Pieces of one table before the one that was hit, in which its header row is looked for. */
const MAX_TABLE_PIECES = 256;

/** A paragraph that was found for a part of the question. */
interface Candidate {
  chunk: PlacedChunk;
  hit: ChunkHit;
}

/** Searches for each part and takes the best paragraphs of each in turn. Call it inside a read transaction. */
export function searchEvidence(
  { database, hybrid }: { database: Database; hybrid: HybridSearch },
  { parts, filter, size }: EvidenceSearch,
): FoundEvidence {
  const near = new Set<string>();
  const found = parts.map(({ part, query }) => {
    const matches = hybrid.search(query, filter);
    for (const text of nearTexts(database, matches)) near.add(text);
    return { part, candidates: candidatesOf(database, matches, size) };
  });
  const lists = found.map(({ candidates }) => candidates);
  const chosen = inTurn(lists, size);
  const openings = new Map(
    [...new Set(chosen.map(({ documentId }) => documentId))].map((id) => [
      id,
      openingOf(database, id, OPENING_UNITS),
    ]),
  );
  return {
    parts: found.map(({ part, candidates }) => ({ ...part, hits: hitsOf(candidates, chosen, size) })),
    evidence: chosen.map((chunk) => {
      const opening = openings.get(chunk.documentId);
      return {
        ...toEvidence(database, chunk),
        opening: cutUnits(opening?.text ?? "", OPENING_UNITS),
        ...(opening && { titleId: opening.id }),
      };
    }),
    near: [...near],
  };
}

/** How search ranks each chosen chunk for one part, by chunk id; the score is 0 if it was not found for that part. */
function hitsOf(
  candidates: readonly Candidate[],
  chosen: readonly PlacedChunk[],
  size: number,
): Map<string, ChunkHit> {
  const none: ChunkHit = { score: 0, cosine: 0, lexical: 0, rank: size };
  const hits = new Map(candidates.map(({ chunk, hit }) => [chunk.id, hit]));
  return new Map(chosen.map(({ id }) => [id, hits.get(id) ?? none]));
}

/** The first `size` paragraphs for one part, each once. */
function candidatesOf(database: Database, matches: readonly ChunkMatch[], size: number): Candidate[] {
  const matchOf = new Map(matches.map((match) => [match.chunkKey, match]));
  const candidates = new Map<number, Candidate>();
  const add = (chunk: PlacedChunk, { score, parts }: ChunkMatch) => {
    if (candidates.has(chunk.key)) return;
    const { cosine = 0, lexical, languages } = parts;
    const hit = { score, cosine, lexical, rank: candidates.size, ...(languages && { languages }) };
    candidates.set(chunk.key, { chunk, hit });
  };
  for (const match of matches) {
    if (candidates.size >= size) break;
    for (const chunk of paragraphsOf(database, match, matchOf)) {
      add(chunk, matchOf.get(chunk.key) ?? match);
      const next = announcedBy(database, chunk);
      if (next) add(next, matchOf.get(next.key) ?? match);
    }
  }
  return [...candidates.values()].slice(0, size);
}

/** Takes the next candidate of each part in turn, until there are `size`. */
function inTurn(lists: readonly Candidate[][], size: number): PlacedChunk[] {
  const chosen = new Map<number, PlacedChunk>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank++) {
    for (const { [rank]: candidate } of lists) {
      if (chosen.size >= size) return [...chosen.values()];
      if (candidate) chosen.set(candidate.chunk.key, candidate.chunk);
    }
  }
  return [...chosen.values()];
}

function nearTexts(database: Database, matches: readonly ChunkMatch[]): string[] {
  return matches.slice(0, MAX_NEAR_CHUNKS).flatMap(({ chunkKey }) => {
    const hit = findHit({ sql: database }, chunkKey);
    return hit ? [`${hit.title}\n${cutUnits(hit.text, MAX_NEAR_UNITS)}`] : [];
  });
}

/**
 * The hit itself, or the best paragraphs of the section that was hit, if it has any; none for a document without text.
 */
function paragraphsOf(
  database: Database,
  match: ChunkMatch,
  matchOf: ReadonlyMap<number, ChunkMatch>,
): PlacedChunk[] {
  const chunk = findPlaced(database, match.chunkKey);
  if (!chunk || chunk.level === "document") return [];
  if (chunk.level === "paragraph") return [chunk];
  const scoreOf = ({ key }: PlacedChunk) => matchOf.get(key)?.score ?? 0;
  const paragraphs = placedChildren(database, chunk.key, { from: 0, to: MAX_PARAGRAPHS_OF_SECTION * 8 })
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a.chunkIndex - b.chunkIndex)
    .slice(0, MAX_PARAGRAPHS_OF_SECTION);
  // The heading of a release may have its date, and only other headings below it.
  return paragraphs.length === 0 && headingStates(chunk.headingText ?? "") ? [chunk] : paragraphs;
}

/** The paragraph after a chunk; undefined if there is none in its section. */
function paragraphAfter(database: Database, { parentKey, chunkIndex }: PlacedChunk): PlacedChunk | undefined {
  if (parentKey === null) return undefined;
  const [next] = placedChildren(database, parentKey, { from: chunkIndex + 1, to: chunkIndex + 1 });
  return next?.level === "paragraph" ? next : undefined;
}

/** The paragraph after `chunk` if that announces it. */
function announcedBy(database: Database, chunk: PlacedChunk): PlacedChunk | undefined {
  const next = mayAnnounce(chunk.text) ? paragraphAfter(database, chunk) : undefined;
  return next && announces(chunk.text, next.text) ? next : undefined;
}

function toEvidence(database: Database, chunk: PlacedChunk): Omit<Evidence, "opening"> {
  const { id, documentId, documentTitle, isArchived, sectionPath, chunkIndex, text, previousId } = chunk;
  const before = paragraphBefore(database, chunk);
  const stating = statingHeading(database, chunk);
  // A question in the section ends what the heading asks.
  const isAskedAgain = stating && isQuestion(stating.text) && (isQuestion(text) || isQuestion(before ?? ""));
  const heading = isAskedAgain ? undefined : stating;
  const continuedBy = nextRowsOf(database, chunk);
  return {
    id,
    documentId,
    title: documentTitle,
    path: isAskedAgain ? sectionPath.filter((one) => one !== stating.text) : sectionPath,
    index: chunkIndex,
    text,
    ...(before !== undefined && { before }),
    ...(previousId !== null && { previousId }),
    ...(continuedBy !== undefined && { continuedBy }),
    ...(heading && { heading }),
    ...(isArchived && { isArchived: true }),
  };
}

/** The innermost heading above a chunk that states or asks something itself, with the chunk of its section. */
function statingHeading(
  database: Database,
  { key, id: ownId, level, sectionPath, parentId, parentKey }: PlacedChunk,
): Evidence["heading"] {
  const at = sectionPath.findLastIndex((heading) => headingStates(heading) || isQuestion(heading));
  if (at < 0 || parentId === null || parentKey === null) return undefined;
  const [sectionId, sectionKey] = level === "section" ? [ownId, key] : [parentId, parentKey];
  const isOwn = at === sectionPath.length - 1;
  const id = isOwn ? sectionId : sectionAbove(database, sectionKey, sectionPath.slice(0, at + 1));
  return id === undefined ? undefined : { text: sectionPath[at]!, id };
}

/** The id of the next piece of the table that a chunk is a piece of. */
function nextRowsOf(database: Database, chunk: PlacedChunk): string | undefined {
  const next = isTableRow(chunk.text) ? paragraphAfter(database, chunk) : undefined;
  return next && continuesTable(next.text) ? next.id : undefined;
}

/** The paragraph that may introduce a chunk; see introductionOf. */
function paragraphBefore(
  database: Database,
  { text, parentKey, chunkIndex }: PlacedChunk,
): string | undefined {
  if (parentKey === null || chunkIndex === 0) return undefined;
  const isPiece = continuesTable(text);
  let pieces = 0;
  for (const before of textsBefore(database, { parentKey, chunkIndex }, INTRODUCTION_UNITS)) {
    if (!isPiece || !continuesTable(before)) return mayIntroduce(before, text) ? before : undefined;
    if (++pieces >= MAX_TABLE_PIECES) break;
  }
  return undefined;
}
