// A damaged file: what is found at start or at run time is shown in /health and in error messages. A damaged search
// index is built again without a person; for damaged records the message names the way out.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { rebuildFile } from "../../src/maintenance/rebuild.ts";
import { damageTable } from "../helpers/damage.ts";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir, startServer } from "../helpers/start.ts";

let dir: string;
let program: ServingProgram | undefined;
beforeEach(() => {
  dir = join(makeTempDir(), "data");
});
afterEach(async () => {
  await program?.kill("SIGTERM");
  program = undefined;
  rmSync(dir, { recursive: true, force: true });
});

/** Stores and indexes a document, and stops. Returns key and id. */
async function prepare(): Promise<{ key: string; id: string }> {
  const started = startServer({ dataDir: dir });
  const { body } = await started.client("POST", "/v1/documents", {
    title: "Kettle",
    content: "The kettle whistles.",
  });
  await started.settle();
  await started.stop();
  return { key: started.key.key, id: body.data.id };
}

test("a damaged index is found after the start and built again from the records", async () => {
  const { key } = await prepare();
  damageTable(databasePath(dir), "chunks");
  program = await serveProgram(dir);
  const { url } = program;
  const client = createClient(url, key, async (request) => {
    // The server closes its socket for a moment.
    for (;;) {
      try {
        return await fetch(request.clone() as Request);
      } catch {
        await Bun.sleep(50);
      }
    }
  });
  const found = async () =>
    (await client("GET", "/v1/search?q=kettle&semantic=false")).body.data?.documents.length === 1;
  while (!(program.stderr().includes("built again from the records") && (await found()))) await Bun.sleep(50);
  const { body } = await client("GET", "/health");
  expect(body).toMatchObject({ database: "ok", jobs: { failed: 0 } });
});

test("the process may end right after the damaged index was removed", async () => {
  await prepare();
  damageTable(databasePath(dir), "chunks");
  expect(rebuildFile(dir)).toBe(1);
  const started = startServer({ dataDir: dir });
  await started.settle();
  const { body } = await started.client("GET", "/v1/search?q=kettle&semantic=false");
  expect(body.data.documents).toHaveLength(1);
  await started.stop();
});

test("damaged records are shown in /health and in the error message, with the way out", async () => {
  const { id } = await prepare();
  damageTable(databasePath(dir), "bodies");
  const started = startServer({ dataDir: dir });
  const { status, body } = await started.client("GET", `/v1/documents/${id}`);
  expect(status).toBe(500);
  expect(body.error.message).toContain("the database is damaged: run ctxrepo doctor");
  await started.app.storage.check();
  const health = (await started.client("GET", "/health")).body;
  expect(health).toMatchObject({ status: "degraded", database: "degraded" });
  expect(health.problems).toEqual([
    "records are damaged (bodies): stop the server, and restore a backup with ctxrepo restore",
  ]);
  await started.stop();
});

test("a file whose end was cut off is noticed at once, although its log is whole", async () => {
  const createKey = () => runProgram(["keys", "create", "--data-dir", dir]);
  await createKey();
  program = await serveProgram(dir);
  // Without a commit in the log, SQLite refuses to open the file.
  await createKey();
  await program.kill("SIGKILL");
  const path = databasePath(dir);
  truncateSync(path, statSync(path).size - 2 * 32 * 1024);
  program = await serveProgram(dir);
  const health = await (await fetch(`${program.url}/health`)).json();
  expect(health).toMatchObject({ status: "degraded", database: "degraded" });
  expect(health).toHaveProperty(["problems", 0], expect.stringContaining("is missing (2 pages)"));
});

test("records that refer to missing ones are damaged, although every page is intact", async () => {
  const { id } = await prepare();
  const database = new Database(databasePath(dir));
  database.run("PRAGMA foreign_keys = OFF");
  database.run("DELETE FROM documents WHERE id = ?", [id]);
  database.close();
  const started = startServer({ dataDir: dir });
  await started.app.storage.check();
  const { body } = await started.client("GET", "/health");
  expect(body.problems).toEqual([
    "records are damaged (bodies, document_versions): stop the server, and restore a backup with ctxrepo restore",
  ]);
  await started.stop();
});

test("a start that fails because of a damaged table says so, with the way out", async () => {
  await prepare();
  damageTable(databasePath(dir), "instance");
  await expect(serveProgram(dir)).rejects.toThrow(
    `cannot open the database ${databasePath(dir)}: the file is damaged (restore a backup, or move it away)`,
  );
});

test("a text that does not match its hash is not indexed", async () => {
  const { id } = await prepare();
  const database = new Database(databasePath(dir));
  database.run("UPDATE bodies SET text = 'The kettle explodes.'");
  database.run("UPDATE index_generations SET format = 0");
  database.close();
  const started = startServer({ dataDir: dir });
  await started.app.storage.check();
  while (!started.log.some((line) => line.includes('"outcome":"retried"'))) await Bun.sleep(5);
  const { body } = await started.client("GET", "/v1/search?q=explodes&semantic=false");
  expect(body.data.documents).toEqual([]);
  expect(started.log.join("")).toContain("the stored text does not match its hash: restore a backup");
  expect((await started.client("GET", "/health")).body.problems).toHaveLength(1);
  expect(id).toBeString();
  await started.stop();
});
