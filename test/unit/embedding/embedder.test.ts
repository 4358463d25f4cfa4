// The client of the embedding worker: queries take precedence, the state is correct, a worker that crashes is replaced.

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCalibration } from "../../../src/engine/embedding/calibration.ts";
import { type Embedder, openEmbedder } from "../../../src/engine/embedding/embedder.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { sharedRealEmbedder } from "../../helpers/embedder.ts";
import { failureOf } from "../../helpers/failure-of.ts";
import { cosine } from "./vectors.ts";

const MODEL = join(import.meta.dir, "../../../models/all-MiniLM-L6-v2");
const ENTRY = join(import.meta.dir, "../../../src/workers/entry.ts");
const FAKE_WORKER = join(import.meta.dir, "fake-worker.ts");
const PARAGRAPH =
  "The study compares five cataloguing rules over ten years and finds that none of them survives a change of staff. " +
  "Readers were asked what they remembered of a book; most named the colour of its cover and the shelf it stood on. ";

const folder = mkdtempSync(join(tmpdir(), "ctxrepo-embedder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: Embedder[] = [];
afterEach(() => {
  for (const embedder of opened.splice(0)) embedder.close();
});

/** An embedder on a manual clock, with the workers that it created and the messages that it sent to them. */
function open({ modelDirectory = MODEL, script = ENTRY } = {}) {
  const clock = new ManualClock();
  const workers: Worker[] = [];
  const sent: string[] = [];
  const spawn = () => {
    const worker = new Worker(script);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: { role?: string; name?: string }) => {
      sent.push(message.role ?? message.name ?? "");
      post(message);
    };
    workers.push(worker);
    return worker;
  };
  const embedder = openEmbedder({ spawn, modelDirectory, runtime: { kind: "native" }, clock });
  opened.push(embedder);
  /** Terminates the latest worker, as if it had crashed. A real one must be idle: see `shutDown` in embedder.ts. */
  const kill = async () => {
    const worker = workers.at(-1)!;
    const gone = new Promise((resolve) => worker.addEventListener("close", resolve));
    worker.terminate();
    await gone;
  };
  return { embedder, clock, workers, sent, kill };
}

describe("work", () => {
  test("each of ten queries in a row is answered before 200 passages are embedded, which are four calls", async () => {
    const embedder = sharedRealEmbedder();
    const passages = Array.from({ length: 200 }, (_, i) => ({
      context: `Report ${i}`,
      text: PARAGRAPH,
    }));
    const events: string[] = [];
    const indexing = embedder.embedPassages(passages).finally(() => events.push("passages"));
    for (let i = 0; i < 10; i++) {
      await embedder.embedQuery(`what do readers remember, ${i}`);
      events.push("query");
    }
    const { windows } = await indexing;
    expect(windows).toHaveLength(200);
    expect(events).toEqual([...Array(10).fill("query"), "passages"]);
  });

  test("sends a repeated query to the worker once, and never after closing", async () => {
    const { embedder, sent } = open({ script: FAKE_WORKER });
    const [first, second] = await Promise.all([1, 2].map(() => embedder.embedQuery("green tea")));
    expect(second).toBe(first!);
    expect(await embedder.embedQuery("green tea")).toBe(first!);
    expect(sent).toEqual(["embedding", "describe", "embedQuery"]);
    await embedder.close();
    expect(await failureOf(embedder.embedQuery("green tea"))).toMatchObject({ kind: "unavailable" });
  });

  test("the passage that answers a query scores above 0.35, others below", async () => {
    const embedder = sharedRealEmbedder();
    const query = await embedder.embedQuery("colour of the book cover");
    const texts = [PARAGRAPH, "Shock waves form at the leading edge.", "Rain is expected in the north."];
    const { windows, tokens } = await embedder.embedPassages(texts.map((text) => ({ context: "", text })));
    const score = createCalibration((await embedder.describe()).calibration.points);
    const scores = windows.map(([window]) => score(cosine(query, window!)));
    expect(scores[0]).toBeGreaterThan(0.35);
    expect(Math.max(scores[1]!, scores[2]!)).toBeLessThan(0.35);
    expect(tokens).toBeGreaterThan(60);
  });
});

describe("state", () => {
  test("is loading until the worker has described the model, then ok", async () => {
    const { embedder } = open({ script: FAKE_WORKER });
    expect(embedder.state()).toBe("loading");
    expect((await embedder.describe()).dimension).toBe(384);
    expect(embedder.state()).toBe("ok");
  });

  test("is degraded while a call is overdue", async () => {
    const { embedder, clock } = open({ script: FAKE_WORKER });
    await embedder.describe();
    const query = embedder.embedQuery("slow");
    clock.advance(30_000);
    expect(embedder.state()).toBe("ok");
    clock.advance(100);
    expect(embedder.state()).toBe("degraded");
    await query;
    expect(embedder.state()).toBe("ok");
  });

  test("sends one query as a probe after a minute without calls", async () => {
    const { embedder, clock, sent } = open({ script: FAKE_WORKER });
    await embedder.describe();
    expect(embedder.state()).toBe("ok");
    clock.advance(59_999);
    embedder.state();
    await embedder.describe();
    expect(sent).toEqual(["embedding", "describe"]);
    clock.advance(1);
    expect(embedder.state()).toBe("ok");
    embedder.state();
    await embedder.embedQuery("one more, behind it");
    expect(sent).toEqual(["embedding", "describe", "embedQuery", "embedQuery"]);
  });
});

describe("a worker that crashes", () => {
  test("is replaced at once, and after the back-off when it crashes again", async () => {
    const { embedder, clock, workers, kill } = open({ script: FAKE_WORKER });
    const before = await embedder.embedQuery("swept wings");
    await kill();
    expect(embedder.state()).toBe("degraded");
    expect(await embedder.embedQuery("swept wings")).toEqual(before);
    expect(embedder.state()).toBe("ok");
    expect(workers.length).toBe(2);

    await kill();
    expect(embedder.state()).toBe("degraded");
    expect(await failureOf(embedder.embedQuery("swept wings"))).toMatchObject({ kind: "unavailable" });
    expect(workers.length).toBe(2);
    clock.advance(1_000);
    expect(embedder.state()).toBe("degraded");
    expect(workers.length).toBe(3);
    expect(await embedder.embedQuery("swept wings")).toEqual(before);
    expect(embedder.state()).toBe("ok");
  });

  test("fails its calls in flight", async () => {
    const { embedder, clock, kill } = open({
      script: URL.createObjectURL(new Blob(["self.onmessage = () => {};"])),
    });
    const query = failureOf(embedder.embedQuery("lost"));
    expect(embedder.state()).toBe("loading");
    clock.advance(30_001);
    expect(embedder.state()).toBe("degraded");
    await kill();
    expect(await query).toMatchObject({ kind: "unavailable", message: "the embedding worker ended" });
  });
});

describe("a folder without a model", () => {
  test("names the missing file, is degraded, and loads the model once the folder is complete", async () => {
    const { embedder, clock } = open({ modelDirectory: folder });
    expect(await failureOf(embedder.describe())).toMatchObject({
      kind: "unavailable",
      message: `the embedding model in ${folder} cannot be used: config.json is missing`,
    });
    expect(embedder.state()).toBe("degraded");
    expect(await failureOf(embedder.embedQuery("a"))).toMatchObject({
      message: expect.stringContaining("config.json is missing"),
    });

    cpSync(MODEL, folder, { recursive: true });
    clock.advance(60_000);
    await embedder.embedQuery("a");
    expect(embedder.state()).toBe("ok");
  });

  test("names the folder if the weights are damaged", async () => {
    await Bun.write(join(folder, "onnx", "model_quantized.onnx"), "not a model");
    const { embedder } = open({ modelDirectory: folder });
    expect(await failureOf(embedder.describe())).toMatchObject({
      message: expect.stringContaining(`the embedding model in ${folder} cannot be used: `),
    });
    expect(embedder.state()).toBe("degraded");
  });
});

test("close rejects waiting calls and ends the worker, in the middle of indexing too", async () => {
  const { embedder, workers } = open();
  await embedder.describe();
  const gone = new Promise((resolve) => workers[0]!.addEventListener("close", resolve));
  const passages = Array.from({ length: 60 }, () => ({ context: "", text: PARAGRAPH.repeat(4) }));
  const indexing = embedder.embedPassages(passages);
  await embedder.embedQuery("indexing has started");
  embedder.close();
  expect(await failureOf(indexing)).toMatchObject({ kind: "unavailable" });
  await gone;
  expect(embedder.state()).toBe("degraded");
  expect(await failureOf(embedder.embedQuery("late"))).toMatchObject({ kind: "unavailable" });
  expect(await failureOf(embedder.describe())).toMatchObject({ kind: "unavailable" });
});
