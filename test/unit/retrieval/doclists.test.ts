// doclists.ts reads the tables in which FTS5 stores the word index. These tests compare it with fts5vocab, and fail
// when a new SQLite stores them differently: sqlite.org/src/file/ext/fts5/fts5_index.c. doclists-property.test.ts has
// more, with random texts.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Doclist } from "../../../src/retrieval/words/vocabulary.ts";
import { openDoclists } from "../../../src/retrieval/words/doclists.ts";
import type { QueryTerm } from "../../../src/retrieval/words/words.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

let index: SmallIndex;
beforeEach(() => {
  index = openSmallIndex();
  index.reader.run("CREATE VIRTUAL TABLE temp.instances USING fts5vocab (main, chunk_words, 'instance')");
});
afterEach(() => index.close());

const CHANGED = "this SQLite stores the word index differently: adapt src/retrieval/words/doclists.ts";
const FEW_LEAVES = 1_000;

/** Chunk keys with their frequencies, in ascending order. */
function read(term: Pick<QueryTerm, "text" | "kind">, firstKey = 0): [number, number][] {
  const frequencies = new Map<number, number>();
  const add = ({ keys, frequencies: of }: Doclist) => {
    for (const [i, key] of keys.entries()) frequencies.set(key, (frequencies.get(key) ?? 0) + of[i]!);
  };
  for (const list of openDoclists(index.reader)({ ...term }, firstKey)) add(list);
  return [...frequencies]
    .map(([key, frequency]): [number, number] => [key, Math.min(255, frequency)])
    .sort(([a], [b]) => a - b);
}

/** What fts5vocab says about terms from `from` up to but without `to`. */
function expected(from: string, to: string, firstKey = 0): [number, number][] {
  return index.reader
    .query<{ doc: number; frequency: number }, [string, string, number]>(
      `SELECT doc, sum(1 + (col = 'context')) AS frequency FROM temp.instances
       WHERE term >= ? AND term < ? AND doc >= ? GROUP BY doc ORDER BY doc`,
    )
    .all(from, to, firstKey)
    .map(({ doc, frequency }) => [doc, Math.min(255, frequency)]);
}

function expectEqual(
  terms: readonly string[],
  prefixes: readonly string[],
  firstKeys: readonly number[],
): void {
  for (const firstKey of firstKeys) {
    for (const text of terms)
      expect(read({ text, kind: "word" }, firstKey), `${CHANGED} (${text} from ${firstKey})`).toEqual(
        expected(text, `${text}\0`, firstKey),
      );
    for (const text of prefixes)
      expect(read({ text, kind: "prefix" }, firstKey), `${CHANGED} (${text}… from ${firstKey})`).toEqual(
        expected(text, `${text}\u{10ffff}`, firstKey),
      );
  }
}

/** Words that are rare, frequent, and longer than others that they start with. */
const textOf = (number: number) =>
  `always ${number % 3 ? "often" : "seldom often"} n${number} ${"many ".repeat(number % 7)}${"été".repeat(1 + (number % 4))}`;
const TERMS = [
  "alwai",
  "often",
  "seldom",
  "mani",
  "n7",
  "n70",
  "n700",
  "n7000",
  "absent",
  "a",
  "zz",
  "été",
  "étéété",
];
const PREFIXES = ["n7", "alw", "é", "x"];

test("an empty index", () => {
  expectEqual(TERMS, PREFIXES, [0]);
});

test("lists on one leaf and on many, from the start and from a chunk in the middle", () => {
  for (let document = 0; document < 30; document++) {
    index.add({
      id: `d${document}`,
      title: `Title ${document}`,
      paragraphs: Array.from({ length: 300 }, (_, part) => ({
        text: textOf(300 * document + part),
        context: part % 5 === 0 ? "Many often" : "",
      })),
    });
  }
  const leaves = index.reader
    .query<{ leaves: number }, []>("SELECT count(*) AS leaves FROM chunk_words_data")
    .get()!;
  expect(leaves.leaves).toBeGreaterThan(20);
  expect(leaves.leaves).toBeLessThan(FEW_LEAVES);
  expectEqual(TERMS, PREFIXES, [0, 2, 1_500, 6_001, 9_000, 20_000]);
});

test("one segment after all were merged, and one that is being merged", () => {
  for (let document = 0; document < 40; document++)
    index.add({
      id: `d${document}`,
      paragraphs: Array.from({ length: 60 }, (_, part) => ({ text: textOf(60 * document + part) })),
    });
  // A few leaves at a time: between these calls, a segment is partly merged.
  for (let step = 0; step < 6; step++) {
    index.store.sql.run("INSERT INTO chunk_words (chunk_words, rank) VALUES ('merge', -4)");
    expectEqual(TERMS, PREFIXES, [0, 1_000]);
  }
  index.store.sql.run("INSERT INTO chunk_words (chunk_words) VALUES ('optimize')");
  expectEqual(TERMS, PREFIXES, [0, 1_000]);
});

test("a text of many leaves", () => {
  const long = Array.from({ length: 30_000 }, (_, number) => `w${number % 9_000} same`).join(" ");
  index.add({ id: "d", paragraphs: [{ text: "same before" }, { text: long }, { text: "same after" }] });
  expectEqual(["same", "before", "after", "w0", "w8999", "w12"], ["w12"], [0, 3, 4, 5]);
});

test("a snapshot does not change while another handle adds documents", () => {
  const add = (id: string) =>
    index.add({ id, paragraphs: Array.from({ length: 200 }, (_, part) => ({ text: textOf(part) })) });
  add("before");
  index.reader.transaction(() => {
    const before = read({ text: "often", kind: "word" });
    for (const id of ["a", "b", "c"]) add(id);
    index.store.sql.run("INSERT INTO chunk_words (chunk_words) VALUES ('optimize')");
    expect(read({ text: "often", kind: "word" })).toEqual(before);
    expectEqual(TERMS, PREFIXES, [0, 50]);
  })();
  expectEqual(TERMS, PREFIXES, [0, 50]);
});

test("an unknown format is an error", () => {
  // SQLite does not let anyone write into the tables of FTS5, so these are ordinary ones.
  const database = new Database(":memory:");
  database.run("CREATE TABLE chunk_words_data (id INTEGER PRIMARY KEY, block BLOB)");
  database.run("CREATE TABLE chunk_words_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID");
  database.run("INSERT INTO chunk_words_data VALUES (10, x'00000000ff000002010000')");
  expect(() => [...openDoclists(database)({ text: "tea", kind: "word" }, 0)]).toThrow("format");
  database.close();
});
