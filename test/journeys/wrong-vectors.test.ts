// A machine on which the model computes wrong vectors: the server works without semantic search, says why, and stores
// none.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const REASON = "semantic search is degraded: the embedding model computes wrong vectors on this machine";

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
  expect(search.body.error.message).toBe(REASON);
  expect((await client("POST", "/v1/pd/search", { query: "hot water" })).body.error.message).toBe(REASON);
  const health = (await (await fetch(`${server.url}/health`)).json()) as Record<string, unknown>;
  expect(health).toMatchObject({
    status: "degraded",
    embedder: "degraded",
    database: "ok",
    problems: [REASON],
  });
  const literal = await client("GET", "/v1/search?q=kettle&semantic=false");
  expect(literal.body.data.documents).toHaveLength(1);
  const doctor = await runProgram(["doctor", "--data-dir", dataDir, "--models-dir", model, "--json"]);
  expect(JSON.parse(doctor.stdout)).toContainEqual(
    expect.objectContaining({
      name: "model",
      status: "fail",
      detail: expect.stringMatching(/^semantic search is degraded: .* instead of 0\.2000, 0\.2000, 0\.2000$/),
    }),
  );
  const read = await client("GET", `/v1/documents/${created.body.data.id}`);
  expect(read.body.data.content).toBe("The kettle whistles.");
  await server.kill("SIGTERM");
  expect(server.stderr()).toContain("computes wrong vectors on this machine");

  const database = new Database(databasePath(dataDir), { readonly: true });
  for (const table of ["chunk_vectors", "chunk_bits", "prompt_vectors", "embedding_spaces"])
    expect(database.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
  database.close();
  rmSync(root, { recursive: true });
});
