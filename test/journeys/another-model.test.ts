// Another embedding model at start: everything is embedded again in the background while the old vectors serve.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { makeTempDir, startServer } from "../helpers/start.ts";

test("model, revision and dimension stand with the index, and a new revision re-embeds what the old one made", async () => {
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
