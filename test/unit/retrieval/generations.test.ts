// Index generations through the index job: what is visible at each moment, what is deleted, what is not embedded twice.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { indexDocument } from "../../../src/features/chunks/index-job.ts";
import { putBody } from "../../../src/features/documents/store.ts";
import { enqueue } from "../../../src/jobs/queue.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { contentHash } from "../../../src/kernel/hash.ts";
import { type FakeEmbedder, fakeEmbedder } from "../../helpers/embedder.ts";
import { type Started, startServer } from "../../helpers/start.ts";

let embedder: FakeEmbedder;
let started: Started;
beforeEach(() => {
  embedder = fakeEmbedder();
  started = startServer({ embedder });
});
afterEach(() => started.stop());

const create = async (title: string, content: string) =>
  (await started.client("POST", "/v1/documents", { title, content })).body.data.id as string;

/** A new revision of a document, as an update will write it. */
function revise(id: string, change: { title?: string; content?: string }): void {
  started.write((write) => {
    if (change.content !== undefined) {
      putBody(write, id, change.content);
      write.sql
        .query("UPDATE documents SET content_hash = ? WHERE id = ?")
        .run(contentHash(change.content), id);
    }
    if (change.title !== undefined)
      write.sql.query("UPDATE documents SET title = ? WHERE id = ?").run(change.title, id);
    write.sql.query("UPDATE documents SET revision = revision + 1 WHERE id = ?").run(id);
    enqueue(write, "document.index", id);
  });
  started.app.jobs.wake();
}

const rows = (table: string, where = "1") =>
  started.app.store.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()!
    .n;
const found = async (q: string, semantic: boolean) =>
  (
    await started.client(
      "GET",
      `/v1/search?q=${encodeURIComponent(q)}&semantic=${semantic}&scoreThreshold=0.2`,
    )
  ).body.data.documents.length;

test("an update becomes visible as a whole and nothing of the old revision is left", async () => {
  const id = await create("Doc", "# A\n\naardvark here\n\n# B\n\nbuffalo there");
  await started.settle();
  expect(await found("aardvark", true)).toBe(1);
  revise(id, { content: "# C\n\ncrocodile now" });
  await started.settle();
  for (const semantic of [true, false]) {
    expect(await found("crocodile now", semantic)).toBe(1);
    expect(await found("aardvark", semantic)).toBe(0);
  }
  expect(rows("index_generations")).toBe(1);
  expect(rows("chunks")).toBe(3);
  expect(rows("chunk_vectors")).toBe(rows("chunk_bits"));
  expect(rows("chunk_trigrams", "chunk_trigrams MATCH '\"aar\"'")).toBe(0);
  expect(rows("chunk_words", "chunk_words MATCH 'buffalo'")).toBe(0);
});

test("a revision that changes neither title nor content is not embedded again", async () => {
  const id = await create("Doc", "aardvark here");
  await started.settle();
  const before = embedder.embedded;
  revise(id, {});
  await started.settle();
  expect(embedder.embedded).toBe(before);
  expect(started.app.store.sql.query("SELECT revision FROM index_generations").all()).toEqual([
    { revision: 1 },
  ]);
});

test("a new title is indexed again, because it is embedded with every paragraph", async () => {
  const id = await create("Doc", "aardvark here");
  await started.settle();
  revise(id, { title: "Zoology" });
  await started.settle();
  expect(await found("zoology", true)).toBe(1);
  expect(await found("zoology", false)).toBe(1);
});

test("an index of a revision that was replaced meanwhile is not published", async () => {
  await started.stopJobs();
  const id = await create("Doc", "aardvark here");
  const passages = embedder.embedPassages.bind(embedder);
  embedder.embedPassages = async (given) => {
    const result = await passages(given);
    revise(id, { content: "buffalo there" });
    embedder.embedPassages = passages;
    return result;
  };
  await indexDocument(started.app, id, new AbortController().signal);
  expect(rows("index_generations", "state = 'live'")).toBe(0);
  expect(rows("index_generations", "state = 'dead'")).toBe(1);
  await indexDocument(started.app, id, new AbortController().signal);
  expect(await found("buffalo", true)).toBe(1);
  expect(await found("aardvark", true)).toBe(0);
});

test("a document deleted while it is indexed leaves nothing that is found", async () => {
  await started.stopJobs();
  const id = await create("Doc", "aardvark here");
  const passages = embedder.embedPassages.bind(embedder);
  embedder.embedPassages = async (given) => {
    await started.client("DELETE", `/v1/documents/${id}`);
    return passages(given);
  };
  await indexDocument(started.app, id, new AbortController().signal);
  expect(rows("index_generations", "state = 'live'")).toBe(0);
  expect(await found("aardvark", true)).toBe(0);
});

test("an embedder that fails leaves the old index serving and the job waiting", async () => {
  await started.stop();
  started = startServer({ embedder, clock: new ManualClock() });
  const id = await create("Doc", "aardvark here");
  await started.settle();
  embedder.failure = "no model";
  revise(id, { content: "buffalo there" });
  await started.settle();
  embedder.failure = undefined;
  expect(await found("aardvark", true)).toBe(1);
  expect((await started.client("GET", "/health")).body.jobs).toEqual({ queued: 1, running: 0, failed: 0 });
});

test("a section of several paragraphs has a vector of its own, one of a single paragraph has not", async () => {
  await create("Doc", "# One\n\nalpha\n\n# Two\n\nbeta\n\ngamma\n\n# Three\n\n");
  await started.settle();
  const embedded = started.app.store.sql
    .query<{ text: string }, []>(
      "SELECT c.text FROM chunk_bits AS b JOIN chunks AS c ON c.key = b.chunk_key ORDER BY c.key",
    )
    .all()
    .map(({ text }) => text);
  expect(embedded).toEqual(["alpha", "# Two", "beta", "gamma", "# Three"]);
});

test("a large document is written in slices of 8 ms, one transaction each", async () => {
  // Every step of a write takes a millisecond: the clock is read once at its start and after each step.
  const clock = new ManualClock();
  const { monotonic } = clock;
  clock.monotonic = () => {
    clock.advance(1);
    return monotonic.call(clock);
  };
  const paragraphs = Array.from(
    { length: 1_000 },
    (_, i) => `Paragraph number ${i} is about topic ${i % 7}.`,
  );
  const { store, spaces, chunkingWorker } = started.app;
  await started.stopJobs();
  const id = await create("Large", paragraphs.join("\n\n"));
  const chunks = () => rows("chunks");
  const sizes: number[] = [];
  const write: typeof store.write = (action) => {
    const before = chunks();
    const result = store.write(action);
    sizes.push(chunks() - before);
    return result;
  };
  const deps = { store: { ...store, write }, spaces, embedder, chunkingWorker, clock };
  await indexDocument(deps, id, new AbortController().signal);
  expect(chunks()).toBe(1_001);
  expect(Math.max(...sizes)).toBe(8);
});

test("a document deleted in the middle of being indexed leaves no row, and nobody finds its text", async () => {
  const secret = Array.from(
    { length: 600 },
    (_, i) => `# Part ${i}\n\nThe merger codename is blueheron ${i}.`,
  ).join("\n\n");
  const id = await create("Secret", secret);
  const passages = embedder.embedPassages.bind(embedder);
  let groups = 0;
  embedder.embedPassages = async (given) => {
    if (++groups === 5) await started.client("DELETE", `/v1/documents/${id}`);
    return passages(given);
  };
  await started.settle();
  expect(groups).toBe(5);
  embedder.embedPassages = passages;
  for (const table of ["index_generations", "chunks", "chunk_bits", "chunk_vectors"])
    expect([table, rows(table)]).toEqual([table, 0]);
  expect(rows("chunk_trigrams", "chunk_trigrams MATCH '\"lue\"'")).toBe(0);
  const other = started.clientOf("other@example.org");
  await other("POST", "/v1/documents", { title: "Bob", content: "Groceries: milk and eggs." });
  await started.settle();
  for (const semantic of [true, false]) {
    const { body } = await other("GET", `/v1/search?q=blueheron&semantic=${semantic}&scoreThreshold=0.2`);
    expect(body.data.documents).toEqual([]);
  }
});
