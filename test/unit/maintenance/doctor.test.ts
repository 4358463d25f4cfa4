// What doctor detects: each fault is caused in a real data directory. The machine's readings are replaced where a test
// cannot cause them.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { nativeFile } from "../../../src/base/assets.ts";
import { readSettings } from "../../../src/base/config.ts";
import { databasePath } from "../../../src/db/open.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { Check } from "../../../src/maintenance/checks/check.ts";
import { examine, type Surroundings } from "../../../src/maintenance/doctor.ts";
import { damageTable } from "../../helpers/damage.ts";
import { makeTempDir, startServer } from "../../helpers/start.ts";

const root = makeTempDir();
const healthy = join(root, "healthy");
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(async () => {
  const started = startServer({ dataDir: healthy });
  for (let number = 0; number < 3; number++) {
    const content = `# Kettles\n\nKettle ${number} whistles.\n\nThe second paragraph is about bread.`;
    const { status } = await started.client("POST", "/v1/documents", { title: `Note ${number}`, content });
    expect(status).toBe(201);
  }
  const prompt = { title: "A prompt", description: "d", content: "Summarise this." };
  expect((await started.client("POST", "/v1/prompts", prompt)).status).toBe(201);
  await started.settle();
  await started.stop();
});

let copies = 0;
/** A copy of the healthy data directory. */
function copy(): string {
  const dataDir = join(root, `copy-${copies++}`);
  cpSync(healthy, dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  return dataDir;
}

/** A copy in which SQL was run. */
function changed(...statements: string[]): string {
  const dataDir = copy();
  const database = new Database(databasePath(dataDir));
  for (const statement of statements) database.run(statement);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return dataDir;
}

interface Given {
  surroundings?: Partial<Surroundings>;
  flags?: Record<string, string>;
}

async function examined(dataDir: string, { surroundings, flags }: Given = {}): Promise<Check[]> {
  const settings = readSettings({ dataDir, port: "0", ...flags }, {});
  const machine = {
    clock: systemClock,
    freeBytes: () => 1e12,
    findLibrary: (name: "vec0" | "onnxruntime") => nativeFile(name),
  };
  const checks: Check[] = [];
  for await (const check of examine(settings, { ...machine, ...surroundings })) checks.push(check);
  return checks;
}

/** The checks that are not ok, as `name: status`. */
const problems = (checks: Check[]) =>
  checks.filter(({ status }) => status !== "ok").map(({ name, status }) => `${name}: ${status}`);

/** The only check that is not ok. */
function only(checks: Check[], name: string, status: Check["status"]): Check {
  expect(problems(checks)).toEqual([`${name}: ${status}`]);
  const found = checks.find((check) => check.name === name)!;
  expect(found.fix).toBeString();
  return found;
}

test("a healthy installation passes every check, and nothing is changed", async () => {
  const before = statSync(databasePath(healthy)).mtimeMs;
  const checks = await examined(healthy);
  expect(problems(checks)).toEqual([]);
  expect(checks.map(({ name }) => name).sort()).toEqual(
    [
      ..."clock disk-space extension file foreign-files imports index integrity jobs left-out libraries model orphans".split(
        " ",
      ),
      ..."permissions port reader search vectors words".split(" "),
    ].sort(),
  );
  expect(statSync(databasePath(healthy)).mtimeMs).toBe(before);
  expect([...new Bun.Glob("*").scanSync({ cwd: healthy, dot: true })]).toEqual(["ctxrepo.db"]);
});

describe("the data directory", () => {
  test("that does not exist is not created", async () => {
    const dataDir = join(root, "missing");
    const file = only(await examined(dataDir), "file", "fail");
    expect(file.detail).toContain("does not exist");
    expect(await Bun.file(dataDir).exists()).toBe(false);
  });

  test("that others can read", async () => {
    const dataDir = copy();
    chmodSync(dataDir, 0o755);
    const { fix } = only(await examined(dataDir), "permissions", "fail");
    expect(fix).toContain(`chmod 700 ${dataDir}`);
    chmodSync(dataDir, 0o700);
    chmodSync(databasePath(dataDir), 0o644);
    expect(only(await examined(dataDir), "permissions", "fail").detail).toContain("ctxrepo.db");
  });

  test("with foreign files", async () => {
    const dataDir = copy();
    writeFileSync(join(dataDir, "notes.txt"), "mine");
    expect(only(await examined(dataDir), "foreign-files", "warn").detail).toContain("notes.txt");
  });
});

describe("the file", () => {
  test("of another program", async () => {
    const dataDir = join(root, "foreign");
    mkdirSync(dataDir, { mode: 0o700 });
    const other = new Database(databasePath(dataDir), { create: true });
    other.run("CREATE TABLE users (id)");
    other.run("PRAGMA user_version = 3");
    other.close();
    chmodSync(databasePath(dataDir), 0o600);
    expect(only(await examined(dataDir), "file", "fail").detail).toContain("not a database of ctxrepo");
  });

  test("that is no database", async () => {
    const dataDir = join(root, "diary");
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(databasePath(dataDir), "a diary ".repeat(9_000), { mode: 0o600 });
    expect(only(await examined(dataDir), "file", "fail").detail).toContain("not a database");
  });

  test("of a newer version", async () => {
    const dataDir = changed("PRAGMA user_version = 9999");
    expect(only(await examined(dataDir), "file", "fail").detail).toContain("newer version");
  });

  test("with a damaged page of the records", async () => {
    const dataDir = copy();
    damageTable(databasePath(dataDir), "bodies");
    const checks = await examined(dataDir);
    expect(problems(checks)).toContain("integrity: fail");
    expect(checks.find(({ name }) => name === "integrity")?.fix).toContain("restore a backup");
  });

  test("with a damaged page of the search index", async () => {
    for (const table of ["chunk_words_data", "chunk_vectors", "index_generations"]) {
      const dataDir = copy();
      damageTable(databasePath(dataDir), table);
      const checks = await examined(dataDir);
      expect(problems(checks)).toContain("integrity: fail");
      expect(checks.find(({ name }) => name === "integrity")?.fix).toContain("reindex");
    }
  });
});

describe("the search index", () => {
  const document = "(SELECT id FROM documents LIMIT 1)";

  test("with rows without a document", async () => {
    const dataDir = changed("PRAGMA foreign_keys = ON", `DELETE FROM documents WHERE id = ${document}`);
    const { detail, fix } = only(await examined(dataDir), "orphans", "fail");
    expect(detail).toBe("1 indexed documents that do not exist");
    expect(fix).toContain("reindex");
  });

  test.each([
    ["chunks", "DELETE FROM index_generations WHERE id = 1", "4 chunks without a document"],
    ["words", "INSERT INTO chunk_words (rowid, text) VALUES (9999, 'x')", "1 rows of chunk_words without"],
    ["trigrams", "INSERT INTO chunk_trigrams (rowid, text) VALUES (9999, 'xyz')", "1 rows of chunk_trigrams"],
    [
      "vectors",
      "INSERT INTO chunk_vectors (key, embedding) VALUES (9999, x'00')",
      "1 vectors without a chunk",
    ],
  ])("with %s that belong to nothing", async (_name, statement, detail) => {
    const checks = await examined(changed(statement));
    expect(checks.find(({ name }) => name === "orphans")).toMatchObject({
      status: "fail",
      detail: expect.stringContaining(detail),
    });
  });

  test("without the vectors of a chunk", async () => {
    const dataDir = changed(
      "DELETE FROM chunk_vectors WHERE key = 1",
      "DELETE FROM chunk_bits WHERE vector_key = 1",
    );
    expect(only(await examined(dataDir), "vectors", "fail").detail).toBe("1 chunks without a vector");
    const half = changed("DELETE FROM chunk_vectors WHERE key = 1");
    expect(only(await examined(half), "vectors", "fail").detail).toBe("1 chunks whose vector is missing");
  });

  test("with a document or prompt that was never indexed", async () => {
    const dataDir = changed(
      `UPDATE documents SET revision = revision + 1 WHERE id = ${document}`,
      "DELETE FROM prompt_vectors",
    );
    const { detail } = only(await examined(dataDir), "index", "fail");
    expect(detail).toContain("1 documents that are not indexed");
    expect(detail).toContain("1 prompts that are not indexed");
  });

  test("with a document that waits for its job is complete", async () => {
    const dataDir = changed(
      `UPDATE documents SET revision = revision + 1 WHERE id = ${document}`,
      `INSERT INTO jobs (kind, subject, state, attempts, run_at, created_at, updated_at)
       SELECT 'document.index', id, 'queued', 0, 0, 0, 0 FROM documents LIMIT 1`,
    );
    expect(problems(await examined(dataDir))).toEqual([]);
  });

  test("with missing chunks or full-text rows", async () => {
    const chunks = changed("DELETE FROM chunks WHERE key = (SELECT max(key) FROM chunks)");
    expect(problems(await examined(chunks))).toContain("index: fail");
    const words = changed("DELETE FROM chunk_words WHERE rowid = (SELECT max(key) FROM chunks)");
    expect(only(await examined(words), "index", "fail").detail).toContain("1 chunks without full-text rows");
  });
});

describe("the words that searches read", () => {
  const refilled = (definition: string) => [
    "DROP TABLE chunk_words",
    `CREATE VIRTUAL TABLE chunk_words USING fts5 (${definition})`,
    `INSERT INTO chunk_words (rowid, context, text) SELECT c.key, 'Kettle ' || g.title, c.text
     FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id WHERE c.level <> 'document'`,
  ];

  test("are those of SQLite, also after merges and deletions", async () => {
    const definition = "context, text, content = '', contentless_delete = 1, tokenize = \"porter\"";
    const dataDir = changed(
      ...refilled(definition),
      "INSERT INTO chunk_words (rowid, text) VALUES (9999, 'kettle kettle')",
      "INSERT INTO chunk_words (chunk_words, rank) VALUES ('merge', -4)",
      "DELETE FROM chunk_words WHERE rowid = 9999",
    );
    expect(problems(await examined(dataDir))).toEqual([]);
  });

  test("are in a format that is not known", async () => {
    const checks = await examined(changed(...refilled("context, text, content = '', tokenize = \"porter\"")));
    const { detail, fix } = only(checks, "words", "fail");
    expect(detail).toMatch(/^\d+ of 200 words are not read as SQLite reads them$/);
    expect(fix).toContain("reindex");
  });

  test("are in columns that are taken for each other", async () => {
    const definition = "text, context, content = '', contentless_delete = 1, tokenize = \"porter\"";
    only(await examined(changed(...refilled(definition))), "words", "fail");
  });
});

test("failed jobs", async () => {
  const dataDir = changed(
    `INSERT INTO jobs (kind, subject, state, attempts, run_at, error, created_at, updated_at)
     VALUES ('document.index', 'x', 'failed', 5, 0, 'the model is on holiday', 0, 0)`,
  );
  expect(only(await examined(dataDir), "jobs", "fail").detail).toContain("the model is on holiday");
});

describe("the machine", () => {
  test("with a full disk", async () => {
    const full = await examined(healthy, { surroundings: { freeBytes: () => 5e6 } });
    expect(only(full, "disk-space", "fail").detail).toContain("5 MB free");
    const size = statSync(databasePath(healthy)).size;
    const dataDir = changed("CREATE TABLE ballast AS SELECT zeroblob(150000000) AS bytes");
    expect(size).toBeLessThan(100e6);
    const low = await examined(dataDir, { surroundings: { freeBytes: () => 120e6 } });
    expect(only(low, "disk-space", "warn").detail).toContain("could not be rebuilt");
  });

  test("with a clock behind the lease mark", async () => {
    const inThreeDays = Date.now() + 3 * 86_400_000;
    const dataDir = changed(
      `INSERT INTO instance (key, value) VALUES ('high-water-mark', '${inThreeDays}')
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
    expect(only(await examined(dataDir), "clock", "fail").detail).toContain("3 days behind");
  });

  test("with a port that another program uses", async () => {
    const server = createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const { port } = server.address() as { port: number };
    server.on("connection", (socket) => socket.destroy());
    const checks = await examined(healthy, { flags: { port: String(port) } });
    expect(only(checks, "port", "fail").detail).toBe(`another program uses 127.0.0.1:${port}`);
    server.close();
  });

  test("with the port in use by the server of this database, or of another one", async () => {
    const dataDir = copy();
    const started = startServer({ dataDir, socket: true });
    await started.send(new Request(`${started.url}/.well-known/jwks.json`));
    const flags = { port: String(started.port) };
    const own = await examined(dataDir, { flags });
    const other = await examined(healthy, { flags });
    await started.stop();
    expect(problems(own)).toEqual([]);
    expect(own.find(({ name }) => name === "port")?.detail).toContain("the server of this database");
    only(other, "port", "fail");
  });
});

describe("the model", () => {
  test("that is missing or incomplete", async () => {
    const modelsDir = join(root, "models");
    mkdirSync(modelsDir);
    const none = await examined(healthy, { flags: { modelsDir } });
    expect(only(none, "model", "fail").detail).toContain("--models-dir");
    writeFileSync(join(modelsDir, "config.json"), "{}");
    const half = await examined(healthy, { flags: { modelsDir } });
    expect(only(half, "model", "fail").detail).toContain("tokenizer.json is missing");
  });

  test("without its native library", async () => {
    const findLibrary = (name: "vec0" | "onnxruntime") =>
      name === "onnxruntime" ? join(root, "libonnxruntime.so") : nativeFile(name);
    const checks = await examined(healthy, { surroundings: { findLibrary } });
    expect(only(checks, "libraries", "fail").detail).toContain("libonnxruntime.so is missing");
  });

  test("without sqlite-vec", async () => {
    const findLibrary = (name: "vec0" | "onnxruntime") =>
      name === "vec0" ? join(root, "vec0.so") : nativeFile(name);
    const checks = await examined(healthy, { surroundings: { findLibrary } });
    expect(only(checks, "extension", "warn").detail).toContain("searched in JavaScript");
  });

  test("on a platform for which there are no native libraries", async () => {
    const checks = await examined(healthy, { surroundings: { findLibrary: () => undefined } });
    expect(problems(checks)).toEqual([]);
    const details = new Map(checks.map(({ name, detail }) => [name, detail]));
    expect([details.get("libraries"), details.get("extension")]).toEqual([
      expect.stringContaining("WebAssembly"),
      expect.stringContaining("JavaScript"),
    ]);
  });
});
