// A document is found at every moment of its updates: in its old or its new revision, never in neither.

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { type Started, startServer } from "../helpers/start.ts";

/** More than the limit of a search: the document must not be found only because everything is. */
const OTHERS = 60;
const LIMIT = 50;
/** More than two groups of 48 chunks, so that an update is written in several steps. */
const FILLER = Array.from({ length: 100 }, (_, i) => `Paragraph ${i} is about another subject.`).join("\n\n");

const embedder = fakeEmbedder();
const { embedQuery, embedPassages } = embedder;
let started: Started;
let path: string;
let round = 0;

const textOf = (number: number) => `the walrus sleeps, round ${number}\n\n${FILLER}`;

beforeAll(async () => {
  started = startServer({ embedder });
  const { client } = started;
  const { body } = await client("POST", "/v1/documents", { title: "Walrus", content: textOf(0) });
  path = `/v1/documents/${body.data.id}`;
  for (let i = 0; i < OTHERS; i++)
    await client("POST", "/v1/documents", { title: `Other ${i}`, content: "a walrus" });
  await started.settle();
});
afterAll(() => started.stop());
beforeEach(() => Object.assign(embedder, { embedQuery, embedPassages }));

/** Updates the document; the new revision is indexed when this resolves. */
async function update(): Promise<void> {
  const { status } = await started.client("PATCH", path, { content: textOf(++round) });
  expect(status).toBe(200);
  await started.settle();
}

/** Searches documents and chunks. Returns the rounds that they found. */
async function search(): Promise<number[]> {
  const { client } = started;
  const isDocument = ({ documentId }: { documentId: string }) => path.endsWith(documentId);
  const found = await client("GET", `/v1/search?q=walrus%20sleeps%20round&type=documents&limit=${LIMIT}`);
  const chunks = await client("POST", "/v1/pd/search", {
    query: "walrus sleeps round",
    limit: LIMIT,
    detailLevel: "full",
  });
  const texts = [
    found.body.data.documents.find(isDocument)?.highlight,
    chunks.body.data.results.find(isDocument)?.content,
  ];
  return texts.map((text) => Number(/round (\d+)/.exec(text)?.[1]));
}

test("a search before every step of an update finds the old revision, and a search after it the new one", async () => {
  let steps = 0;
  for (let i = 0; i < 3; i++) {
    const old = round;
    embedder.embedPassages = async (passages) => {
      steps++;
      expect(await search()).toEqual([old, old]);
      return embedPassages.call(embedder, passages);
    };
    await update();
    expect(await search()).toEqual([old + 1, old + 1]);
  }
  expect(steps).toBe(9);
});

test("a search during which the document is updated finds it", async () => {
  for (let i = 0; i < 3; i++) {
    const old = round;
    embedder.embedQuery = async (text) => {
      embedder.embedQuery = embedQuery;
      await update();
      return embedQuery.call(embedder, text);
    };
    expect(await search()).toEqual([old + 1, old + 1]);
  }
});

/** Runs `action` with a function of the search worker replaced. */
async function replacingCall(
  replaced: Partial<Started["app"]["searchWorker"]["call"]>,
  action: () => Promise<void>,
): Promise<void> {
  const { searchWorker } = started.app;
  const { call } = searchWorker;
  const { prepare, chunks, records } = call;
  Object.assign(searchWorker, { call: { prepare, chunks, records, ...replaced } });
  try {
    await action();
  } finally {
    Object.assign(searchWorker, { call });
  }
}

test.each([1, 5])(
  "a search of chunks finds it when it is updated between ranking and reading, %d times",
  async (times) => {
    const { call } = started.app.searchWorker;
    const first = round;
    let left = times;
    const chunks: typeof call.chunks = async (query) => {
      const hits = await call.chunks(query);
      if (left-- > 0) await update();
      return hits;
    };
    await replacingCall({ chunks }, async () => {
      const [, found] = await search();
      expect(found).toBeGreaterThan(first);
    });
    expect(round).toBeGreaterThan(first);
  },
);

test("a search of documents that is answered after an update finds the old revision, the next one the new one", async () => {
  const { call } = started.app.searchWorker;
  const old = round;
  const records: typeof call.records = async (query) => {
    const found = await call.records(query);
    await update();
    return found;
  };
  await replacingCall({ records }, async () => {
    const [found] = await search();
    expect(found).toBe(old);
  });
  expect(await search()).toEqual([old + 1, old + 1]);
});

test("searches beside updates find the document, and no later search finds an older revision", async () => {
  let last = round;
  for (let i = 0; i < 10; i++) {
    const updating = update();
    for (let j = 0; j < 3; j++) {
      for (const found of await search()) {
        expect(found).toBeGreaterThanOrEqual(last);
        last = found;
      }
    }
    await updating;
  }
});
