// A machine on which the model computes wrong vectors: the server works without semantic search, says why, and stores none.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

test("semantic search is degraded with the reason, and no vectors are stored", async () => {
  const root = makeTempDir();
  const dataDir = join(root, "data");
  const model = join(root, "model");
  cpSync(resolve(import.meta.dir, "../../models/all-MiniLM-L6-v2"), model, { recursive: true });
  const selfTest = JSON.parse(readFileSync(join(model, "self-test.json"), "utf8"));
  // To the program this is the same as a machine with other results.
  writeFileSync(join(model, "self-test.json"), JSON.stringify({ ...selfTest, cosines: [0.2, 0.2, 0.2] }));

  const { stdout } = await runProgram(["keys", "create", "--data-dir", dataDir]);
  const server = await serveProgram(dataDir, ["--models-dir", model]);
  const client = createClient(server.url, stdout.trim());
  const created = await client("POST", "/v1/documents", { title: "Tea", content: "The kettle whistles." });
  expect(created.status).toBe(201);
  const search = await client("GET", "/v1/search?q=hot+water");
  expect(search.status).toBe(500);
  const health = (await (await fetch(`${server.url}/health`)).json()) as Record<string, unknown>;
  expect(health).toMatchObject({ status: "degraded", embedder: "degraded", database: "ok" });
  const read = await client("GET", `/v1/documents/${created.body.data.id}`);
  expect(read.body.data.content).toBe("The kettle whistles.");
  await server.kill("SIGTERM");
  expect(server.stderr()).toContain("computes wrong vectors on this machine");

  const database = new Database(databasePath(dataDir), { readonly: true });
  for (const table of ["chunk_vectors", "chunk_bits", "prompt_vectors", "embedding_spaces"])
    expect(database.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
  database.close();
  rmSync(root, { recursive: true });
}, 60_000);
