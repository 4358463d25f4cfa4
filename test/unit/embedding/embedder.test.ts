// The embedder's thread from outside: queries first, states that tell the truth, a thread that comes back.

import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCalibration } from "../../../src/engine/embedding/calibration.ts";
import { type Embedder, openEmbedder } from "../../../src/engine/embedding/embedder.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { failureOf } from "../../helpers/failure-of.ts";
import { cosine } from "./vectors.ts";

const MODEL = join(import.meta.dir, "../../../models/all-MiniLM-L6-v2");
const THREAD = join(import.meta.dir, "../../../src/workers/entry.ts");
const PARAGRAPH =
  "The study compares five cataloguing rules over ten years and finds that none of them survives a change of staff. " +
  "Readers were asked what they remembered of a book; most named the colour of its cover and the shelf it stood on. ";

const folder = mkdtempSync(join(tmpdir(), "ctxrepo-embedder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: Embedder[] = [];
afterEach(() => {
  for (const embedder of opened.splice(0)) embedder.close();
});

/** An embedder on a clock that stands still, with the workers it made and the messages it sent them. */
function open(modelDirectory = MODEL, script = THREAD) {
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
  const embedder = openEmbedder({ spawn, modelDirectory, clock });
  opened.push(embedder);
  /** Ends the latest thread from outside; it must be idle, see embedder.ts on native runs. */
  const kill = async () => {
    const worker = workers.at(-1)!;
    const gone = new Promise((resolve) => worker.addEventListener("close", resolve));
    worker.terminate();
    await gone;
  };
  return { embedder, clock, workers, sent, kill };
}

describe("work", () => {
  test("queries overtake a queue of 200 passages and wait for a moment only", async () => {
    const { embedder } = open();
    await embedder.embedQuery("warm");
    const passages = Array.from({ length: 200 }, (_, i) => ({
      context: `Report ${i}`,
      text: PARAGRAPH.repeat(2),
    }));
    const startedAt = performance.now();
    let indexedAt = 0;
    const indexing = embedder.embedPassages(passages).then((result) => {
      indexedAt = performance.now();
      return result;
    });
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      const askedAt = performance.now();
      await embedder.embedQuery(`what do readers remember, ${i}`);
      waits.push(performance.now() - askedAt);
    }
    expect(indexedAt).toBe(0);
    const { windows } = await indexing;
    expect(windows.length).toBe(200);
    waits.sort((a, b) => a - b);
    expect(waits[5]!).toBeLessThan(200);
    expect(waits[5]!).toBeLessThan((indexedAt - startedAt) / 5);
  });

  test("sends a repeated query to the worker once, and never after closing", async () => {
    const { embedder, sent } = open();
    const [first, second] = await Promise.all([1, 2].map(() => embedder.embedQuery("green tea")));
    expect(second).toBe(first!);
    expect(await embedder.embedQuery("green tea")).toBe(first!);
    expect(sent).toEqual(["embedding", "describe", "embedQuery"]);
    await embedder.close();
    expect(await failureOf(embedder.embedQuery("green tea"))).toMatchObject({ kind: "unavailable" });
  });

  test("finds the passage that answers", async () => {
    const { embedder } = open();
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
  test("is loading until the model answered, then ok", async () => {
    const { embedder } = open();
    expect(embedder.state()).toBe("loading");
    expect((await embedder.describe()).dimension).toBe(384);
    expect(embedder.state()).toBe("ok");
  });

  test("is degraded while a call waits far too long", async () => {
    const { embedder, clock } = open();
    await embedder.describe();
    const query = embedder.embedQuery("slow");
    clock.advance(30_000);
    expect(embedder.state()).toBe("ok");
    clock.advance(100);
    expect(embedder.state()).toBe("degraded");
    await query;
    expect(embedder.state()).toBe("ok");
  });

  test("sends a query of its own when nothing was asked for a minute, and only then", async () => {
    const { embedder, clock, sent } = open();
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

describe("a thread that dies", () => {
  test("comes back at once, and later and later when it dies again", async () => {
    const { embedder, clock, workers, kill } = open();
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

  test("fails the calls it had", async () => {
    const { embedder, clock, kill } = open(
      MODEL,
      URL.createObjectURL(new Blob(["self.onmessage = () => {};"])),
    );
    const query = failureOf(embedder.embedQuery("lost"));
    expect(embedder.state()).toBe("loading");
    clock.advance(30_001);
    expect(embedder.state()).toBe("degraded");
    await kill();
    expect(await query).toMatchObject({ kind: "unavailable", message: "the embedding worker ended" });
  });
});

describe("a folder without a model", () => {
  test("says what is missing, is degraded, and loads once the folder is mended", async () => {
    const { embedder, clock } = open(folder);
    expect(await failureOf(embedder.describe())).toMatchObject({
      kind: "unavailable",
      message: `the embedding model in ${folder} cannot be loaded: config.json is missing`,
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

  test("says so when the weights are damaged", async () => {
    await Bun.write(join(folder, "onnx", "model_quantized.onnx"), "not a model");
    const { embedder } = open(folder);
    expect(await failureOf(embedder.describe())).toMatchObject({
      message: expect.stringContaining(`the embedding model in ${folder} cannot be loaded: `),
    });
    expect(embedder.state()).toBe("degraded");
  });
});

test("close refuses what waits and ends the thread, in the middle of indexing too", async () => {
  const { embedder, workers } = open();
  await embedder.describe();
  const gone = new Promise((resolve) => workers[0]!.addEventListener("close", resolve));
  const passages = Array.from({ length: 60 }, () => ({ context: "", text: PARAGRAPH.repeat(4) }));
  const indexing = embedder.embedPassages(passages);
  await embedder.embedQuery("now it is at work");
  embedder.close();
  expect(await failureOf(indexing)).toMatchObject({ kind: "unavailable" });
  await gone;
  expect(embedder.state()).toBe("degraded");
  expect(await failureOf(embedder.embedQuery("late"))).toMatchObject({ kind: "unavailable" });
  expect(await failureOf(embedder.describe())).toMatchObject({ kind: "unavailable" });
});
