// Hybrid search: the chunks nearest by meaning and the chunks that say the most of the question's words, each judged by
// both. It runs in the scan thread on one read handle, and returns keys, scores and how they came to be.

import type { Database } from "bun:sqlite";
import { signBits } from "../engine/embedding/bits.ts";
import { createCalibration, readableShare } from "../engine/embedding/calibration.ts";
import { LIMITS } from "../kernel/limits.ts";
import { openCosines, type VectorEngine, vectorOf } from "./dense.ts";
import type { Filter } from "./filter.ts";
import { denseWeightFor, gainsFromNeighbours, type ScoreParts, scoreOf, sumOf, VOUCHING } from "./fusion.ts";
import { type LexicalScores, openLexicalSearch } from "./lexical.ts";
import { type Candidate, type LiveView, openLiveIndex } from "./live-index.ts";
import type { EmbeddedIn } from "./spaces.ts";

/** A question, embedded in every space that is searched. */
export interface HybridQuery {
  text: string;
  vectors: readonly EmbeddedIn[];
}

export interface ChunkMatch {
  chunkKey: number;
  documentId: string;
  /** The chunk's place among those of its document, from 0. */
  position: number;
  /** Similarity from 0 to 1; see scoreOf. */
  score: number;
  parts: ScoreParts;
}

export interface HybridSearch {
  readonly engine: VectorEngine;
  /**
   * The chunks worth a look, best first, each once: the nearest LIMITS.search.candidates vectors of each space and half
   * as many chunks by their words. What the search session `sessionId` has shown takes no place among them.
   */
  search(query: HybridQuery, filter: Filter, sessionId?: string): ChunkMatch[];
}

/** Chunks that are looked at for their words alone: half as many as for their vectors lose nothing, on five collections. */
const BY_WORDS = LIMITS.search.candidates / 2;

/** What is known of one chunk before the sum. */
interface Judged {
  chunkKey: number;
  documentId: string;
  position: number;
  /** The key of the vector that is nearest to the question. */
  vectorKey?: number;
  parts: ScoreParts;
}

export function openHybridSearch(database: Database, engine: VectorEngine): HybridSearch {
  const index = openLiveIndex(database);
  const lexical = openLexicalSearch(database);
  const cosines = openCosines(database, engine);
  const shownIn = database.query<{ key: number }, [string]>(
    `SELECT c.key FROM search_session_chunks AS shown JOIN chunks AS c ON c.id = shown.chunk_id
     WHERE shown.session_id = ?`,
  );
  // One transaction, so that words, sign bits and vectors are of one state of the file.
  const search = database.transaction((query: HybridQuery, filter: Filter, sessionId?: string) => {
    const view = index.view(filter);
    const hidden = new Set(sessionId === undefined ? [] : shownIn.all(sessionId).map(({ key }) => key));
    const words = lexical.search(view, query.text);
    // What was shown is judged with the others, so that a session goes on in the order that it began with.
    const depth = { chunks: BY_WORDS + hidden.size, vectors: LIMITS.search.candidates };
    if (hidden.size > 0) depth.vectors += view.vectorsOf(hidden).length;
    const judged = judge(view, words, query, depth, cosines);
    return rank(database, judged).filter(({ chunkKey }) => !hidden.has(chunkKey));
  });
  return { engine, search };
}

function judge(
  view: LiveView,
  words: LexicalScores,
  { text, vectors }: HybridQuery,
  depth: { chunks: number; vectors: number },
  cosines: ReturnType<typeof openCosines>,
): Judged[] {
  const byWords = new Set(words.best(depth.chunks));
  const vectorsByWords = view.vectorsOf(byWords);
  const judged = new Map<number, Judged>();
  const partsOf = (chunkKey: number, denseWeight: number): Judged => {
    const segment = view.segmentOf(chunkKey)!;
    const position = chunkKey - segment.firstChunk;
    const lexical = words.shareOf(segment.firstOrdinal + position);
    const parts = { dense: 0, lexical, neighbours: 0, denseWeight };
    return { chunkKey, documentId: segment.documentId, position, parts };
  };
  for (const { spaceId, vector, calibration } of vectors) {
    const onScale = createCalibration(calibration.points);
    const denseWeight = denseWeightFor(readableShare(text, calibration) * (1 - words.unknownCodes));
    const near = new Map<number, Candidate>();
    for (const one of view.nearest(signBits(vector), spaceId, depth.vectors)) near.set(one.vectorKey, one);
    for (const one of vectorsByWords) if (one.segment.spaceId === spaceId) near.set(one.vectorKey, one);
    const cosineOf = cosines(vector, [...near.keys()]);
    for (const { vectorKey, chunkKey } of near.values()) {
      const cosine = cosineOf.get(vectorKey);
      if (cosine === undefined) continue;
      const known = judged.get(chunkKey);
      if (known?.parts.cosine !== undefined && known.parts.cosine >= cosine) continue;
      const { parts, ...chunk } = known ?? partsOf(chunkKey, denseWeight);
      judged.set(chunkKey, { ...chunk, vectorKey, parts: { ...parts, cosine, dense: onScale(cosine) } });
    }
    // A chunk without a vector can be found by its words alone.
    for (const chunkKey of byWords) {
      if (judged.has(chunkKey) || view.segmentOf(chunkKey)!.spaceId !== spaceId) continue;
      judged.set(chunkKey, partsOf(chunkKey, denseWeight));
    }
  }
  return [...judged.values()];
}

/** Adds what neighbours say of the best, and sorts. */
function rank(database: Database, judged: Judged[]): ChunkMatch[] {
  const byScore = (a: ChunkMatch, b: ChunkMatch) => b.score - a.score || a.chunkKey - b.chunkKey;
  const bySum = judged.toSorted((a, b) => sumOf(b.parts) - sumOf(a.parts) || a.chunkKey - b.chunkKey);
  const best = bySum.slice(0, VOUCHING.chunks).flatMap((one) => {
    const vector = one.vectorKey === undefined ? undefined : vectorOf(database, one.vectorKey);
    return vector ? [{ one, vector, parts: one.parts }] : [];
  });
  const gains = gainsFromNeighbours(best);
  const gained = new Map(best.map(({ one }, index) => [one, gains[index]]));
  return bySum
    .map((one) => {
      const { chunkKey, documentId, position, parts } = one;
      const all = { ...parts, neighbours: gained.get(one) ?? 0 };
      return { chunkKey, documentId, position, score: scoreOf(all), parts: all };
    })
    .sort(byScore);
}
