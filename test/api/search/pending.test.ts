// meta.pending: how many of the caller's records are not completely indexed yet, in searches, answers and the console's
// status.

import { expect, test } from "bun:test";
import { fakeEmbedder } from "../../helpers/embedder.ts";
import { useServer } from "../../helpers/start.ts";

const words = fakeEmbedder();
/** Resolved when the test lets passages be embedded. */
const embedding = Promise.withResolvers<void>();
const embedder: typeof words = {
  ...words,
  async embedPassages(passages) {
    await embedding.promise;
    return words.embedPassages(passages);
  },
};
const started = useServer({ embedder });
const { client, create } = started;
const other = started.clientOf("other@example.org");

const pendingOf = async (from = client) => {
  const [search, disclosure, answer] = [
    await from("GET", "/v1/search?q=zebra"),
    await from("POST", "/v1/pd/search", { query: "zebra" }),
    await from("POST", "/v1/reason", { query: "zebra" }),
  ];
  const counts = [search.body, disclosure.body.data, answer.body.data].map(({ meta }) => meta.pending);
  expect(new Set(counts).size).toBe(1);
  return counts[0];
};

test("counts the caller's records until they are indexed, and is omitted when there are none", async () => {
  expect(await pendingOf()).toBeUndefined();
  await create("/v1/documents", { title: "One", content: "zebra" });
  await create("/v1/documents", { title: "Two", content: "zebra", metadata: { importHash: "sha256:1" } });
  await create("/v1/prompts", { title: "Three", description: "", content: "zebra" });
  expect(await pendingOf()).toBe(3);
  expect(await pendingOf(other)).toBeUndefined();
  embedding.resolve();
  await started.settle();
  expect(await pendingOf()).toBeUndefined();
});
