// A job that was given up: it is logged and counted in /health, can be tried again, and disappears with its record.

import { expect, test } from "bun:test";
import { retryFailedJobs } from "../../src/jobs/queue.ts";
import { MAX_ATTEMPTS } from "../../src/jobs/kinds.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { useServer } from "../helpers/start.ts";

const clock = new ManualClock();
const embedder = fakeEmbedder();
const started = useServer({ clock, embedder });
const { client } = started;
const jobs = async () => (await client("GET", "/health")).body.jobs;

async function fail(): Promise<string> {
  embedder.failure = "the model is broken";
  const { body } = await client("POST", "/v1/documents", { title: "Note", content: "A note." });
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await started.settle();
    clock.advance(120_000);
  }
  await started.settle();
  embedder.failure = undefined;
  return body.data.id;
}

test("a job that was given up can be tried again", async () => {
  await fail();
  expect(await jobs()).toEqual({ queued: 0, running: 0, failed: 1 });
  expect(started.log.join("")).toContain('"outcome":"failed"');
  started.write(retryFailedJobs);
  await started.settle();
  expect(await jobs()).toEqual({ queued: 0, running: 0, failed: 0 });
});

test("it disappears with its document", async () => {
  const id = await fail();
  expect(await jobs()).toEqual({ queued: 0, running: 0, failed: 1 });
  await client("DELETE", `/v1/documents/${id}`);
  await started.settle();
  expect(await jobs()).toEqual({ queued: 0, running: 0, failed: 0 });
});
