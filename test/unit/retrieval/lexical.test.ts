// BM25 as a fraction of the maximum, against values computed here from the formula with its constants written out.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Filter } from "../../../src/retrieval/search/filter.ts";
import { type LexicalSearch, openLexicalSearch } from "../../../src/retrieval/search/lexical.ts";
import { type LiveIndex, openLiveIndex } from "../../../src/retrieval/search/live-index.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

let index: SmallIndex;
let live: LiveIndex;
let lexical: LexicalSearch;
beforeEach(() => {
  index = openSmallIndex();
  live = openLiveIndex(index.reader);
  lexical = openLexicalSearch(index.reader);
});
afterEach(() => index.close());

const FILTER: Filter = { userId: "u", tags: [] };

/** The scores of a query by chunk key, with what else the search returns. */
function search(query: string, filter = FILTER) {
  const view = live.view(filter);
  const scores = lexical.search(view, query);
  const ordinalOf = (key: number) => {
    const { firstOrdinal, firstChunk } = view.segmentOf(key)!;
    return firstOrdinal + key - firstChunk;
  };
  const scoreOf = (key: number) => scores.scoreOf(ordinalOf(key));
  return { ...scores, scoreOf, missingCodesOf: (key: number) => scores.missingCodes(ordinalOf(key)) };
}

const add = (...texts: string[]) =>
  index.add({ id: `d${nextId++}`, paragraphs: texts.map((text) => ({ text })) });
let nextId = 0;

/** Inverse document frequency of a term in `frequency` of `chunks` chunks; 20 chunks are added to the total. */
const idf = (chunks: number, frequency: number) =>
  Math.log(1 + (chunks + 20 - frequency + 0.5) / (frequency + 0.5));
/** Saturated frequency: k1 = 1.2, b = 0.75, typical length 150. */
const tf = (frequency: number, length: number) =>
  frequency / (frequency + 1.2 * (0.25 + (0.75 * length) / 150));

test("the constants of the formula, with two values from a calculator", () => {
  expect(idf(2, 1)).toBeCloseTo(2.73003, 5);
  expect(tf(2, 3)).toBeCloseTo(0.862813, 6);
});

test("an empty index", () => {
  const scores = search("tea");
  expect(scores.best(10)).toEqual([]);
});

test("an empty query", () => {
  const [key] = add("tea");
  const scores = search("?");
  expect(scores.scoreOf(key!)).toBe(0);
  expect(scores.best(10)).toEqual([]);
});

describe("scores", () => {
  test("one term: repetition and length", () => {
    const [twice, once, none] = add("kettle kettle boils", "the kettle whistles at noon", "tea");
    const { scoreOf } = search("kettle");
    // Weight and maximum are the same idf and cancel.
    expect(scoreOf(twice!)).toBeCloseTo(tf(2, 3), 6);
    expect(scoreOf(once!)).toBeCloseTo(tf(1, 5), 6);
    expect(scoreOf(none!)).toBe(0);
  });

  test("title and headings: an occurrence counts twice, and the words count for the length", () => {
    const [key] = index.add({ id: "d", paragraphs: [{ context: "Kettle manual", text: "hot water" }] });
    expect(search("kettle").scoreOf(key!)).toBeCloseTo(tf(2, 4), 6);
  });

  test("two terms: the rare one weighs more", () => {
    const [both, rare, common] = add("tea kettle", "kettle", "tea", "tea");
    const { scoreOf } = search("tea kettle");
    const [tea, kettle] = [idf(4, 3), idf(4, 2)];
    const maximum = tea + kettle;
    expect(scoreOf(both!)).toBeCloseTo((tea * tf(1, 2) + kettle * tf(1, 2)) / maximum, 6);
    expect(scoreOf(rare!)).toBeCloseTo((kettle * tf(1, 1)) / maximum, 6);
    expect(scoreOf(common!)).toBeCloseTo((tea * tf(1, 1)) / maximum, 6);
    expect(scoreOf(rare!)).toBeGreaterThan(scoreOf(common!));
  });

  test("a term that the query repeats weighs as often", () => {
    const [tea, kettle] = add("tea", "kettle");
    const { scoreOf } = search("tea tea kettle");
    expect(scoreOf(tea!)).toBeCloseTo((2 / 3) * tf(1, 1), 6);
    expect(scoreOf(kettle!)).toBeCloseTo((1 / 3) * tf(1, 1), 6);
  });

  test("an unknown word adds to the maximum", () => {
    const [key] = add("kettle", "tea");
    expect(search("kettle zyzzyva").scoreOf(key!)).toBeCloseTo(
      (idf(2, 1) * tf(1, 1)) / (idf(2, 1) + idf(2, 0)),
      6,
    );
  });

  test("an unknown bigram adds a quarter of its weight", () => {
    const [key] = add("kettle", "tea");
    expect(search("kettle 東京").scoreOf(key!)).toBeCloseTo(
      (idf(2, 1) * tf(1, 1)) / (idf(2, 1) + 0.25 * idf(2, 0)),
      6,
    );
  });

  test("a query of common words alone: the maximum is at least half the weight of an unknown word", () => {
    const [first] = add(...Array.from({ length: 100 }, () => "tea"));
    expect(search("tea").scoreOf(first!)).toBeCloseTo((idf(100, 100) * tf(1, 1)) / (0.5 * idf(100, 0)), 6);
  });

  test("the six heaviest terms make the maximum, and a score is at most 1", () => {
    const words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty"];
    const [eight, ten] = add(words.slice(0, 8).join(" "), words.join(" "));
    const [common, rare] = [idf(2, 2), idf(2, 1)];
    const { scoreOf } = search(words.join(" "));
    const maximum = 2 * rare + 4 * common;
    expect(scoreOf(eight!)).toBeCloseTo(Math.min(1, (8 * common * tf(1, 8)) / maximum), 6);
    expect((8 * common * tf(1, 8)) / maximum).toBeLessThan(1);
    expect((8 * common + 2 * rare) * tf(1, 10)).toBeGreaterThan(maximum);
    expect(scoreOf(ten!)).toBe(1);
  });

  test("of a long query only the 32 heaviest terms are scored", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const rare = letters
      .map((letter) => `${letter}${letter}x`)
      .concat(letters.slice(0, 6).map((l) => `${l}qx`));
    const [common, target] = add("tea", "tea", rare.join(" "));
    expect(search("tea").scoreOf(common!)).toBeGreaterThan(0);
    const { scoreOf } = search(["tea", ...rare].join(" "));
    expect(scoreOf(common!)).toBe(0);
    expect(scoreOf(target!)).toBe(0);
    expect(search(["tea", ...rare.slice(1)].join(" ")).scoreOf(common!)).toBeGreaterThan(0);
  });
});

test.each([
  ["E1009", 1],
  ["error E1009", 1 / 2],
  ["error E2000", 0],
  ["error 1009", 0],
  ["zyzzyva", 0],
])("of the terms of %p, a chunk lacks the fraction %d, which are codes", (query, share) => {
  const [key] = add("error E2000");
  expect(search(query).missingCodesOf(key!)).toBeCloseTo(share, 12);
});

describe("the best", () => {
  test("are sorted by score, ties by key, without chunks that contain no term", () => {
    const [a, b, , d] = add("tea milk sugar", "tea tea", "coffee", "tea milk sugar");
    expect(search("tea").best(10)).toEqual([b!, a!, d!]);
  });

  test("are at most as many as requested", () => {
    const keys = add(...Array.from({ length: 20 }, () => "tea"));
    expect(search("tea").best(3)).toEqual(keys.slice(0, 3));
    expect(search("tea").best(0)).toEqual([]);
  });

  test("are only those that the filter allows, with scores from the whole index of the user", () => {
    const [first] = index.add({ id: "first", paragraphs: [{ text: "tea kettle" }] });
    const [second] = index.add({ id: "second", paragraphs: [{ text: "tea" }] });
    const [foreign] = index.add({ id: "third", userId: "v", paragraphs: [{ text: "tea" }] });
    const filtered = search("tea", { ...FILTER, documentId: "second" });
    expect(filtered.best(10)).toEqual([second!]);
    expect(filtered.scoreOf(first!)).toBeCloseTo(search("tea").scoreOf(first!), 12);
    expect(search("tea").best(10)).toEqual([second!, first!]);
    expect(search("tea", { userId: "v", tags: [] }).best(10)).toEqual([foreign!]);
  });
});

describe("the same query again", () => {
  test("has the same scores, also with another filter", () => {
    const [first] = index.add({ id: "kettles", paragraphs: [{ text: "kettle" }] });
    const [second] = add("kettle tea");
    const before = search("kettle").best(10);
    expect(before).toEqual([first!, second!]);
    expect(search("kettle", { ...FILTER, documentId: "kettles" }).best(10)).toEqual([first!]);
    expect(search("kettle").best(10)).toEqual(before);
  });

  test("has new scores if a chunk was added, also by another user", () => {
    const [first] = add("kettle tea");
    expect(search("kettle").best(10)).toEqual([first!]);
    index.add({ id: "other", userId: "v", paragraphs: [{ text: "kettle" }] });
    expect(search("kettle").best(10)).toEqual([first!]);
    expect(search("kettle", { userId: "v", tags: [] }).best(10)).toHaveLength(1);
    const [second] = add("kettle");
    expect(search("kettle").best(10)).toEqual([second!, first!]);
    expect(search("tea").best(10)).toEqual([first!]);
    expect(search("kettle").best(10)).toEqual([second!, first!]);
  });
});
