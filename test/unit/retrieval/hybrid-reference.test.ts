// Hybrid search against a plain implementation that reads everything, sorts everything and keeps nothing, while
// documents come and go: the same 50 best chunks, with scores that differ by less than 1e-6.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { signBits } from "../../../src/engine/embedding/bits.ts";
import { EMBEDDING_DIMENSION, LIMITS } from "../../../src/kernel/limits.ts";
import { toUnitLength } from "../../../src/kernel/vectors.ts";
import { cosine, hammingDistance } from "../../../src/retrieval/vectors/dense.ts";
import type { Filter } from "../../../src/retrieval/search/filter.ts";
import {
  CONTAINS_ALL,
  CONTAINS_PHRASE,
  neighbourBonuses,
  scoreOf,
  weightedSum,
} from "../../../src/retrieval/search/fusion.ts";
import { type HybridSearch, openHybridSearch } from "../../../src/retrieval/search/hybrid.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

const TOP = 50;
const LEXICAL_CANDIDATES = 128;
const NEIGHBOURS = 32;
const DENSE_WEIGHT = 0.6;

let index: SmallIndex;
let hybrid: HybridSearch;
let documents: Map<string, Stored>;
let random: () => number;
beforeEach(() => {
  index = openSmallIndex();
  hybrid = openHybridSearch(index.reader, "javascript");
  documents = new Map();
  let state = 7;
  random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
});
afterEach(() => index.close());

interface StoredChunk {
  key: number;
  words: string[];
  contextWords: string[];
  vectors: { vector: Float32Array; order: number }[];
}
interface Stored {
  userId: string;
  tags: string[];
  chunks: StoredChunk[];
}

/** Words that the stemmer leaves alone; the first ones are frequent. */
const WORDS = ["b", "d", "g", "k", "l", "m"].flatMap((a) =>
  ["t", "r", "v", "z", "p"].flatMap((b) => [`${a}a${b}o`, `${a}o${b}u`, `${a}u${b}omo`]),
);
const anyWord = () => WORDS[Math.floor(random() ** 3 * WORDS.length)]!;
const anyWords = (count: number) => Array.from({ length: count }, anyWord);

const TOPICS = 6;
const directions = new Map<number, Float32Array>();
function topic(number: number): Float32Array {
  const known = directions.get(number);
  if (known) return known;
  const made = Float32Array.from({ length: EMBEDDING_DIMENSION }, () => random() - 0.5);
  directions.set(number, made);
  return made;
}
/** A vector near one of the topics. */
function anyVector(): Float32Array {
  const center = topic(Math.floor(random() * TOPICS));
  return toUnitLength(center.map((value) => value + 0.8 * (random() - 0.5)));
}

let vectors = 0;
function add(id: string, userId = "u", tags: string[] = []): void {
  const count = 1 + Math.floor(random() * 9);
  const paragraphs = Array.from({ length: count }, () => ({
    words: anyWords(5 + Math.floor(random() * 60)),
    contextWords: anyWords(Math.floor(random() * 4)),
    vectors: Array.from({ length: Math.floor(random() * 3) }, anyVector),
  }));
  const keys = index.add({
    ...{ id, userId, tags },
    paragraphs: paragraphs.map(({ words, contextWords, vectors }) => ({
      ...{ text: words.join(" "), context: contextWords.join(" "), vectors },
    })),
  });
  const chunks = paragraphs.map((paragraph, i) => ({
    ...{ ...paragraph, key: keys[i]! },
    vectors: paragraph.vectors.map((vector) => ({ vector, order: vectors++ })),
  }));
  documents.set(id, { userId, tags, chunks });
}
function retire(id: string): void {
  index.retire(id);
  documents.delete(id);
}

/** BM25 of every chunk of a user, as a fraction of the maximum for the query. */
function lexicalScores(userId: string, terms: readonly string[]): Map<number, number> {
  const own = [...documents.values()].filter((document) => document.userId === userId);
  const chunks = own.flatMap((document) => document.chunks);
  const idf = (frequency: number) => Math.log(1 + (chunks.length + 20 - frequency + 0.5) / (frequency + 0.5));
  const count = (words: readonly string[], term: string) => words.filter((word) => word === term).length;
  const distinct = [...new Set(terms)].map((text) => {
    const holding = chunks.filter(({ words, contextWords }) => [...words, ...contextWords].includes(text));
    return { text, weight: count(terms, text) * idf(holding.length) };
  });
  const heaviest = distinct.map(({ weight }) => weight).sort((a, b) => b - a);
  const maximum = Math.max(
    heaviest.slice(0, 6).reduce((sum, weight) => sum + weight, 0),
    0.5 * idf(0),
  );
  const scoreOfChunk = ({ words, contextWords }: StoredChunk) =>
    distinct.reduce((sum, { text, weight }) => {
      const frequency = count(words, text) + 2 * count(contextWords, text);
      const norm = 1.2 * (0.25 + (0.75 * (words.length + contextWords.length)) / 150);
      return sum + (weight * frequency) / (frequency + norm);
    }, 0);
  return new Map(chunks.map((chunk) => [chunk.key, Math.min(1, scoreOfChunk(chunk) / maximum)]));
}

/** The least weighted sum of a chunk that contains all terms. */
function exactness(text: string, { words, contextWords }: StoredChunk): number {
  const terms = text.split(" ");
  if (new Set(terms).size > 3) return 0;
  if (!terms.every((term) => words.includes(term) || contextWords.includes(term))) return 0;
  return terms.length > 1 && ` ${words.join(" ")}`.includes(` ${text}`) ? CONTAINS_PHRASE : CONTAINS_ALL;
}

function expected(text: string, vector: Float32Array, { userId, tags, documentId }: Filter) {
  const lexical = lexicalScores(userId, text.split(" "));
  const allowed = [...documents]
    .filter(([id, document]) => document.userId === userId && (documentId ?? id) === id)
    .filter(([, document]) => tags.every((tag) => document.tags.includes(tag)))
    .flatMap(([, { chunks }]) => chunks);
  const byWords = allowed
    .filter(({ key }) => lexical.get(key)! > 0)
    .sort(
      (a, b) =>
        Number(exactness(text, b) > 0) - Number(exactness(text, a) > 0) ||
        lexical.get(b.key)! - lexical.get(a.key)! ||
        a.key - b.key,
    )
    .slice(0, LEXICAL_CANDIDATES);
  const bits = signBits(vector);
  const near = allowed
    .flatMap((chunk) => chunk.vectors.map((window) => ({ chunk, ...window })))
    .map((window) => ({ ...window, distance: hammingDistance(signBits(window.vector), bits) }))
    .sort((a, b) => a.distance - b.distance || a.order - b.order)
    .slice(0, LIMITS.search.candidates);
  const found = new Set([...byWords, ...near.map(({ chunk }) => chunk)]);
  const nearVectors = new Set(near.map((window) => window.vector));
  const scored = [...found].map((chunk) => {
    const windows = chunk.vectors.filter((w) => byWords.includes(chunk) || nearVectors.has(w.vector));
    const best = windows
      .map((window) => ({ ...window, cosine: cosine(vector, window.vector) }))
      .sort((a, b) => b.cosine - a.cosine)[0];
    const dense = best ? Math.min(1, Math.max(0, best.cosine)) : 0;
    const words = { lexical: lexical.get(chunk.key)!, exact: exactness(text, chunk) };
    const parts = { dense, ...words, neighbours: 0, denseWeight: DENSE_WEIGHT };
    return { key: chunk.key, vector: best?.vector, parts };
  });
  scored.sort((a, b) => weightedSum(b.parts) - weightedSum(a.parts) || a.key - b.key);
  const top = scored
    .slice(0, NEIGHBOURS)
    .flatMap(({ key, vector, parts }) => (vector ? [{ key, vector, parts }] : []));
  const bonuses = neighbourBonuses(top);
  const bonusOf = new Map(top.map(({ key }, i) => [key, bonuses[i]!]));
  return scored
    .map(({ key, parts }) => ({ key, score: scoreOf({ ...parts, neighbours: bonusOf.get(key) ?? 0 }) }))
    .sort((a, b) => b.score - a.score || a.key - b.key)
    .slice(0, TOP);
}

const CALIBRATION = {
  points: [
    [0, 0],
    [1, 1],
  ] as [number, number][],
};

/** Compares several queries: their scores one by one, and their chunks as far as the scores differ. */
function expectSame(filter: Filter): void {
  for (const length of [1, 3, 12, 45]) {
    const text = anyWords(length).join(" ");
    const vector = anyVector();
    const query = { spaceId: 1, dimension: EMBEDDING_DIMENSION, vector, calibration: CALIBRATION };
    const found = hybrid.search({ text, vectors: [query] }, filter).slice(0, TOP);
    const wanted = expected(text, vector, filter);
    expect(found).toHaveLength(wanted.length);
    for (const [rank, { chunkKey, score }] of found.entries()) {
      expect(Math.abs(score - wanted[rank]!.score)).toBeLessThan(1e-6);
      const isTied = wanted.some((other, i) => i !== rank && Math.abs(other.score - score) < 1e-6);
      if (!isTied && rank < TOP - 1) expect(chunkKey).toBe(wanted[rank]!.key);
    }
  }
}

test("the same results while documents are added, retired and filtered", () => {
  const all: Filter = { userId: "u", tags: [] };
  expectSame(all);
  for (let i = 0; i < 90; i++) add(`d${i}`, i % 5 ? "u" : "v", i % 3 ? [] : ["third"]);
  expectSame(all);
  expectSame({ ...all, userId: "v" });
  expectSame({ ...all, tags: ["third"] });
  expectSame({ ...all, documentId: "d7" });
  for (let i = 0; i < 90; i += 4) retire(`d${i}`);
  expectSame(all);
  expectSame({ ...all, tags: ["third"] });
  for (let i = 90; i < 120; i++) {
    add(`d${i}`, i % 4 ? "u" : "v");
    if (i % 10 === 0) expectSame(all);
  }
  for (let i = 1; i < 120; i++) if (documents.get(`d${i}`)?.userId === "u" && i % 2) retire(`d${i}`);
  expectSame(all);
  expectSame({ ...all, userId: "v" });
});
