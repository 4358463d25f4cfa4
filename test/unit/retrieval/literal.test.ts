// Literal search over a small index: what matches, in which order, and with which excerpt.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type LiteralHit, searchLiteral } from "../../../src/retrieval/search/literal.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

let index: SmallIndex;
beforeEach(() => {
  index = openSmallIndex();
});
afterEach(() => index.close());

const search = (query: string, limit = 10, filter = {}): LiteralHit[] =>
  searchLiteral(index.reader, { query, filter: { userId: "u", tags: [], ...filter }, limit });
const ids = (...args: Parameters<typeof search>) => search(...args).map(({ documentId }) => documentId);
const add = (id: string, title: string, ...texts: string[]) =>
  index.add({ id, title, paragraphs: texts.map((text) => ({ text })) });

test("an empty index has no hits", () => {
  for (const query of ["kettle", "ke", "k"]) expect(search(query)).toEqual([]);
});

describe("a document titled `Kettle manual` with the text `Über 100 °C: don't touch!`", () => {
  beforeEach(() => {
    add("d", "Kettle manual", "Über 100 °C: don't touch!");
  });
  test.each([
    // Substrings of title and text, from one character on.
    ...["kettle", "ettle man", "e m", "manual", "et", "tt", "k", "l", "100 °C", "touch!", "h!", "!", "°"],
    // Case is folded, and composed and decomposed characters are equal.
    ...["KETTLE", "über", "ÜBER", "u\u0308ber"],
    // Characters with a meaning in SQL or FTS5.
    ...["don't", "'"],
  ])("matches %p", (query) => {
    expect(ids(query)).toEqual(["d"]);
  });
  test.each(["kettles", "manual über", "uber", "kt", "z", "zz", '"', "%", "_", "*", "NOT kettle", "ket*"])(
    "does not match %p",
    (query) => {
      expect(ids(query)).toEqual([]);
    },
  );
});

test("a query of more trigrams than are looked up is compared as a whole", () => {
  const start = "abcdefghij".repeat(8);
  add("a", "A", `${start} one`);
  add("b", "B", `${start} two`);
  expect(ids(`${start} one`)).toEqual(["a"]);
});

test("quotation marks in the query", () => {
  add("d", 'The "best" tea', "x");
  expect(ids('"best"')).toEqual(["d"]);
  expect(ids('"b')).toEqual(["d"]);
  expect(ids('"')).toEqual(["d"]);
});

test("NUL in a text is found as a space, and the text after it too", () => {
  add("d", "D", "before\0behind it");
  expect(ids("before behind")).toEqual(["d"]);
  expect(ids("behind")).toEqual(["d"]);
});

test("titles first, then texts, each group newest first; each document once", () => {
  add("d1", "Tea", "nothing");
  add("d2", "Other", "tea and tea");
  add("d3", "More tea", "tea", "tea");
  add("d4", "Another", "first", "tea");
  add("d5", "None", "milk");
  expect(ids("tea")).toEqual(["d3", "d1", "d4", "d2"]);
});

test.each([0, 1, 2, 3, 4, 5])("the limit %d cuts that order", (limit) => {
  add("d1", "Tea", "nothing");
  add("d2", "Other", "tea");
  add("d3", "More tea", "nothing");
  add("d4", "Another", "tea");
  expect(ids("tea", limit)).toEqual(["d3", "d1", "d4", "d2"].slice(0, limit));
});

test("a hit in title or preview has no chunk, one behind the preview has the first chunk that matches", () => {
  add("d1", "Tea", "a cup");
  add("d2", "Other", "a cup of tea");
  add("d3", "Long", "filler ".repeat(700), "the first tea", "the second tea");
  expect(search("tea")).toEqual([
    { documentId: "d1", highlight: "a cup" },
    { documentId: "d3", chunkId: "d3/2", highlight: "the first tea" },
    { documentId: "d2", highlight: "a cup of tea" },
  ]);
});

test("filters by user, document and tags", () => {
  const paragraphs = [{ text: "tea" }];
  index.add({ id: "a", title: "A", tags: ["x", "y"], paragraphs });
  index.add({ id: "b", title: "B", tags: ["y"], paragraphs });
  index.add({ id: "c", title: "C", userId: "v", paragraphs });
  expect(ids("tea")).toEqual(["b", "a"]);
  expect(ids("tea", 10, { userId: "v" })).toEqual(["c"]);
  expect(ids("tea", 10, { documentId: "a" })).toEqual(["a"]);
  expect(ids("tea", 10, { tags: ["x", "y"] })).toEqual(["a"]);
  expect(ids("tea", 10, { tags: ["z"] })).toEqual([]);
});

test("dead generations are not searched", () => {
  add("d", "Tea", "tea");
  index.retire("d");
  expect(search("tea")).toEqual([]);
});

describe("a document that is not indexed yet", () => {
  test("is searched by title and preview, before the limit is applied", () => {
    add("d1", "Tea", "x");
    index.addUnindexed({ id: "d2", title: "New tea", content: "a cup" });
    index.addUnindexed({ id: "d3", title: "New", content: "a cup of tea" });
    expect(search("tea")).toEqual([
      { documentId: "d2", highlight: "a cup" },
      { documentId: "d1", highlight: "x" },
      { documentId: "d3", highlight: "a cup of tea" },
    ]);
    expect(ids("tea", 1)).toEqual(["d2"]);
  });

  test("is searched up to 4,096 bytes, even behind a NUL", () => {
    index.addUnindexed({ id: "d", title: "D", content: `a\0kettle ${"é".repeat(2_043)}tea` });
    expect(ids("kettle")).toEqual(["d"]);
    expect(ids("tea")).toEqual([]);
  });
});

test("two characters in more than 5,000 rows are found by reading all chunks", () => {
  const texts = Array.from({ length: 300 }, (_, number) => `tea${String.fromCharCode(0x4e00 + number)}`);
  for (let document = 0; document < 18; document++) add(`d${document + 10}`, "X", ...texts);
  expect(ids("te", 3)).toEqual(["d27", "d26", "d25"]);
});
