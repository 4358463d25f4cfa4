// The lists that doclists.ts reads against fts5vocab, for texts and states of the index that nobody chose by hand:
// every distance between two occurrences, texts of 1 to 100,000 words, lists on many leaves, merges, deletions, writes
// out of order. And bytes that are damaged.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { openReader } from "../../../src/db/handles.ts";
import { databasePath } from "../../../src/db/open.ts";
import { openDoclists } from "../../../src/retrieval/words/doclists.ts";
import { UnexpectedBytes } from "../../../src/retrieval/words/fts5-leaf.ts";
import { startServer } from "../../helpers/start.ts";
import { openSmallIndex, type SmallIndex } from "./small-index.ts";
import { compareEveryWord } from "./word-comparison.ts";

let index: SmallIndex;
beforeEach(() => {
  index = openSmallIndex();
});
afterEach(() => index.close());

const LONGEST = 20_000;

/**
 * Two texts in which, together, a word occurs twice at every distance from 1 to LONGEST: `d3 d1 d1 d3` and `d2 and d2`.
 */
const DISTANCES = [1, 2].map((shortest) => {
  const words: string[] = [];
  for (let distance = shortest; distance <= LONGEST; distance += 2) words.push(`d${distance}`);
  return [...words.toReversed(), ...(shortest === 2 ? ["and"] : []), ...words].join(" ");
});

test("every distance between two occurrences from 1 to 20,000, with other chunks before and after", () => {
  const each = Array.from({ length: LONGEST }, (_, i) => `d${i + 1}`).join(" ");
  for (const [id, texts] of Object.entries({ a: [each, ...DISTANCES], b: [...DISTANCES, each] }))
    index.add({ id, paragraphs: texts.map((text) => ({ text })) });
  expect(compareEveryWord(index.reader)).toBe(LONGEST + 1);
  index.store.sql.run("INSERT INTO chunk_words (chunk_words) VALUES ('optimize')");
  expect(compareEveryWord(index.reader, [4])).toBe(LONGEST + 1);
});

/** A text of the words `w0` to `w<distinct - 1>`, the low numbers far more often. */
interface Text {
  words: number;
  distinct: number;
  seed: number;
}

function textOf({ words, distinct, seed }: Text): string {
  const parts: string[] = [];
  let state = seed;
  for (let i = 0; i < words; i++) {
    // The linear congruential generator of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    parts.push(`w${Math.floor(distinct * (state / 2 ** 32) ** 3)}`);
  }
  return parts.join(" ");
}

const SEED = fc.nat(2 ** 32 - 1);
const text = (max: number): fc.Arbitrary<Text> =>
  fc.record({ words: fc.integer({ min: 1, max }), distinct: fc.integer({ min: 1, max: 400 }), seed: SEED });

/** Changes of an index of which only the words are written. */
class Words {
  #stored: number[] = [];
  next = 1;

  constructor(readonly store: SmallIndex["store"]) {}

  #insert(key: number, text: Text, context = ""): void {
    this.store.sql
      .query("INSERT INTO chunk_words (rowid, context, text) VALUES (?, ?, ?)")
      .run(key, context, textOf(text));
    this.#stored.push(key);
  }

  add(texts: readonly Text[], headings: Text): void {
    this.store.write(() => {
      for (const text of texts) this.#insert(this.next++, text, textOf(headings));
    });
  }

  /** Writes the chunks of several documents in turns, as jobs do that run at the same time: the keys do not ascend. */
  interleave(documents: readonly Text[][]): void {
    const first = this.next;
    this.next += documents.flat().length;
    for (let chunk = 0; chunk < documents[0]!.length; chunk++) {
      for (let document = documents.length - 1; document >= 0; document--)
        this.#insert(first + document * documents[0]!.length + chunk, documents[document]![chunk]!);
    }
  }

  remove(share: number): void {
    const [gone, kept] = [true, false].map((isGone) =>
      this.#stored.filter((key) => (key * 0.618) % 1 < share === isGone),
    );
    for (const key of gone!) this.store.sql.query("DELETE FROM chunk_words WHERE rowid = ?").run(key);
    this.#stored = kept!;
  }

  merge(leaves: number): void {
    this.store.sql.query("INSERT INTO chunk_words (chunk_words, rank) VALUES ('merge', ?)").run(-leaves);
  }

  optimize(): void {
    this.store.sql.run("INSERT INTO chunk_words (chunk_words) VALUES ('optimize')");
  }
}

type Step = (words: Words) => void;
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.array(text(2_000), { minLength: 1, maxLength: 30 }), text(30)).map(
      ([texts, headings]): Step =>
        (words) =>
          words.add(texts, headings),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.array(text(500), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 6 })
      .map(
        (documents): Step =>
          (words) =>
            words.interleave(documents),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.double({ min: 0.05, max: 1, noNaN: true }).map(
      (share): Step =>
        (words) =>
          words.remove(share),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 16 }).map(
      (leaves): Step =>
        (words) =>
          words.merge(leaves),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((words) => words.optimize()) },
);

test("any texts, in any order of writes, merges and deletions", () => {
  fc.assert(
    fc.property(
      fc.array(STEP, { minLength: 1, maxLength: 10 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (steps, part) => {
        const small = openSmallIndex();
        try {
          const words = new Words(small.store);
          for (const step of steps) {
            step(words);
            compareEveryWord(small.reader, [Math.ceil(part * words.next)]);
          }
        } finally {
          small.close();
        }
      },
    ),
    { numRuns: 20 },
  );
});

test.each([1, 2, 127, 128, 129, 255, 16_383, 16_384, 100_000])("texts of %d words among others", (words) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), SEED, (distinct, seed) => {
      const short = { words: 50, distinct, seed };
      const texts = [short, { words, distinct, seed }, short, short];
      index.add({ id: crypto.randomUUID(), paragraphs: texts.map((of) => ({ text: textOf(of) })) });
      compareEveryWord(index.reader, [3]);
    }),
    { numRuns: 3 },
  );
});

test("documents that several clients store, change and delete at the same time", async () => {
  const started = startServer();
  const { client, create, settle, app } = started;
  const reader = openReader(databasePath(app.settings.dataDir));
  let compared = 0;
  try {
    const work = async (lane: number) => {
      for (let number = 0; number < 12; number++) {
        const content = (seed: number) =>
          Array.from({ length: 6 }, (_, i) => textOf({ words: 180, distinct: 60, seed: seed + i })).join(
            "\n\n",
          );
        const id = await create("/v1/documents", {
          title: `${lane} ${number}`,
          content: content(1_000 * lane + number),
        });
        if (number % 3 === 1) await client("PATCH", `/v1/documents/${id}`, { content: content(number) });
        if (number % 3 === 2) await client("DELETE", `/v1/documents/${id}`);
        if (number % 4 === 0) compared += compareEveryWord(reader) > 0 ? 1 : 0;
      }
    };
    await Promise.all([1, 2, 3, 4].map(work));
    await settle();
    expect(compareEveryWord(reader)).toBeGreaterThan(60);
    expect(compared).toBeGreaterThan(0);
  } finally {
    reader.close();
    await started.stop();
  }
});

/** The two tables that are read, as ordinary ones, which a test can write into. */
function copyOf(reader: Database): Database {
  const copy = new Database(":memory:", { strict: true });
  copy.run("CREATE TABLE chunk_words_data (id INTEGER PRIMARY KEY, block BLOB)");
  copy.run("CREATE TABLE chunk_words_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID");
  for (const table of ["chunk_words_data (id, block)", "chunk_words_idx (segid, term, pgno)"]) {
    const columns = /\((.*)\)/.exec(table)![1]!;
    const insert = copy.query(`INSERT INTO ${table} VALUES (${columns.replace(/\w+/g, "?")})`);
    for (const row of reader.query(`SELECT ${columns} FROM ${table.split(" ")[0]}`).values())
      insert.run(...(row as never[]));
  }
  return copy;
}

test("any damaged byte and any missing row: an error that says so, or lists; never another error or an endless loop", () => {
  for (let document = 0; document < 3; document++)
    index.add({
      id: `d${document}`,
      paragraphs: Array.from({ length: 40 }, (_, seed) => ({
        text: textOf({ words: 400, distinct: 90, seed }),
      })),
    });
  const copy = copyOf(index.reader);
  const rows = copy
    .query<{ id: number; block: Uint8Array }, []>("SELECT id, block FROM chunk_words_data")
    .all();
  const set = copy.query<never, [Uint8Array, number]>("UPDATE chunk_words_data SET block = ? WHERE id = ?");
  const read = openDoclists(copy);
  let problems = 0;
  const readAll = () => {
    for (const text of ["w0", "w1", "w7", "w89", "absent"]) {
      try {
        for (const firstKey of [0, 60]) for (const _ of read({ text, kind: "word" }, firstKey));
        for (const _ of read({ text: text.slice(0, 2), kind: "prefix" }, 0));
      } catch (error) {
        if (!(error instanceof UnexpectedBytes)) throw error;
        problems++;
      }
    }
  };
  readAll();
  expect(problems).toBe(0);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(255), fc.boolean(), (row, at, byte, cutsOff) => {
      const { id, block } = rows[row % rows.length]!;
      const position = at % Math.max(1, block.length);
      set.run(cutsOff ? block.slice(0, position) : block.with(position, byte), id);
      readAll();
      set.run(block, id);
    }),
    { numRuns: 1_500 },
  );
  for (const { id, block } of rows) {
    copy.run("DELETE FROM chunk_words_data WHERE id = ?", [id]);
    readAll();
    copy.query("INSERT INTO chunk_words_data VALUES (?, ?)").run(id, block);
  }
  expect(problems).toBeGreaterThan(100);
  copy.close();
});
