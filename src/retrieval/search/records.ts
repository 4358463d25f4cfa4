// Semantic search for whole records: the best chunk of each document, and prompts, with the rows that are shown.
// Everything is read from one state of the database.

import type { Database } from "bun:sqlite";
import { tagsFromColumn } from "../../db/tag-column.ts";
import type { VectorEngine } from "../vectors/dense.ts";
import { PRIORITIES } from "../../jobs/kinds.ts";
import { shareOfContentWords } from "../words/words.ts";
import { selectDocuments } from "./conditions.ts";
import { type ScoreParts, scoreOf } from "./fusion.ts";
import { findHit } from "./hit-rows.ts";
import { archivedAmong, type ChunkMatch, type HybridQuery, type HybridSearch } from "./hybrid.ts";
import { notIndexed } from "./previews.ts";
import { type PromptFilter, type PromptMatch, searchPrompts } from "./prompts.ts";
import { summarizerFor } from "./summary.ts";

export interface RecordSearch {
  query: HybridQuery;
  /** The records that are searched: the user's own with all of the tags. */
  filter: PromptFilter;
  /** Minimum score, 0 to 1. */
  threshold: number;
  /** Maximum number of hits with rows, for documents and for prompts; undefined if they are not searched. */
  documents?: number;
  prompts?: number;
}

/** A document and the chunk that its score was computed for. */
interface DocumentHit {
  documentId: string;
  title: string;
  tags: string[];
  status?: "archived";
  score: number;
  /** An excerpt of the chunk, or of the start of a document that is not indexed yet, around words of the query. */
  highlight: string;
  /** Without a chunk if the document is not indexed yet. */
  explain: ScoreParts & { chunkId?: string };
}

interface PromptHit {
  promptId: string;
  title: string;
  description: string;
  tags: string[];
  score: number;
  cosine: number;
}

/** Records by score, best first. */
export interface Scores {
  ids: string[];
  scores: Float64Array;
}

/** Hits and the scores of all records with at least the minimum score. */
export interface FoundRecords {
  documents: { hits: DocumentHit[]; all: Scores };
  prompts: { hits: PromptHit[]; all: Scores };
}

/** The searches that this one consists of. */
export interface Searches {
  database: Database;
  engine: VectorEngine;
  hybrid: HybridSearch;
}

/** Searches documents and prompts. Call it inside a read transaction. */
export function searchRecords(searches: Searches, search: RecordSearch): FoundRecords {
  return { documents: documentsOf(searches, search), prompts: promptsOf(searches, search) };
}

function documentsOf(
  { database, hybrid }: Searches,
  { query, filter, threshold, documents }: RecordSearch,
): FoundRecords["documents"] {
  if (documents === undefined) return { hits: [], all: scoresOf([]) };
  const indexed = bestChunks(hybrid.search(query, filter), threshold);
  const known = new Set(indexed.map(({ documentId }) => documentId));
  const recent = recentOf(database, query.text, filter).filter(
    ({ documentId, score }) => score >= threshold && !known.has(documentId),
  );
  const best: (ChunkMatch | DocumentHit)[] = [...indexed, ...recent];
  if (recent.length > 0) {
    const archived = archivedAmong(database, new Set(best.map(({ documentId }) => documentId)));
    const isLast = ({ documentId }: { documentId: string }) => Number(archived.has(documentId));
    best.sort((a, b) => isLast(a) - isLast(b) || b.score - a.score);
  }
  const summarize = summarizerFor(query.text);
  const hits = firstRows(best, documents, (match): DocumentHit | undefined => {
    if (!("chunkKey" in match)) return match;
    const { chunkKey, score, parts } = match;
    const row = findHit({ sql: database }, chunkKey);
    if (!row) return undefined;
    const { chunkId, documentId, title, tags, isArchived, text } = row;
    return {
      documentId,
      title,
      tags,
      ...(isArchived && { status: "archived" }),
      score,
      highlight: summarize(text),
      explain: { chunkId, ...parts },
    };
  });
  return { hits, all: scoresOf(best.map(({ documentId, score }) => ({ id: documentId, score }))) };
}

/** More documents are not written by people and agents within the time that indexing takes. */
const MAX_RECENT = 100;
/** The highest priority: what people and agents write. */
const INTERACTIVE = PRIORITIES.indexOf("interactive");
/** The part of its maximum score that BM25 gives a word that occurs once in a short text. */
const ONE_OCCURRENCE = 0.7;

/** Documents that people or agents wrote just now, which are not indexed yet, by the words in title and preview. */
function recentOf(database: Database, query: string, filter: PromptFilter): DocumentHit[] {
  const selected = { ...filter, ...selectDocuments(database, filter) };
  const summarize = summarizerFor(query);
  const recent = notIndexed(database, selected, { maxPriority: INTERACTIVE, limit: MAX_RECENT });
  return [...recent].flatMap(({ documentId, title, tags, preview }): DocumentHit[] => {
    const text = preview();
    const lexical = ONE_OCCURRENCE * shareOfContentWords(query, `${title} ${text}`);
    if (lexical === 0) return [];
    const explain = { dense: 0, lexical, exact: 0, neighbours: 0, denseWeight: 0 };
    const score = scoreOf(explain);
    return [{ documentId, title, tags: tagsFromColumn(tags), score, highlight: summarize(text), explain }];
  });
}

/** The first match of each document with a score of at least `threshold`. */
function bestChunks(matches: readonly ChunkMatch[], threshold: number): ChunkMatch[] {
  const best = new Map<string, ChunkMatch>();
  for (const match of matches) {
    if (match.score >= threshold && !best.has(match.documentId)) best.set(match.documentId, match);
  }
  return [...best.values()];
}

function promptsOf(
  { database, engine }: Searches,
  { query, filter, threshold, prompts }: RecordSearch,
): FoundRecords["prompts"] {
  if (prompts === undefined) return { hits: [], all: scoresOf([]) };
  const matches = searchPrompts(database, engine, { query, filter });
  const below = matches.findIndex(({ score }) => score < threshold);
  const best = below < 0 ? matches : matches.slice(0, below);
  const heading = database.query<Heading, [string]>(
    "SELECT title, description, tags FROM prompts WHERE id = ?",
  );
  const hits = firstRows(best, prompts, ({ promptId, score, cosine }: PromptMatch) => {
    const { title, description, tags } = heading.get(promptId)!;
    return { promptId, title, description, tags: tagsFromColumn(tags), score, cosine };
  });
  return { hits, all: scoresOf(best.map(({ promptId, score }) => ({ id: promptId, score }))) };
}

interface Heading {
  title: string;
  description: string;
  tags: string;
}

/** The rows of the first `limit` matches that have one. */
function firstRows<Match, Row>(
  matches: readonly Match[],
  limit: number,
  read: (match: Match) => Row | undefined,
): Row[] {
  const rows: Row[] = [];
  for (const match of matches) {
    if (rows.length >= limit) break;
    const row = read(match);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

const scoresOf = (records: readonly { id: string; score: number }[]): Scores => ({
  ids: records.map(({ id }) => id),
  scores: Float64Array.from(records, ({ score }) => score),
});
