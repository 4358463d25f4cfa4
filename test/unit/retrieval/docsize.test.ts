// live-index.ts reads FTS5's private table chunk_words_docsize, because FTS5 offers the lengths of rows in no other
// way. This test fails when a new SQLite stores them differently: sqlite.org/src/file/ext/fts5/fts5_storage.c.

import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { openLiveIndex } from "../../../src/retrieval/search/live-index.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";

let index: SmallIndex;
beforeEach(() => {
  index = openSmallIndex();
});
afterEach(() => index.close());

const CHANGED =
  "this SQLite stores the lengths of FTS5 rows differently: adapt src/retrieval/search/live-index.ts";
const words = (count: number) => "word ".repeat(count);

test("a table with one row for each row of the index: id and sz, a blob", () => {
  const columns = index.reader
    .query<{ name: string; type: string; pk: number }, []>(
      "SELECT name, type, pk FROM pragma_table_info('chunk_words_docsize')",
    )
    .all();
  expect(columns, CHANGED).toContainEqual({ name: "id", type: "INTEGER", pk: 1 });
  expect(columns, CHANGED).toContainEqual({ name: "sz", type: "BLOB", pk: 0 });
});

test.each([
  [0, 1, "00 01"],
  [2, 3, "02 03"],
  [127, 128, "7f 81 00"],
  [300, 20_000, "82 2c 81 9c 20"],
])(
  "context of %d words and text of %d: sz contains both as variable-length integers",
  (context, text, sz) => {
    const [key] = index.add({ id: "d", paragraphs: [{ context: words(context), text: words(text) }] });
    const row = index.reader
      .query<{ sz: Uint8Array }, [number]>("SELECT sz FROM chunk_words_docsize WHERE id = ?")
      .get(key!);
    expect(row, CHANGED).not.toBeNull();
    const hex = [...row!.sz].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    expect(hex, CHANGED).toBe(sz);

    const view = openLiveIndex(index.reader).view({ userId: "u", tags: [] });
    const { firstOrdinal, firstChunk } = view.segmentOf(key!)!;
    expect(view.lengths[firstOrdinal + key! - firstChunk], CHANGED).toBe(context + text);
  },
);

test("the lengths of any texts are the numbers of words that fts5vocab lists", () => {
  index.reader.run("CREATE VIRTUAL TABLE temp.instances USING fts5vocab (main, chunk_words, 'instance')");
  const counted = index.reader.query<{ doc: number; words: number }, []>(
    "SELECT doc, count(*) AS words FROM temp.instances GROUP BY doc",
  );
  const length = fc.oneof(fc.nat(300), fc.nat(20_000));
  fc.assert(
    fc.property(fc.array(fc.tuple(length, length), { minLength: 1, maxLength: 5 }), (lengths) => {
      index.add({
        id: crypto.randomUUID(),
        paragraphs: lengths.map(([context, text]) => ({ context: words(context), text: words(text) })),
      });
      const view = openLiveIndex(index.reader).view({ userId: "u", tags: [] });
      const found = new Map(
        view.allowed.flatMap(({ firstOrdinal, chunkCount }) =>
          Array.from(
            { length: chunkCount },
            (_, i) => [view.keyOf(firstOrdinal + i), view.lengths[firstOrdinal + i]!] as const,
          ),
        ),
      );
      const expected = new Map(counted.all().map(({ doc, words }) => [doc, words]));
      for (const [key, words] of found) expect(words).toBe(expected.get(key) ?? 0);
    }),
    { numRuns: 10 },
  );
});

test("a length is at most 65,535, and that of a chunk without words is 0", () => {
  const [key] = index.add({ id: "d", paragraphs: [{ text: words(70_000) }] });
  const view = openLiveIndex(index.reader).view({ userId: "u", tags: [] });
  const { firstOrdinal, firstChunk } = view.segmentOf(key!)!;
  expect(view.lengths[firstOrdinal]).toBe(0);
  expect(view.lengths[firstOrdinal + key! - firstChunk]).toBe(65_535);
});
