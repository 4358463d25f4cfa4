// Another embedding model at start: everything is embedded again in the background; until then the old vectors are
// searched.

import { expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir, startServer } from "../helpers/start.ts";

test("the index stores model, revision and dimension; with a new revision everything is embedded again, once", async () => {
  const dataDir = makeTempDir();
  const first = startServer({ dataDir, embedder: fakeEmbedder("words-1") });
  for (let i = 0; i < 20; i++)
    await first.client("POST", "/v1/documents", { title: `Doc ${i}`, content: `topic ${i}` });
  await first.settle();
  const spaces = () =>
    first.app.store.sql.query("SELECT id, name, revision, dimension FROM embedding_spaces").all();
  expect(spaces()).toEqual([{ id: 1, name: "words", revision: "words-1", dimension: 1536 }]);
  await first.stop();

  const next = fakeEmbedder("words-2");
  const second = startServer({ dataDir, embedder: next });
  const live = () =>
    second.app.store.sql
      .query<{ space: number; n: number }, []>(
        "SELECT space_id AS space, count(*) AS n FROM index_generations WHERE state = 'live' GROUP BY space_id",
      )
      .all();
  await second.app.spaces.current();
  await second.settle();
  expect(live()).toEqual([{ space: 2, n: 20 }]);
  expect(next.embedded).toBe(20);
  const { body } = await second.client("GET", "/v1/search?q=topic+7&scoreThreshold=0.1");
  expect(body.data.documents[0].title).toBe("Doc 7");
  await second.stop();

  const third = startServer({ dataDir, embedder: fakeEmbedder("words-2") });
  await third.app.spaces.current();
  await third.settle();
  expect(third.app.store.sql.query("SELECT count(*) AS n FROM index_generations").get()).toEqual({ n: 20 });
  await third.stop();
  rmSync(dataDir, { recursive: true });
});

test("--models-dir selects another model; without it the program uses the shipped model again", async () => {
  const root = makeTempDir();
  const dataDir = join(root, "data");
  // The same network under another digest: its file also names the tool that made it.
  const other = join(root, "models", "another-model");
  cpSync(resolve(import.meta.dir, "../../models/all-MiniLM-L6-v2"), other, { recursive: true });
  const weights = join(other, "onnx", "model_quantized.onnx");
  const bytes = Buffer.from(await Bun.file(weights).bytes());
  const producer = bytes.indexOf("onnx.quantize");
  expect(producer).toBeGreaterThan(0);
  bytes.write("ONNX.QUANTIZE", producer);
  await Bun.write(weights, bytes);

  const { stdout } = await runProgram(["keys", "create", "--data-dir", dataDir]);
  const search = async (url: string) => {
    const { body } = await createClient(url, stdout.trim())("GET", "/v1/search?q=when+is+the+water+hot");
    return body.data.documents.map(({ title }: { title: string }) => title);
  };
  const spaceOf = async () => {
    const { Database } = await import("bun:sqlite");
    const database = new Database(join(dataDir, "ctxrepo.db"), { readonly: true });
    const row = database
      .query(
        "SELECT s.name FROM index_generations AS g JOIN embedding_spaces AS s ON s.id = g.space_id WHERE g.state = 'live'",
      )
      .get();
    database.close();
    return row;
  };
  const first = await serveProgram(dataDir);
  await createClient(first.url, stdout.trim())("POST", "/v1/documents", {
    title: "Tea",
    content: "The kettle whistles when the water boils.",
  });
  await untilIndexed(first.url);
  await first.kill("SIGTERM");
  for (const [args, name] of [
    [["--models-dir", join(root, "models")], "another-model"],
    [[], "all-MiniLM-L6-v2"],
  ] as const) {
    const server = await serveProgram(dataDir, [...args]);
    expect(await search(server.url)).toEqual(["Tea"]);
    await untilIndexed(server.url);
    expect(await search(server.url)).toEqual(["Tea"]);
    await server.kill("SIGTERM");
    expect(await spaceOf()).toEqual({ name });
  }
  rmSync(root, { recursive: true });
});
