// Text as the word index stores it, and the terms of queries, with the tokenizer of a migrated database.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  openQueryTokenizer,
  type QueryTerm,
  type QueryTokenizer,
  shareOfWords,
  wordsToIndex,
} from "../../../src/retrieval/words/words.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

const words = (text: string) => text.split(" ").filter(Boolean);

test.each([
  ["", []],
  ["Hot Water", ["hot", "water"]],
  ["Straße", ["strasse"]],
  ["a\0b", ["a", "b"]],
  ["שָׁלוֹם", words(wordsToIndex("שלום"))],
  ["parseRetryCount", ["parse", "retry", "count", "parseretrycount"]],
  ["keep-empty-rows", ["keep", "empty", "rows", "keepemptyrows"]],
  ["1,234,567 and 1.5", ["1", "234", "567", "1234567", "and", "1", "5"]],
  ["東京", ["東京", "京"]],
  ["東京都庁", ["東京", "京都", "都庁", "庁"]],
  ["家", ["家"]],
  ["iPhoneを買う", ["i", "phone", "iphone", "を買", "買う", "う"]],
  ["김치는", ["김치", "치는", "는"]],
  ["tea☕time", ["tea", "☕", "time"]],
])("%p is indexed as %p", (text, indexed) => {
  expect(words(wordsToIndex(text))).toEqual(indexed);
});

test.each([
  ["", "tea", 0],
  ["?!", "tea", 0],
  ["tea", "", 0],
  ["Tea", "black TEA, strong", 1],
  ["tea tea milk", "tea", 1 / 2],
  ["tea with milk", "milk without sugar", 1 / 3],
  // 東京 and 京 against 東京, 京都 and 都.
  ["東京", "東京都", 1 / 2],
])("of the words of %p, %p contains the fraction %d", (query, text, share) => {
  expect(shareOfWords(query, text)).toBeCloseTo(share, 12);
});

describe("terms", () => {
  let index: SmallIndex;
  let tokenizer: QueryTokenizer;
  beforeAll(() => {
    index = openSmallIndex();
    tokenizer = openQueryTokenizer(index.reader);
  });
  afterAll(() => index.close());

  const word = (text: string, count = 1): QueryTerm => ({ text, kind: "word", count });
  const bigram = (text: string, count = 1): QueryTerm => ({ text, kind: "bigram", count });
  const prefix = (text: string, count = 1): QueryTerm => ({ text, kind: "prefix", count });

  test.each<[string, QueryTerm[]]>([
    ["", []],
    ["?!", []],
    ["boiling kettles", [word("boil"), word("kettl")]],
    ["tea, TEA and téa", [word("tea", 3)]],
    ["What is the error E1009?", [word("error"), word("e1009")]],
    ["what is it", [word("what"), word("is"), word("it")]],
    ["it's Anna’s tea, don't spill", [word("anna"), word("tea"), word("spill")]],
    ["☕ time", [word("☕"), word("time")]],
    ["東京都", [bigram("東京"), bigram("京都")]],
    ["東京東京", [bigram("東京", 2), bigram("京東")]],
    ["東京は何ですか", [bigram("東京"), bigram("京は"), bigram("は何"), bigram("何で")]],
    ["什么", [bigram("什么")]],
    ["家", [prefix("家")]],
    ["家 tea 家", [word("tea"), prefix("家", 2)]],
    ["the 家", [prefix("家")]],
  ])("of %p", (query, terms) => {
    const found = tokenizer.terms(query).map(({ text, kind, count }) => ({ text, kind, count }));
    expect(found).toEqual(terms);
  });

  test("at most 256 distinct terms", () => {
    const query = Array.from({ length: 300 }, (_, number) => `x${number}`).join(" ");
    const terms = tokenizer.terms(query);
    expect(terms).toHaveLength(256);
    expect(terms[255]).toMatchObject(word("x255"));
  });

  test("a query leaves nothing behind for the next one", () => {
    tokenizer.terms("first");
    expect(tokenizer.terms("second")).toEqual([word("second")]);
  });
});
