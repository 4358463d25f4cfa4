// A store becomes multilingual with its first record or query that is not English, with both shipped models: search
// works meanwhile, and a question in one language finds texts in another.

import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { multilingualDirectory } from "../../src/base/models.ts";
import { type Embedder, openEmbedder } from "../../src/engine/embedding/embedder.ts";
import { floatsOf } from "../../src/retrieval/vectors/dense.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { fakeEmbedder, sharedRealEmbedder } from "../helpers/embedder.ts";
import { cosine } from "../unit/embedding/vectors.ts";
import { makeTempDir, type Started, type StartOptions, startServer } from "../helpers/start.ts";

const root = makeTempDir();
const second = openEmbedder({ modelDirectory: multilingualDirectory(), runtime: { kind: "native" } });
afterAll(async () => {
  await second.close();
  rmSync(root, { recursive: true });
});
const start = (options: StartOptions = {}) =>
  startServer({ realModel: true, secondEmbedder: { ...second, close: async () => {} }, ...options });

const LEASE =
  "The tenant may end the lease with three months' notice. The deposit is returned within six weeks.";
const TEA =
  "The kettle whistles when the water boils. Green tea should steep for two minutes at eighty degrees.";
const GERMAN = "Wie lange ist die Kündigungsfrist der Wohnung?";

const addEnglish = async ({ client, settle }: Started) => {
  await client("POST", "/v1/documents", { title: "Lease of flat 7", content: LEASE });
  await client("POST", "/v1/documents", { title: "Tea", content: TEA });
  await client("POST", "/v1/prompts", { title: "Summary", content: "Summarise the minutes of the meeting." });
  await settle();
};
const titles = async ({ client }: Started, query: string) => {
  const { body } = await client("GET", `/v1/search?q=${encodeURIComponent(query)}`);
  return body.data.documents.map(({ title }: { title: string }) => title);
};
const multilingual = async ({ client }: Started) =>
  (await client("GET", "/console/api/status")).body.data.multilingual;
/** The folders of the models of live documents and of prompts, each once. */
const modelsOf = ({ app }: Started) =>
  app.store.sql
    .query<{ name: string }, []>(
      `SELECT name FROM embedding_spaces WHERE id IN (SELECT space_id FROM index_generations WHERE state = 'live')
       UNION SELECT name FROM embedding_spaces WHERE id IN (SELECT space_id FROM prompt_vectors)`,
    )
    .all()
    .map(({ name }) => name);
/** The texts of all chunks with vectors, and the vectors. */
const vectorsOf = ({ app }: Started) =>
  app.store.sql
    .query<{ text: string; embedding: Uint8Array }, []>(
      `SELECT text, embedding FROM chunk_bits JOIN chunk_vectors ON chunk_vectors.key = vector_key
       JOIN chunks ON chunks.key = chunk_key JOIN index_generations ON index_generations.id = chunks.generation_id
       WHERE state = 'live' ORDER BY text, vector_key`,
    )
    .all()
    .map(({ text, embedding }) => ({ text, vector: floatsOf(embedding) }));
const BOTH = ["all-MiniLM-L6-v2 + multilingual-e5-small"];

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600 && !(await condition()); i++) await Bun.sleep(50);
  expect(await condition()).toBe(true);
}

test("English records and queries leave the second model alone", async () => {
  const server = start();
  await addEnglish(server);
  expect(await titles(server, "when is the lease over")).toEqual(["Lease of flat 7"]);
  expect(await multilingual(server)).toBeNull();
  expect(modelsOf(server)).toEqual(["all-MiniLM-L6-v2"]);
  await server.stop();
});

test("a query in another language makes the store multilingual for good", async () => {
  const dataDir = `${root}/query`;
  const ofDocuments = (texts: readonly string[]) => texts.filter((text) => text === LEASE || text === TEA);
  const read: string[] = [];
  const first = sharedRealEmbedder();
  const embedPassages: Embedder["embedPassages"] = (passages, lane) => {
    read.push(...passages.map(({ text }) => text));
    return first.embedPassages(passages, lane);
  };
  const server = start({ dataDir, embedder: { ...first, embedPassages } });
  await addEnglish(server);
  const vectors = vectorsOf(server);
  await titles(server, GERMAN);
  await until(async () => (await multilingual(server)) !== null);
  // Words and the first model find what the second one has not read yet.
  expect(await titles(server, "when is the lease over")).toEqual(["Lease of flat 7"]);
  await server.settle();
  expect(await multilingual(server)).toEqual({ waiting: 0 });
  expect(modelsOf(server)).toEqual(BOTH);
  // The first model's vectors of documents are used again.
  expect(ofDocuments(read)).toHaveLength(2);
  expect((await titles(server, GERMAN))[0]).toBe("Lease of flat 7");
  expect((await titles(server, "когда закипает вода"))[0]).toBe("Tea");
  expect((await titles(server, "when is the lease over"))[0]).toBe("Lease of flat 7");
  await server.stop();

  const again = start({ dataDir });
  expect(await multilingual(again)).toEqual({ waiting: 0 });
  expect((await titles(again, GERMAN))[0]).toBe("Lease of flat 7");
  await again.settle();
  expect(modelsOf(again)).toEqual(BOTH);
  await again.stop();

  read.length = 0;
  const english = start({
    dataDir,
    embedder: { ...first, embedPassages },
    settings: { languages: "english" },
  });
  expect(await multilingual(english)).toBeNull();
  await english.app.spaces.current();
  await until(async () => modelsOf(english).join() === "all-MiniLM-L6-v2");
  // Its part of the stored vectors is used again, as it was.
  expect(ofDocuments(read)).toEqual([]);
  const restored = vectorsOf(english);
  expect(restored.map(({ text }) => text)).toEqual(vectors.map(({ text }) => text));
  for (const [i, { vector }] of restored.entries())
    expect(cosine(vector, vectors[i]!.vector)).toBeGreaterThan(0.99999);
  expect(await titles(english, "when is the lease over")).toEqual(["Lease of flat 7"]);
  await english.stop();
});

test("a record in another language does, too, and is found from both languages", async () => {
  const server = start();
  await addEnglish(server);
  const content =
    "Чайник свистит, когда вода закипает. Зелёный чай заваривают две минуты при восьмидесяти градусах.";
  await server.client("POST", "/v1/documents", { title: "Чай", content });
  await server.settle();
  await until(async () => (await multilingual(server))?.waiting === 0);
  expect(modelsOf(server)).toEqual(BOTH);
  expect((await titles(server, "как долго заваривать зелёный чай"))[0]).toBe("Чай");
  expect(await titles(server, "how long does green tea steep")).toEqual(
    expect.arrayContaining(["Tea", "Чай"]),
  );
  // English notes score as in an English store: one about something else is not found.
  expect(await titles(server, "when is the lease over")).toEqual(["Lease of flat 7"]);
  await server.stop();
});

test("with --languages all the second model reads every record from the start", async () => {
  const server = start({ settings: { languages: "all" } });
  await addEnglish(server);
  expect(modelsOf(server)).toEqual(BOTH);
  await server.stop();
});

test("a second model that cannot be loaded leaves the store as it was, and the log says why", async () => {
  const broken: Embedder = {
    ...fakeEmbedder(),
    describe: async () => {
      throw new Failure("unavailable", "its folder is empty");
    },
  };
  const server = start({ secondEmbedder: broken });
  await addEnglish(server);
  await server.client("POST", "/v1/documents", {
    title: "Чай",
    content: "Чайник свистит, когда вода закипает.",
  });
  await server.settle();
  expect(await titles(server, "when is the lease over")).toEqual(["Lease of flat 7"]);
  expect(await titles(server, "свистит чайник")).toEqual(["Чай"]);
  expect(await multilingual(server)).toBeNull();
  expect(server.log.some((line) => line.includes("its folder is empty"))).toBe(true);
  await server.stop();
});
