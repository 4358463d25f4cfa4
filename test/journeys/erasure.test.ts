// What is deleted leaves no byte in the database file and in its log, and the file gets shorter.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { Database } from "bun:sqlite";
import { isErasureRequested } from "../../src/db/erasure.ts";
import { databasePath } from "../../src/db/open.ts";
import { startUpkeep } from "../../src/maintenance/upkeep.ts";
import { useServer } from "../helpers/start.ts";

// The activity log keeps queries, which contain the words.
const started = useServer({ settings: { activityLog: "off" } });
const { app, client, settle } = started;
const path = databasePath(app.settings.dataDir);

const DOCUMENTS = 120;
/**
 * Words of one document each: in its title, its text, a tag, its metadata, and in the words and trigrams of the index.
 */
const mark = (number: number) => `zyx${number.toString(36).padStart(4, "q")}wvu`;
const bodyOf = (number: number) => {
  const paragraph = `The text of ${mark(number)} tells how ${mark(number)} is made, kept and mended.`;
  return {
    title: `About ${mark(number)}`,
    // Short and long texts, as in one page and in many.
    content: `${paragraph}\n\n`.repeat(1 + (number % 9) ** 3),
    tags: [mark(number)],
    metadata: { word: mark(number) },
  };
};

/** The marks of these numbers that are in a byte of the file or the log. */
function remains(numbers: readonly number[]): number[] {
  const found = new Set<string>();
  for (const file of [path, `${path}-wal`]) {
    for (const word of readFileSync(file)
      .toString("latin1")
      .match(/zyx[0-9a-z]{4}wvu/g) ?? [])
      found.add(word);
  }
  return numbers.filter((number) => found.has(mark(number)));
}

async function erased(): Promise<void> {
  await settle();
  const stop = startUpkeep(app);
  while (isErasureRequested(app.store)) await Bun.sleep(20);
  stop();
}

const ids: string[] = [];
const reader = new AbortController();
beforeAll(async () => {
  for (let number = 0; number < DOCUMENTS; number++) {
    const { status, body } = await client("POST", "/v1/documents", bodyOf(number));
    expect(status).toBe(201);
    ids.push(body.data.id);
  }
  await settle();
});
afterAll(() => reader.abort());

const all = Array.from({ length: DOCUMENTS }, (_, number) => number);
const isKept = (number: number) => number % 10 === 0;
const deleted = all.filter((number) => !isKept(number));

test("nine of ten documents are deleted while others read", async () => {
  const size = statSync(path).size;
  expect(remains(all)).toEqual(all);
  const reading = (async () => {
    while (!reader.signal.aborted) {
      expect((await client("GET", `/v1/search?q=${mark(0)}`)).status).toBe(200);
      await Bun.sleep(5);
    }
  })();
  for (const number of deleted)
    expect((await client("DELETE", `/v1/documents/${ids[number]}`)).status).toBe(200);
  await erased();
  reader.abort();
  await reading;
  expect(remains(deleted)).toEqual([]);
  expect(statSync(path).size).toBeLessThan(size / 2);
});

test("the others are whole and found", async () => {
  for (const number of all.filter(isKept)) {
    const { body } = await client("GET", `/v1/documents/${ids[number]}`);
    expect(body.data.content).toBe(bodyOf(number).content);
    const found = await client("GET", `/v1/search?q=${mark(number)}&mode=literal`);
    expect(found.body.data.documents.map(({ id }: { id: string }) => id)).toContain(ids[number]);
  }
  const database = new Database(path, { readonly: true });
  expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
});

test("a single document leaves nothing either", async () => {
  expect((await client("DELETE", `/v1/documents/${ids[0]}`)).status).toBe(200);
  await erased();
  expect(remains([0])).toEqual([]);
  expect(remains(all.filter((number) => number > 0 && isKept(number)))).toHaveLength(DOCUMENTS / 10 - 1);
});
