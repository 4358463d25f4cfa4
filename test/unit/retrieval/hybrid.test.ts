// Hybrid search with vectors and scores that can be computed by hand.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nativeFile } from "../../../src/base/assets.ts";
import { openReader } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import type { Calibration } from "../../../src/engine/embedding/calibration.ts";
import { languageMark, MARK_START } from "../../../src/engine/embedding/joined.ts";
import { ENGLISH, type Language, OTHER, UNKNOWN } from "../../../src/engine/language/words.ts";
import { EMBEDDING_DIMENSION } from "../../../src/kernel/limits.ts";
import type { Filter } from "../../../src/retrieval/search/filter.ts";
import {
  type HybridQuery,
  type HybridSearch,
  openHybridSearch,
} from "../../../src/retrieval/search/hybrid.ts";
import type { VectorEngine } from "../../../src/retrieval/vectors/dense.ts";
import { openSmallIndex, type SmallIndex, unit } from "./small-index.ts";

let index: SmallIndex;
let hybrid: HybridSearch;
beforeEach(() => {
  index = openSmallIndex();
  hybrid = openHybridSearch(index.reader, "javascript");
});
afterEach(() => index.close());

const FILTER: Filter = { userId: "u", tags: [] };
const IDENTITY: Calibration = {
  points: [
    [0, 0],
    [1, 1],
  ],
};
const LATIN_ONLY: Calibration = { ...IDENTITY, scripts: ["Latin"] };
const X = unit(1);
const Y = unit(0, 1);

/** A query with the vector X in space 1 whose words are nowhere, unless stated otherwise. */
const query = (text = "zyzzyva", vector = X, calibration = IDENTITY): HybridQuery => ({
  text,
  vectors: [{ spaceId: 1, dimension: EMBEDDING_DIMENSION, vector, calibration }],
});
const keys = (...args: Parameters<HybridSearch["search"]>) =>
  hybrid.search(...args).map(({ chunkKey }) => chunkKey);

/** The API's scale, whose inner points are 0.24 → 0.35 and 0.44 → 0.6. */
const between = (sum: number) => 0.35 + ((sum - 0.24) / 0.2) * 0.25;
const above = (sum: number) => 0.6 + ((sum - 0.44) / 0.56) * 0.4;

test("an empty index, and a user without documents", () => {
  expect(hybrid.search(query(), FILTER)).toEqual([]);
  index.add({ id: "d", paragraphs: [{ text: "tea", vectors: [X] }] });
  expect(hybrid.search(query(), { ...FILTER, userId: "v" })).toEqual([]);
});

test("by meaning alone: 0.6 of the calibrated cosine", () => {
  const [, key] = index.add({
    id: "d",
    paragraphs: [{ text: "milk" }, { text: "tea", vectors: [unit(0.8, 0.6)] }],
  });
  const found = hybrid.search(query(), FILTER);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ chunkKey: key, documentId: "d", position: 2 });
  expect(found[0]!.parts.cosine).toBeCloseTo(0.8, 6);
  expect(found[0]!.parts).toMatchObject({ lexical: 0, neighbours: 0, denseWeight: 0.6 });
  expect(found[0]!.score).toBeCloseTo(above(0.48), 6);
});

/** The highest score of a chunk with one of two equally rare words, once and alone. */
const lexical = 0.5 / (1 + 1.2 * (0.25 + 0.75 / 150));

test("by words alone: a chunk without a vector has 0.4 of its lexical score", () => {
  const [key] = index.add({ id: "d", paragraphs: [{ text: "tea" }] });
  index.add({ id: "e", paragraphs: [{ text: "sugar" }] });
  const found = hybrid.search(query("tea sugar"), { ...FILTER, documentId: "d" });
  expect(found.map(({ chunkKey }) => chunkKey)).toEqual([key!]);
  expect(found[0]!.parts).toEqual({
    dense: 0,
    lexical: expect.closeTo(lexical, 6),
    exact: 0,
    neighbours: 0,
    denseWeight: 0.6,
  });
  expect(found[0]!.score).toBeCloseTo((0.35 / 0.24) * 0.4 * lexical, 6);
});

test("by both", () => {
  index.add({ id: "d", paragraphs: [{ text: "tea", vectors: [unit(0.8, 0.6)] }] });
  index.add({ id: "e", paragraphs: [{ text: "sugar" }] });
  const [found] = hybrid.search(query("tea sugar"), { ...FILTER, documentId: "d" });
  expect(found!.score).toBeCloseTo(above(0.6 * 0.8 + 0.4 * lexical), 6);
});

test("a chunk with all words of the query passes the threshold, and one with its phrase leads", () => {
  const [apart, phrase, one] = index.add({
    id: "d",
    paragraphs: [
      { text: `tea ${"filler ".repeat(400)} sugar` },
      { text: `${"filler ".repeat(400)} tea sugar` },
      { text: "tea" },
    ],
  });
  const found = hybrid.search(query("tea sugar"), FILTER);
  expect(found.map(({ chunkKey }) => chunkKey)).toEqual([phrase!, apart!, one!]);
  expect(found[1]!.score).toBeGreaterThan(0.35);
});

test("similar chunks raise the lower one: 0.96 · (0.48 − 0.36) / 4", () => {
  const [high, low] = index.add({
    id: "d",
    paragraphs: [
      { text: "a", vectors: [unit(0.8, 0.6)] },
      { text: "b", vectors: [unit(0.6, 0.8)] },
    ],
  });
  const found = hybrid.search(query(), FILTER);
  expect(found.map(({ chunkKey }) => chunkKey)).toEqual([high!, low!]);
  expect(found[0]!.parts.neighbours).toBe(0);
  expect(found[1]!.parts.neighbours).toBeCloseTo(0.0288, 6);
  expect(found[1]!.score).toBeCloseTo(between(0.36 + 0.0288), 6);
});

test("a chunk of several windows is returned once, with the best of them", () => {
  index.add({ id: "d", paragraphs: [{ text: "long", vectors: [Y, unit(0.6, 0.8), unit(0.8, 0.6), Y] }] });
  const found = hybrid.search(query(), FILTER);
  expect(found).toHaveLength(1);
  expect(found[0]!.parts.cosine).toBeCloseTo(0.8, 6);
});

test("equal scores are sorted by chunk key", () => {
  const [a, b] = index.add({
    id: "d1",
    paragraphs: [
      { text: "a", vectors: [X] },
      { text: "b", vectors: [X] },
    ],
  });
  const [c] = index.add({ id: "d2", paragraphs: [{ text: "c", vectors: [X] }] });
  expect(keys(query(), FILTER)).toEqual([a!, b!, c!]);
});

test("an unreadable script and a code that the chunk lacks leave the dense score no weight", () => {
  index.add({ id: "d", paragraphs: [{ text: "東京", vectors: [X] }] });
  const weight = (one: HybridQuery) => hybrid.search(one, FILTER)[0]!.parts.denseWeight;
  expect(weight(query("東京", X, IDENTITY))).toBeCloseTo(0.6, 12);
  expect(weight(query("東京", X, LATIN_ONLY))).toBe(0);
  expect(weight(query("東京 ab", X, LATIN_ONLY))).toBeCloseTo(0.3, 12);
  expect(weight(query("error E1009"))).toBeCloseTo(0.3, 12);
  expect(weight(query("E1009"))).toBe(0);
});

test("chunks of a search session are excluded, and order and scores of the others do not change", () => {
  const chunkKeys = index.add({
    id: "d",
    paragraphs: [0.9, 0.8, 0.7, 0.6].map((x) => ({ text: "t", vectors: [unit(x, Math.sqrt(1 - x * x))] })),
  });
  const all = hybrid.search(query(), FILTER);
  expect(all.map(({ chunkKey }) => chunkKey)).toEqual(chunkKeys);
  index.store.sql.run("INSERT INTO search_session_chunks VALUES ('s', 'd/1'), ('s', 'd/3'), ('s', 'gone')");
  expect(hybrid.search(query(), FILTER, "s")).toEqual([all[1]!, all[3]!]);
  expect(hybrid.search(query(), FILTER, "another")).toEqual(all);
});

test("what a session has returned does not count as a candidate", () => {
  index.add({
    id: "d",
    paragraphs: Array.from({ length: 300 }, () => ({ text: "milk", vectors: [X] })),
  });
  for (let number = 1; number <= 100; number++)
    index.store.sql.query("INSERT INTO search_session_chunks VALUES ('s', ?)").run(`d/${number}`);
  expect(hybrid.search(query(), FILTER, "s")).toHaveLength(200);
});

test("the filter is applied before candidates are chosen", () => {
  // 300 better chunks, more than there are candidates.
  index.add({
    id: "many",
    paragraphs: Array.from({ length: 300 }, () => ({ text: "tea tea", vectors: [X] })),
  });
  const [other] = index.add({ id: "other", tags: ["t"], paragraphs: [{ text: "tea", vectors: [Y] }] });
  expect(keys(query("tea"), FILTER)).not.toContain(other);
  expect(keys(query("tea"), { ...FILTER, documentId: "other" })).toEqual([other!]);
  expect(keys(query("tea"), { ...FILTER, tags: ["t"] })).toEqual([other!]);
});

test("256 candidates by vectors and 128 by words", () => {
  index.add({
    id: "vectors",
    paragraphs: Array.from({ length: 300 }, () => ({ text: "milk", vectors: [X] })),
  });
  index.add({ id: "words", paragraphs: Array.from({ length: 200 }, () => ({ text: "tea" })) });
  const found = hybrid.search(query("tea"), FILTER);
  expect(found.filter(({ documentId }) => documentId === "vectors")).toHaveLength(256);
  expect(found.filter(({ documentId }) => documentId === "words")).toHaveLength(128);
});

test("each space is searched with its own vector and calibration", () => {
  const [first] = index.add({ id: "d1", spaceId: 1, paragraphs: [{ text: "a", vectors: [X] }] });
  const [second] = index.add({ id: "d2", spaceId: 2, paragraphs: [{ text: "b", vectors: [X] }] });
  const both: HybridQuery = {
    text: "zyzzyva",
    vectors: [
      { spaceId: 1, dimension: EMBEDDING_DIMENSION, vector: unit(0.6, 0.8), calibration: IDENTITY },
      {
        spaceId: 2,
        dimension: EMBEDDING_DIMENSION,
        vector: unit(0.8, 0.6),
        calibration: {
          points: [
            [0, 0],
            [0.8, 0.5],
            [1, 1],
          ],
        },
      },
    ],
  };
  const found = hybrid.search(both, FILTER);
  expect(found.map(({ chunkKey }) => chunkKey)).toEqual([first!, second!]);
  // The bonus of the second one, by the cosine 1 between both: (0.36 − 0.3) / 4.
  expect(found[0]!.parts.dense).toBeCloseTo(0.6, 6);
  expect(found[1]!.parts.dense).toBeCloseTo(0.5, 6);
  expect(found[1]!.parts.neighbours).toBeCloseTo(0.015, 6);
  expect(keys(query(), FILTER)).toEqual([first!]);
});

describe("a space of two models", () => {
  const HALF = EMBEDDING_DIMENSION / 2;
  /** A vector of which each half has one value, or none. */
  const both = (first: number | undefined, second: number | undefined) => {
    const vector = new Float32Array(EMBEDDING_DIMENSION);
    if (first !== undefined) vector.set([first, Math.sqrt(1 - first * first)], 0);
    if (second !== undefined) vector.set([second, Math.sqrt(1 - second * second)], HALF);
    return vector;
  };
  const upTo = (cosine: number): Calibration["points"] => [
    [0, 0],
    [cosine, 1],
    [1, 1],
  ];
  /** Twice the cosine across languages, 1.25 times it in one language, and the cosine itself in English. */
  const SECOND: Calibration = { points: upTo(0.5), same: upTo(0.8), english: IDENTITY.points };
  const ask = (language: Language): HybridQuery => {
    const second = { dimension: 384, calibration: SECOND, language };
    const vectors = [{ spaceId: 1, dimension: 384, vector: both(1, 1), calibration: IDENTITY, second }];
    return { text: "zyzzyva", vectors };
  };
  const found = (language: Language, engine: VectorEngine) => {
    const reader = openReader(databasePath(index.dir));
    if (engine === "sqlite-vec") reader.loadExtension(nativeFile("vec0"));
    const [match] = openHybridSearch(reader, engine).search(ask(language), FILTER);
    reader.close();
    return match!.parts;
  };

  describe.each<VectorEngine>(["javascript", "sqlite-vec"])("%s", (engine) => {
    test("both models count in English, one of them across languages", () => {
      index.add({ id: "d", paragraphs: [{ text: "tea", vectors: [both(0.8, 0.3)] }] });
      const english = found(ENGLISH, engine);
      expect(english.dense).toBeCloseTo((0.8 + 0.3) / 2, 5);
      expect(english.cosine).toBeCloseTo(0.8, 5);
      expect(english.denseWeight).toBe(0.6);
      const german = found("de", engine);
      expect(german.dense).toBeCloseTo(2 * 0.3, 5);
      expect(german.cosine).toBeCloseTo(0.3, 5);
      expect(german.denseWeight).toBeGreaterThan(0.6);
      expect(found(UNKNOWN, engine).dense).toBeCloseTo(0.3 * 0.8 + 0.7 * 0.3, 5);
    });

    test("a text in another language is scored by whether it is that of the query", () => {
      const german = both(undefined, 0.4);
      german.set(languageMark("de"), MARK_START);
      index.add({ id: "d", paragraphs: [{ text: "Tee", vectors: [german] }] });
      expect(found("de", engine)).toMatchObject({
        dense: expect.closeTo(0.5, 5),
        cosine: expect.closeTo(0.4, 5),
      });
      expect(found(UNKNOWN, engine).dense).toBeCloseTo(0.5, 5);
      for (const language of [ENGLISH, "fr", OTHER])
        expect(found(language, engine).dense).toBeCloseTo(0.8, 5);
    });
  });
});
