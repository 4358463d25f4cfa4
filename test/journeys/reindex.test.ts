// ctxrepo reindex: by a running server, by the command itself, and after damage of the index; searches find the old
// rows until the new ones are complete.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { renewIndex } from "../../src/retrieval/generations/renew.ts";
import { damageTable } from "../helpers/damage.ts";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir, startServer } from "../helpers/start.ts";

const root = makeTempDir();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const filled = join(root, "filled");
let key: string;
let folders = 0;
/** A copy of the filled data directory. */
let dataDir: string;
beforeEach(() => {
  dataDir = join(root, `data-${folders++}`);
  cpSync(filled, dataDir, { recursive: true });
});

const DOCUMENTS = ["kettle", "bread", "garden"];

/** Three documents and a prompt, indexed with the shipped model. */
beforeAll(async () => {
  const { stdout } = await runProgram(["keys", "create", "--data-dir", filled, "--json"]);
  ({ key } = JSON.parse(stdout));
  const server = await serveProgram(filled);
  const client = createClient(server.url, key);
  for (const word of DOCUMENTS) {
    const document = { title: `About the ${word}`, content: `# The ${word}\n\nThis is about the ${word}.` };
    expect((await client("POST", "/v1/documents", document)).status).toBe(201);
  }
  const prompt = { title: "Summarise", description: "Shortens texts", content: "Summarise this text." };
  expect((await client("POST", "/v1/prompts", prompt)).status).toBe(201);
  await untilIndexed(server.url);
  await server.kill("SIGTERM");
});

const reindex = () => runProgram(["reindex", "--data-dir", dataDir, "--json"]);

interface IndexState {
  generations: number[];
  chunks: number;
  vectors: number;
  formats: number[];
}

/** What is in the index. */
function indexState(): IndexState {
  const database = new Database(databasePath(dataDir));
  const column = <Value>(sql: string) => database.query(sql).values().flat() as Value[];
  const state = {
    generations: column<number>("SELECT id FROM index_generations WHERE state = 'live' ORDER BY id"),
    chunks: column<number>("SELECT count(*) FROM chunks")[0]!,
    vectors: column<number>("SELECT count(*) FROM chunk_vectors")[0]!,
    formats: column<number>("SELECT DISTINCT format FROM index_generations WHERE state = 'live'"),
  };
  database.close(true);
  return state;
}

/** Which of the words a search for it finds first. */
async function found(client: Client): Promise<string[]> {
  const words: string[] = [];
  for (const word of DOCUMENTS) {
    const { body } = await client("GET", `/v1/search?q=the+${word}&semantic=true`);
    if (body.data.documents[0]?.title === `About the ${word}`) words.push(word);
  }
  return words;
}

describe("an intact index", () => {
  test("is made again by the command if no server runs", async () => {
    const before = indexState();
    const { code, stdout, stderr } = await reindex();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      documents: 3,
      prompts: 1,
      orphans: 0,
      failed: 0,
      durationMs: expect.any(Number),
    });
    expect(stderr).toContain("indexing 4 records");
    const after = indexState();
    expect(Math.min(...after.generations)).toBeGreaterThan(Math.max(...before.generations));
    expect({ ...after, generations: [] }).toEqual({ ...before, generations: [] });
    expect(after.formats).not.toContain(0);
  });

  test("is made again by a running server", async () => {
    const server = await serveProgram(dataDir);
    const client = createClient(server.url, key);
    const before = indexState();
    const { code, stdout } = await reindex();
    expect([code, JSON.parse(stdout).documents]).toEqual([0, 3]);
    const after = indexState();
    expect(Math.min(...after.generations)).toBeGreaterThan(Math.max(...before.generations));
    expect(after.generations.length).toBe(3);
    expect(await found(client)).toEqual(DOCUMENTS);
    await server.kill("SIGTERM");
  });

  test("is searched until the new rows are complete", async () => {
    const embedder = fakeEmbedder();
    const started = startServer({ embedder });
    for (const word of DOCUMENTS) {
      const document = { title: `About the ${word}`, content: `This is about the ${word}.` };
      await started.client("POST", "/v1/documents", document);
    }
    await started.settle();
    const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
    const embedPassages = embedder.embedPassages.bind(embedder);
    embedder.embedPassages = async (passages) => {
      await blocked;
      return embedPassages(passages);
    };
    await renewIndex(started.app.store);
    started.app.jobs.wake();
    expect(await found(started.client)).toEqual(DOCUMENTS);
    const { body } = await started.client("GET", "/health");
    expect(body.jobs.queued + body.jobs.running).toBe(3);
    unblock();
    await started.settle();
    expect(await found(started.client)).toEqual(DOCUMENTS);
    await started.stop();
  });
});

describe("a damaged index", () => {
  test.each(["chunk_words_data", "chunk_trigrams_data", "chunk_vectors", "chunks", "index_generations"])(
    "with a damaged page of %s is rebuilt from the records",
    async (table) => {
      damageTable(databasePath(dataDir), table);
      const { code, stdout, stderr } = await reindex();
      expect(stderr).toContain("the damaged index was removed");
      expect([code, JSON.parse(stdout).documents]).toEqual([0, 3]);
      expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
      const server = await serveProgram(dataDir);
      expect(await found(createClient(server.url, key))).toEqual(DOCUMENTS);
      await server.kill("SIGTERM");
      const database = new Database(databasePath(dataDir));
      expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
      database.close(true);
    },
  );

  test("is not touched while a server runs", async () => {
    damageTable(databasePath(dataDir), "chunk_words_data");
    // In this process, because the program would rebuild the index itself.
    const server = startServer({ dataDir });
    const { code, stderr } = await reindex();
    await server.stop();
    expect(code).toBe(1);
    expect(stderr).toContain("only while no server runs");
  });

  test("is not touched if records are damaged, too", async () => {
    damageTable(databasePath(dataDir), "chunk_words_data");
    damageTable(databasePath(dataDir), "bodies");
    const before = await Bun.file(databasePath(dataDir)).bytes();
    const { code, stderr } = await reindex();
    expect(code).toBe(1);
    expect(stderr).toContain("restore a backup");
    expect(await Bun.file(databasePath(dataDir)).bytes()).toEqual(before);
  });
});

test("rows that belong to nothing are removed, and lost vectors come back", async () => {
  const database = new Database(databasePath(dataDir));
  database.run("PRAGMA foreign_keys = ON");
  database.run("DELETE FROM documents WHERE title = 'About the bread'");
  database.run("INSERT INTO chunk_words (rowid, text) VALUES (99999, 'lost')");
  database.run("INSERT INTO chunk_trigrams (rowid, text) VALUES (99999, 'lost')");
  database.run("DELETE FROM chunk_vectors");
  database.run("DELETE FROM chunk_bits");
  database.run("INSERT INTO chunk_vectors (key, embedding) VALUES (99999, x'00')");
  database.close(true);
  const { code, stdout } = await reindex();
  expect([code, JSON.parse(stdout).documents, JSON.parse(stdout).orphans]).toEqual([0, 2, 4]);
  const doctor = await runProgram(["doctor", "--data-dir", dataDir, "--port", "0"]);
  expect([doctor.code, doctor.stderr]).toEqual([0, ""]);
});

test("without a database fails and creates none", async () => {
  rmSync(dataDir, { recursive: true });
  const { code, stderr } = await reindex();
  expect(code).toBe(1);
  expect(stderr).toContain("there is no database in");
  expect(existsSync(dataDir)).toBe(false);
});
