// Hybrid search: candidates are the nearest chunks by vector and the best chunks by words; each is scored by both. Runs
// in the scan thread on one read handle and returns keys and scores, no rows.

import type { Database } from "bun:sqlite";
import { halvesInTurn, signBits } from "../../engine/embedding/bits.ts";
import { readableShare } from "../../engine/embedding/calibration.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { toUnitLength } from "../../kernel/vectors.ts";
import { openCosines, openVectors, type Slice, type VectorEngine } from "../vectors/dense.ts";
import type { Filter } from "./filter.ts";
import {
  CONTAINS_ALL,
  CONTAINS_PHRASE,
  denseWeightFor,
  MAX_NEIGHBOURS,
  neighbourBonuses,
  type ScoreParts,
  scoreOf,
  scoresBesideBest,
  weightedSum,
} from "./fusion.ts";
import { type LexicalScores, openLexicalSearch } from "./lexical.ts";
import { failOnProblem, type ReportProblem } from "./postings.ts";
import { type LiveView, openLiveIndex, type VectorMatch } from "./live-index.ts";
import { openPhraseTest, type PhraseTest } from "./phrase.ts";
import {
  bitWeightsOf,
  type Comparison,
  comparisonOf,
  type DenseScore,
  type EmbeddedIn,
} from "../vectors/query-parts.ts";

/** A query, embedded in every vector space that is searched. */
export interface HybridQuery {
  text: string;
  vectors: readonly EmbeddedIn[];
}

export interface ChunkMatch {
  chunkKey: number;
  documentId: string;
  /** The chunk's index in its document, from 0. */
  position: number;
  /** Similarity from 0 to 1; see scoreOf. */
  score: number;
  parts: ScoreParts;
}

export interface HybridSearch {
  readonly engine: VectorEngine;
  /**
   * The matching chunks, best first and those of archived documents last, each once: LIMITS.search.candidates nearest
   * vectors of each space and half as many chunks by words. Chunks that the search session `sessionId` has returned are
   * excluded and do not count as candidates.
   */
  search(query: HybridQuery, filter: Filter, sessionId?: string): ChunkMatch[];
  /** Reads and scores the words of a query, for the next search with this text. */
  prepare(text: string, filter: Filter): void;
  /** Reads what searches need into memory, in small steps; see LiveIndex.preload. */
  preload(): Generator<void, void>;
}

/** Half as many candidates by words as by vectors: on five collections, more improve nothing. */
const MAX_LEXICAL_CANDIDATES = LIMITS.search.candidates / 2;

/** A candidate without its neighbour bonus. */
interface ScoredChunk {
  chunkKey: number;
  documentId: string;
  position: number;
  /** The chunk's vector nearest to the query: its key, and where the cosines with other chunks are compared. */
  nearest?: { vectorKey: number; slice: Slice };
  parts: ScoreParts;
}

/** One query and what its candidates are taken from. */
interface Search {
  query: HybridQuery;
  view: LiveView;
  lexical: LexicalScores;
  /** Maximum number of candidates by words, and of vectors in each space. */
  chunkCount: number;
  vectorCount: number;
}

/** Hybrid search on one read handle, with exact cosines from the given engine. */
export function openHybridSearch(
  database: Database,
  engine: VectorEngine,
  report: ReportProblem = failOnProblem,
): HybridSearch {
  const index = openLiveIndex(database);
  const lexicalSearch = openLexicalSearch(database, report);
  const reads = { cosines: openCosines(database, engine), hasPhrase: openPhraseTest(database) };
  const vectorOf = openVectors(database);
  const returnedIn = database.query<{ key: number }, [string]>(
    `SELECT c.key FROM search_session_chunks AS shown JOIN chunks AS c ON c.id = shown.chunk_id
     WHERE shown.session_id = ?`,
  );
  // One transaction, so that words, sign bits and vectors are from the same state of the database.
  const search = database.transaction((query: HybridQuery, filter: Filter, sessionId?: string) => {
    const view = index.view(filter);
    const returned = new Set(sessionId === undefined ? [] : returnedIn.all(sessionId).map(({ key }) => key));
    // Returned chunks are scored like the others, so that the order within a session does not change.
    const scored = scoreCandidates(reads, {
      query,
      view,
      lexical: lexicalSearch.search(view, query.text),
      chunkCount: MAX_LEXICAL_CANDIDATES + returned.size,
      vectorCount: LIMITS.search.candidates + (returned.size > 0 ? view.vectorsOf(returned).length : 0),
    });
    const ranked = rank(vectorOf, scored).filter(({ chunkKey }) => !returned.has(chunkKey));
    const archived = archivedAmong(database, new Set(ranked.map(({ documentId }) => documentId)));
    if (archived.size === 0) return ranked;
    const isLast = ({ documentId }: ChunkMatch) => archived.has(documentId);
    return [...ranked.filter((match) => !isLast(match)), ...ranked.filter(isLast)];
  });
  const prepare = database.transaction((text: string, { userId }: Filter) => {
    lexicalSearch.search(index.view({ userId, tags: [] }), text);
  });
  return { engine, search, prepare, preload: () => index.preload() };
}

/** Which of these documents are archived. */
export function archivedAmong(database: Database, ids: ReadonlySet<string>): Set<string> {
  const rows = database
    .query<{ id: string }, [string]>(
      "SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?)) AND status = 'archived'",
    )
    .all(JSON.stringify([...ids]));
  return new Set(rows.map(({ id }) => id));
}

function scoreCandidates(
  { cosines, hasPhrase }: { cosines: ReturnType<typeof openCosines>; hasPhrase: PhraseTest },
  search: Search,
): ScoredChunk[] {
  const { query, view, lexical } = search;
  const isPhraseIn = hasPhrase(query.text);
  const exactness = (chunkKey: number, ordinal: number): number => {
    if (!lexical.containsAll(ordinal)) return 0;
    return isPhraseIn?.(chunkKey) ? CONTAINS_PHRASE : CONTAINS_ALL;
  };
  const byWords = new Set(lexical.best(search.chunkCount));
  const vectorsByWords = view.vectorsOf(byWords);
  const scored = new Map<number, ScoredChunk>();
  const addWithoutVector = (chunkKey: number, readable: number, share?: number): ScoredChunk => {
    const segment = view.segmentOf(chunkKey)!;
    const position = chunkKey - segment.firstChunk;
    const ordinal = segment.firstOrdinal + position;
    const denseWeight = denseWeightFor(readable * (1 - lexical.missingCodes(ordinal)), share);
    const words = { lexical: lexical.scoreOf(ordinal), exact: exactness(chunkKey, ordinal) };
    const parts = { dense: 0, ...words, neighbours: 0, denseWeight };
    const chunk = { chunkKey, documentId: segment.documentId, position, parts };
    scored.set(chunkKey, chunk);
    return chunk;
  };
  for (const embedded of query.vectors) {
    const { spaceId, vector, calibration } = embedded;
    const comparison = comparisonOf(embedded);
    const readable = readableShare(query.text, calibration);
    const near = new Map<number, VectorMatch>();
    const bits = signBits(vector);
    const wanted = {
      bits: embedded.second ? halvesInTurn(bits) : bits,
      weights: bitWeightsOf(embedded),
      count: search.vectorCount,
    };
    for (const match of view.nearest(wanted, spaceId)) near.set(match.vectorKey, match);
    for (const match of vectorsByWords)
      if (match.segment.spaceId === spaceId) near.set(match.vectorKey, match);
    const denseOf = denseScores(cosines, comparison, [...near.keys()]);
    for (const { vectorKey, chunkKey } of near.values()) {
      const score = denseOf(vectorKey);
      if (score === undefined) continue;
      const { share, ...scores } = score;
      const chunk = scored.get(chunkKey) ?? addWithoutVector(chunkKey, readable, share);
      if (chunk.nearest && isBetter(chunk.parts, scores)) continue;
      chunk.nearest = { vectorKey, slice: comparison.neighbours };
      chunk.parts = { ...chunk.parts, ...scores };
    }
    // A chunk without a vector can be found by its words alone.
    for (const chunkKey of byWords) {
      if (scored.has(chunkKey) || view.segmentOf(chunkKey)!.spaceId !== spaceId) continue;
      addWithoutVector(chunkKey, readable);
    }
  }
  return [...scored.values()];
}

/** Whether a chunk's window is at least as near as another one: by score, and by cosine where that is cut off. */
const isBetter = (
  { dense, cosine = -1 }: Pick<ScoreParts, "dense" | "cosine">,
  other: Pick<DenseScore, "dense" | "cosine">,
) => dense > other.dense || (dense === other.dense && cosine >= other.cosine);

/** The dense score of each vector, undefined for one that does not exist. */
function denseScores(
  cosines: ReturnType<typeof openCosines>,
  { slices, scoreOf: scoreOfCosines }: Comparison,
  keys: readonly number[],
): (key: number) => DenseScore | undefined {
  const found = slices.map((slice) => cosines(slice, keys));
  return (key) => scoreOfCosines(found.map((ofSlice) => ofSlice.get(key)));
}

/** Adds the neighbour bonuses of the top chunks and sorts by score, ties by key. */
function rank(vectorOf: ReturnType<typeof openVectors>, scored: ScoredChunk[]): ChunkMatch[] {
  const bySum = scored.toSorted(
    (a, b) => weightedSum(b.parts) - weightedSum(a.parts) || a.chunkKey - b.chunkKey,
  );
  const top = bySum.slice(0, MAX_NEIGHBOURS).flatMap(({ chunkKey, nearest, parts }) => {
    const vector = nearest && vectorOf(nearest.vectorKey, nearest.slice.start, nearest.slice.values.length);
    return vector ? [{ chunkKey, vector: toUnitLength(vector), parts }] : [];
  });
  const bonuses = neighbourBonuses(top);
  const bonusOf = new Map(top.map(({ chunkKey }, index) => [chunkKey, bonuses[index] ?? 0]));
  const matches = bySum.map(({ chunkKey, documentId, position, parts: withoutBonus }) => {
    const parts = { ...withoutBonus, neighbours: bonusOf.get(chunkKey) ?? 0 };
    return { chunkKey, documentId, position, score: scoreOf(parts), parts };
  });
  const scores = scoresBesideBest(matches);
  return matches
    .map((match, index) => ({ ...match, score: scores[index]! }))
    .sort((a, b) => b.score - a.score || a.chunkKey - b.chunkKey);
}
