// A word is found in every document that contains it, wherever it occurs, also if the word index is stored in another
// format.

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { databasePath } from "../../../src/db/open.ts";
import { fakeEmbedder } from "../../helpers/embedder.ts";
import { makeTempDir, type Started, startServer } from "../../helpers/start.ts";

const dataDir = makeTempDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
/** Nothing is similar in meaning: only words are found. */
const embedder = fakeEmbedder("words-only", [
  [0, 0],
  [1, 0],
]);
const start = () => startServer({ dataDir, embedder });

/** Words between the two occurrences of `kettle`. The differences of their positions take one or two bytes. */
const BETWEEN = [0, 1, 60, 124, 125, 126, 127, 128, 129, 180, 253, 254, 255, 256];

async function titlesOf({ client }: Started, query: string): Promise<string[]> {
  const { body } = await client("GET", `/v1/search?q=${query}&type=documents&limit=50&scoreThreshold=0.1`);
  return body.data.documents.map(({ title }: { title: string }) => title).sort();
}

/** The errors in the log. */
const problemsIn = ({ log }: Started): { message: string; reason: string }[] =>
  log.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");

test("a word that occurs twice, with any number of words in between", async () => {
  const started = start();
  for (const between of BETWEEN) {
    const content = `The kettle${" and".repeat(between)} kettle ${between % 2 ? "whistles" : "boils"}.`;
    await started.create("/v1/documents", { title: `${between}`, content });
  }
  await started.settle();
  expect(await titlesOf(started, "kettle")).toEqual(BETWEEN.map(String).sort());
  expect(await titlesOf(started, "whistles")).toEqual(
    BETWEEN.filter((n) => n % 2)
      .map(String)
      .sort(),
  );
  expect(problemsIn(started)).toEqual([]);
  await started.stop();
});

test("a word index in another format: the same results, and an error in the log", async () => {
  const database = new Database(databasePath(dataDir));
  const rows = database
    .query<{ key: number; title: string; text: string }, []>(
      `SELECT c.key, g.title, c.text FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id
       WHERE c.level <> 'document'`,
    )
    .all();
  database.run("DROP TABLE chunk_words");
  database.run(
    "CREATE VIRTUAL TABLE chunk_words USING fts5 (context, text, content = '', tokenize = \"porter\")",
  );
  const insert = database.query("INSERT INTO chunk_words (rowid, context, text) VALUES (?, ?, ?)");
  for (const { key, title, text } of rows) insert.run(key, title, text);
  database.close();

  const started = start();
  expect(await titlesOf(started, "kettle")).toEqual(BETWEEN.map(String).sort());
  await titlesOf(started, "whistles");
  expect(problemsIn(started)).toMatchObject([
    {
      message: "the search index is not as expected",
      reason: "words are searched slowly: this SQLite stores the word index in a format that is not known",
    },
  ]);
  await started.stop();
});
