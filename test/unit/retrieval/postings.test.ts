// Posting lists read from the word index: which chunks, how often, and when they are read again.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { openReader } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import type { Filter } from "../../../src/retrieval/search/filter.ts";
import { type LiveIndex, type LiveView, openLiveIndex } from "../../../src/retrieval/search/live-index.ts";
import { openPostings, type PostingsReader } from "../../../src/retrieval/search/postings.ts";
import type { QueryTerm } from "../../../src/retrieval/words/words.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

let index: SmallIndex;
let live: LiveIndex;
let postings: PostingsReader;
beforeEach(() => {
  index = openSmallIndex();
  live = openLiveIndex(index.reader);
  postings = openPostings(index.reader);
});
afterEach(() => index.close());

const FILTER: Filter = { userId: "u", tags: [] };
const word = (text: string): QueryTerm => ({ text, kind: "word", count: 1 });
const prefix = (text: string): QueryTerm => ({ text, kind: "prefix", count: 1 });

/** Chunk keys and frequencies; an ordinal becomes the key of its chunk. */
function found(term: QueryTerm, view: LiveView = live.view(FILTER)): [number, number][] {
  const { ordinals, frequencies } = postings.find(view, term)!;
  return [...ordinals].map((ordinal, i) => [view.keyOf(ordinal), frequencies[i]!]);
}

test("an empty index has no postings", () => {
  expect(found(word("tea"))).toEqual([]);
});

test("an occurrence in the text counts 1, one in title or heading 2", () => {
  const [a, b, c] = index.add({
    id: "d",
    title: "Drinks",
    paragraphs: [
      { context: "Drinks > Tea", text: "Tea and tea." },
      { context: "Drinks", text: "Tea." },
      { context: "Tea", text: "Milk." },
    ],
  });
  expect(found(word("tea"))).toEqual([
    [a!, 4],
    [b!, 1],
    [c!, 2],
  ]);
  expect(found(word("drink"))).toEqual([
    [a!, 2],
    [b!, 2],
  ]);
  expect(found(word("coffe"))).toEqual([]);
});

test("the title of a document without paragraphs is found by its own chunk", () => {
  index.add({ id: "d", title: "Tea", paragraphs: [] });
  expect(found(word("tea"))).toEqual([[1, 2]]);
});

test("a frequency is at most 255", () => {
  const [key] = index.add({ id: "d", paragraphs: [{ text: "tea ".repeat(300) }] });
  expect(found(word("tea"))).toEqual([[key!, 255]]);
});

test("chunks of other users and of dead generations are skipped", () => {
  const paragraphs = [{ text: "tea" }];
  const [first] = index.add({ id: "d1", paragraphs });
  index.add({ id: "d2", paragraphs, userId: "v" });
  index.add({ id: "d3", paragraphs });
  const [last] = index.add({ id: "d4", paragraphs });
  index.retire("d3");
  expect(found(word("tea"))).toEqual([
    [first!, 1],
    [last!, 1],
  ]);
});

test("the filter does not change postings", () => {
  const [key] = index.add({ id: "d1", paragraphs: [{ text: "tea" }] });
  expect(found(word("tea"), live.view({ ...FILTER, documentId: "d2" }))).toEqual([[key!, 1]]);
});

test("a prefix adds up all terms that start with it", () => {
  const [a, b] = index.add({ id: "d", paragraphs: [{ text: "家族の家" }, { text: "作家と家族" }] });
  index.add({ id: "e", paragraphs: [{ text: "東京" }] });
  // In the first text 家族 and the final 家; in the second 家と and 家族, but not 作家.
  expect(found(prefix("家"))).toEqual([
    [a!, 2],
    [b!, 2],
  ]);
});

test("postings are cached until a generation of the user is added or retired", () => {
  index.add({ id: "d1", paragraphs: [{ text: "tea" }] });
  const view = live.view(FILTER);
  const before = postings.find(view, word("tea"));
  expect(postings.find(live.view(FILTER), word("tea"))).toBe(before);
  expect(postings.find(view, prefix("tea"))).not.toBe(before);
  index.add({ id: "d2", paragraphs: [{ text: "tea" }] });
  expect(found(word("tea"))).toHaveLength(2);
  index.retire("d1");
  expect(found(word("tea"))).toHaveLength(1);
});

test("cached postings that are brought up to date equal postings that are read anew", () => {
  const texts = ["tea and milk", "milk", "tea tea", "家族の家", "nothing of it"];
  const add = (id: string, userId = "u") =>
    index.add({
      id,
      userId,
      title: id,
      paragraphs: texts.slice(Number(id.slice(1)) % 3).map((text) => ({ text, context: "Tea" })),
    });
  const terms = [word("tea"), word("milk"), word("absent"), prefix("家")];
  const expectSame = () => {
    const view = live.view(FILTER);
    const reader = openReader(databasePath(index.dir));
    const cold = openPostings(reader);
    for (const term of terms) {
      const [warm, fresh] = [postings, cold].map((reader) => {
        const { ordinals, frequencies } = reader.find(view, term)!;
        return [...ordinals].map((ordinal, i) => [ordinal, frequencies[i]!]).sort(([a], [b]) => a! - b!);
      });
      expect(warm).toEqual(fresh!);
    }
    reader.close();
  };
  expectSame();
  for (let n = 0; n < 5; n++) add(`d${n}`);
  expectSame();
  // Additions alone, of two users; removals alone; both; a generation that becomes live after a later one.
  add("d5");
  add("d6", "v");
  expectSame();
  index.retire("d0");
  index.retire("d3");
  expectSame();
  index.retire("d5");
  add("d7");
  index.retire("d7");
  add("d8");
  expectSame();
  index.store.sql.run("UPDATE index_generations SET state = 'live' WHERE document_id = 'd7'");
  expectSame();
  // Another user's search in between, and everything gone.
  for (const term of terms) postings.find(live.view({ userId: "v", tags: [] }), term);
  expectSame();
  index.store.sql.run("UPDATE index_generations SET state = 'dead'");
  expectSame();
});

test("terms of another user are cached beside the own ones", () => {
  index.add({ id: "d1", paragraphs: [{ text: "tea" }] });
  index.add({ id: "d2", userId: "v", paragraphs: [{ text: "tea" }] });
  const own = postings.find(live.view(FILTER), word("tea"));
  const others = postings.find(live.view({ userId: "v", tags: [] }), word("tea"));
  expect(others).not.toBe(own);
  expect(postings.find(live.view(FILTER), word("tea"))).toBe(own);
  expect(postings.find(live.view({ userId: "v", tags: [] }), word("tea"))).toBe(others);
});

test("if the stored words are not as expected, SQLite reads them, and the problem is reported once", () => {
  const paragraphs = Array.from({ length: 40 }, (_, part) => ({
    text: `tea n${part}`,
    context: part % 2 ? "tea" : "",
  }));
  index.add({ id: "d", paragraphs });
  const expected = found(word("tea"));
  /** A handle on which the leaves of the word index have another byte in the middle. */
  const damaged = new Proxy(index.reader, {
    get(reader, name) {
      const value = Reflect.get(reader, name);
      if (name !== "query") return typeof value === "function" ? value.bind(reader) : value;
      return (sql: string) => {
        const query = reader.query(sql);
        if (!sql.includes("AS leaf")) return query;
        const all = (...parameters: never[]) =>
          (query.all(...parameters) as { leaf: Uint8Array }[]).map((row) => ({
            ...row,
            leaf: changed(row.leaf),
          }));
        return { all };
      };
    },
  });
  const changed = (leaf: Uint8Array) => leaf.with(leaf.indexOf(0x74) + 5, 0x7f);
  const problems: string[] = [];
  postings = openPostings(damaged, (problem) => problems.push(problem));
  expect(found(word("tea"))).toEqual(expected);
  expect(found(prefix("te"))).toEqual(expected);
  expect(problems).toEqual([expect.stringContaining("words are searched slowly: ")]);
});
