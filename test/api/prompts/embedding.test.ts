// The job prompt.index in the real queue: one vector for each prompt, made again only when its text or model changes.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { indexPrompt } from "../../../src/features/prompts/index-job.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type FakeEmbedder, fakeEmbedder } from "../../helpers/embedder.ts";
import { makeTempDir, type Started, startServer } from "../../helpers/start.ts";

let embedder: FakeEmbedder;
let started: Started;
beforeEach(() => {
  embedder = fakeEmbedder();
  started = startServer({ embedder });
});
afterEach(() => started.stop());

interface Stored {
  promptId: string;
  spaceId: number;
  textHash: string;
  embedding: Uint8Array;
}
const vectors = ({ app }: Started) =>
  app.store.sql
    .query<Stored, []>(
      "SELECT prompt_id AS promptId, space_id AS spaceId, text_hash AS textHash, embedding FROM prompt_vectors",
    )
    .all();
const base = { title: "Aardvark", description: "buffalo", content: "crocodile" };
const create = async (body: object = base): Promise<string> =>
  (await started.client("POST", "/v1/prompts", body)).body.data.id;
const patch = (id: string, body: object) => started.client("PATCH", `/v1/prompts/${id}`, body);
const found = async (q: string): Promise<string[]> =>
  (await started.client("GET", `/v1/search?q=${q}&scoreThreshold=0.1`)).body.data.prompts.map(
    ({ promptId }: { promptId: string }) => promptId,
  );

test("title, description and content are in the one vector of a prompt", async () => {
  const id = await create();
  await started.settle();
  expect(vectors(started).map(({ promptId }) => promptId)).toEqual([id]);
  for (const q of ["aardvark", "buffalo", "crocodile"]) expect(await found(q)).toEqual([id]);
  expect(await found("dromedary")).toEqual([]);
});

describe("embedded again", () => {
  test.each([
    ["title", { title: "Dromedary" }],
    ["description", { description: "dromedary" }],
    ["content", { content: "dromedary" }],
  ])("after a change of %s", async (name, change) => {
    const id = await create();
    await started.settle();
    const before = embedder.embedded;
    await patch(id, change);
    await started.settle();
    expect(embedder.embedded).toBe(2 * before);
    expect(vectors(started).length).toBe(1);
    expect(await found("dromedary")).toEqual([id]);
    expect(await found(base[name as keyof typeof base])).toEqual([]);
  });

  test("after a restore", async () => {
    const id = await create();
    const [first] = (await started.client("GET", `/v1/prompts/${id}/versions`)).body.data;
    await patch(id, { content: "dromedary" });
    await started.settle();
    await started.client("POST", `/v1/prompts/${id}/restore`, { versionId: first.id });
    await started.settle();
    expect(await found("crocodile")).toEqual([id]);
    expect(await found("dromedary")).toEqual([]);
  });
});

test.each([
  ["tags", { tags: ["a"] }],
  ["isPublic", { isPublic: true }],
  ["parameters", { parameters: { a: 1 } }],
  ["variables", { variables: [{ name: "a", type: "string" }] }],
  ["nothing", base],
])("not embedded again after a change of %s", async (_name, change) => {
  const id = await create();
  await started.settle();
  const before = { rows: vectors(started), embedded: embedder.embedded };
  await patch(id, change);
  await started.settle();
  expect({ rows: vectors(started), embedded: embedder.embedded }).toEqual(before);
});

describe("a long prompt", () => {
  const LONG = `${"filler words here and there ".repeat(1500)}\n\nzebra`;

  test("is embedded in portions and found by its heading too", async () => {
    const seen: string[] = [];
    const passages = embedder.embedPassages.bind(embedder);
    embedder.embedPassages = async (given) => {
      seen.push(...given.map(({ text }) => text));
      return passages(given);
    };
    const id = await create({ ...base, content: LONG });
    await started.settle();
    const [heading, ...portions] = seen;
    expect(heading).toBe("Aardvark\n\nbuffalo");
    expect(portions.length).toBeGreaterThan(4);
    expect(portions.join("")).toBe(LONG);
    for (const [i, portion] of portions.entries()) {
      expect(portion.length).toBeLessThanOrEqual(8100);
      expect(portion.length).toBeGreaterThan(5000);
      if (i > 0) expect(portion).toMatch(/^\s/);
    }
    const { embedding } = vectors(started)[0]!;
    const vector = new Float32Array(embedding.buffer, embedding.byteOffset, 1536);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    for (const q of ["filler+words", "aardvark", "buffalo"]) expect(await found(q)).toEqual([id]);
  });

  test("without any white space is cut between characters", async () => {
    const content = "👩".repeat(12_001);
    const seen: string[] = [];
    embedder.embedPassages = async (given) => {
      seen.push(...given.map(({ text }) => text));
      return fakeEmbedder().embedPassages(given);
    };
    await create({ ...base, content });
    await started.settle();
    expect(seen.length).toBeGreaterThan(2);
    for (const portion of seen) expect(portion.isWellFormed()).toBe(true);
    expect(seen.slice(1).join("")).toBe(content);
  });

  test("stops between portions when the server stops, and stores nothing", async () => {
    await started.stopJobs();
    const id = await create({ ...base, content: LONG });
    const stopping = new AbortController();
    const passages = embedder.embedPassages.bind(embedder);
    embedder.embedPassages = async (given) => {
      stopping.abort();
      return passages(given);
    };
    await expect(indexPrompt(started.app, id, stopping.signal)).rejects.toThrow();
    expect(embedder.embedded).toBe(1);
    expect(vectors(started)).toEqual([]);
  });
});

describe("while a prompt is being embedded", () => {
  /** Runs `meanwhile` once, after the text is read and before its vector is written. */
  const during = (meanwhile: () => Promise<unknown>) => {
    const passages = embedder.embedPassages.bind(embedder);
    embedder.embedPassages = async (given) => {
      embedder.embedPassages = passages;
      await meanwhile();
      return passages(given);
    };
  };

  test("a change wins", async () => {
    await started.stopJobs();
    const id = await create();
    during(() => patch(id, { content: "dromedary" }));
    await indexPrompt(started.app, id, new AbortController().signal);
    expect(vectors(started)).toEqual([]);
    await indexPrompt(started.app, id, new AbortController().signal);
    expect(await found("dromedary")).toEqual([id]);
  });

  test("a delete wins", async () => {
    await started.stopJobs();
    const id = await create();
    during(() => started.client("DELETE", `/v1/prompts/${id}`));
    await indexPrompt(started.app, id, new AbortController().signal);
    expect(vectors(started)).toEqual([]);
    await indexPrompt(started.app, id, new AbortController().signal);
    expect(embedder.embedded).toBe(2);
  });
});

test("if embedding fails the old vector is still found and the job waits", async () => {
  await started.stop();
  started = startServer({ embedder, clock: new ManualClock() });
  const id = await create();
  await started.settle();
  embedder.failure = "no model";
  expect((await patch(id, { content: "dromedary" })).status).toBe(200);
  await started.settle();
  embedder.failure = undefined;
  expect(await found("crocodile")).toEqual([id]);
  expect((await started.client("GET", "/health")).body.jobs).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("another model at start: prompts are embedded again, also without documents", async () => {
  const dataDir = makeTempDir();
  const first = startServer({ dataDir, embedder: fakeEmbedder("words-1") });
  for (let i = 0; i < 5; i++)
    await first.client("POST", "/v1/prompts", { ...base, title: `Prompt ${i}`, content: `topic ${i}` });
  await first.settle();
  expect(new Set(vectors(first).map(({ spaceId }) => spaceId))).toEqual(new Set([1]));
  await first.stop();

  const next = fakeEmbedder("words-2");
  const second = startServer({ dataDir, embedder: next });
  await second.app.spaces.current();
  await second.settle();
  expect(vectors(second).map(({ spaceId }) => spaceId)).toEqual([2, 2, 2, 2, 2]);
  const { body } = await second.client("GET", "/v1/search?q=topic+3&scoreThreshold=0.1");
  expect(body.data.prompts[0].title).toBe("Prompt 3");
  await second.stop();
  rmSync(dataDir, { recursive: true });
});
