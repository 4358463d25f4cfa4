// The shipped model: published cosines; long texts are embedded completely, in windows.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assetPath, WASM_RUNTIME } from "../../../src/base/assets.ts";
import type { Embedder } from "../../../src/engine/embedding/embedder.ts";
import { createLift } from "../../../src/engine/embedding/lift.ts";
import { loadModel, type Model } from "../../../src/engine/embedding/model.ts";
import { testModel } from "../../../src/engine/embedding/self-test.ts";
import { cutWindows } from "../../../src/engine/embedding/windows.ts";
import { serveEmbedding } from "../../../src/engine/embedding/worker.ts";
import { sharedRealEmbedder } from "../../helpers/embedder.ts";
import { makeTempDir } from "../../helpers/start.ts";
import { cosine } from "./vectors.ts";

const MODEL = join(import.meta.dir, "../../../models/all-MiniLM-L6-v2");

/** From SHA256SUMS in the model's folder. */
const REVISION = "45a27191bc877069f46cba342dc6512b1c459b13e11fdc15fcab654b2bc16f48";

const STORY =
  "The boundary layer on a swept wing separates near the tip, and the lift falls. Afterwards the librarian catalogued " +
  "every report on it, in five drawers, by author and by year. Nobody asked for them for a decade. ";

const lift = createLift(384);

let api: Embedder;
let model: Model;

beforeAll(async () => {
  api = sharedRealEmbedder();
  model = await loadModel(MODEL, { kind: "native" });
});

async function embed(...texts: string[]): Promise<Float32Array[]> {
  const { windows } = await api.embedPassages(texts.map((text) => ({ context: "", text })));
  return windows.map(([first]) => first!);
}

test("the WebAssembly build computes the same vectors", async () => {
  const wasm = await loadModel(MODEL, { kind: "wasm", path: assetPath(`node_modules/${WASM_RUNTIME}`) });
  for (const text of [STORY, "swept wings", ""]) {
    const window = cutWindows(model.tokenize(text), [], model.frames.passage)[0]!;
    expect(cosine(await wasm.embed(window), await model.embed(window))).toBeGreaterThan(0.999);
  }
});

describe("the self-test", () => {
  const folder = makeTempDir();
  const write = (content: unknown) => Bun.write(join(folder, "self-test.json"), JSON.stringify(content));
  const shipped = readFileSync(join(MODEL, "self-test.json"), "utf8");
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is passed by the shipped model, with a tenth of the tolerance", async () => {
    const selfTest = JSON.parse(shipped);
    await write({ ...selfTest, tolerance: selfTest.tolerance / 10 });
    await testModel(model, folder);
  });

  test("rejects a model that gives nearly the same vector for every text", async () => {
    await write(JSON.parse(shipped));
    const first = await model.embed(cutWindows(model.tokenize("a"), [], model.frames.passage)[0]!);
    const constant = { ...model, embed: async () => first };
    await expect(testModel(constant, folder)).rejects.toThrow(
      "wrong vectors on this machine: the cosines of its self-test are 1.0000, 1.0000, 1.0000 instead of 0.7503",
    );
  });

  test("rejects vectors that are not numbers", async () => {
    await write(JSON.parse(shipped));
    const broken = { ...model, embed: async () => new Float32Array(384).fill(Number.NaN) };
    await expect(testModel(broken, folder)).rejects.toThrow("NaN");
  });

  test("of another model is optional, but must be complete", async () => {
    rmSync(join(folder, "self-test.json"), { force: true });
    await testModel(model, folder);
    await write({ sentences: ["a", "b", "c"], cosines: [1], tolerance: 0.1 });
    await expect(testModel(model, folder)).rejects.toThrow("self-test.json");
  });
});

describe("the model", () => {
  test("describes itself", async () => {
    const { calibration, ...info } = await api.describe();
    expect(info).toEqual({
      name: "all-MiniLM-L6-v2",
      revision: `${REVISION}:128:1`,
      dimension: 384,
      directory: MODEL,
    });
    expect(calibration.points.at(-1)).toEqual([1, 1]);
  });

  test("has the published cosines", async () => {
    const [person, ...others] = await embed(
      "That is a happy person",
      "That is a happy dog",
      "That is a very happy person",
      "Today is a sunny day",
    );
    const published = [0.696, 0.926, 0.266]; // of the model in float; ours is int8
    for (const [i, other] of others.entries()) {
      expect(Math.abs(cosine(person!, other) - published[i]!)).toBeLessThan(0.02);
    }
  });

  test("embeds any text as a unit vector of 1,536, also an empty one", async () => {
    const vectors = await embed(
      "",
      " \n\t ",
      "a",
      "日本語のテキスト",
      "\u{1f600}\ud800",
      "x".repeat(5_000),
      "[SEP] [CLS]",
    );
    for (const vector of vectors) {
      expect(vector.length).toBe(1536);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });
});

describe("embedPassages", () => {
  test("returns passages and windows in order, whatever their lengths", async () => {
    const texts = [STORY.repeat(20), "cats", STORY, STORY.repeat(7), "dogs and cats"];
    const passages = texts.map((text) => ({ context: "Wings > Sweep", text }));
    const { windows, tokens } = await api.embedPassages(passages);
    let expectedTokens = 0;
    for (const [i, { context, text }] of passages.entries()) {
      const cut = cutWindows(model.tokenize(text), model.tokenize(context), model.frames.passage);
      expect(windows[i]!.length).toBe(cut.length);
      for (const [j, window] of cut.entries()) {
        expectedTokens += window.length;
        expect(windows[i]![j]).toEqual(lift(await model.embed(window)));
      }
    }
    expect(tokens).toBe(expectedTokens);
    expect(windows[0]!.length).toBeGreaterThan(3);
  });

  test("returns the same vector for a passage alone, among others, and at the same time as others", async () => {
    const texts = [STORY, "cats", STORY.slice(0, 150), "a cat and two dogs", STORY.slice(7)];
    const [together, again, ...alone] = await Promise.all([
      embed(...texts),
      embed(...texts.toReversed()),
      ...texts.map((text) => embed(text)),
    ]);
    expect(together).toEqual(alone.flat());
    expect(again.toReversed()).toEqual(alone.flat());
    const vector = await api.embedQuery("cats");
    expect(cosine(vector, together[1]!)).toBeCloseTo(1, 6);
  });

  test("embeds a long text completely, although it is tokenised in pieces of 16,000 characters", async () => {
    const long = STORY.repeat(170);
    expect(long.length).toBeGreaterThan(2 * 16_000);
    const { windows, tokens } = await api.embedPassages([{ context: "", text: long }]);
    const whole = cutWindows(model.tokenize(long), [], model.frames.passage);
    expect(windows[0]!.length).toBe(whole.length);
    expect(tokens).toBe(whole.flat().length);
  });

  test("returns nothing for no passages", async () => {
    expect(await api.embedPassages([])).toEqual({ windows: [], tokens: 0 });
  });
});

describe("embedQuery", () => {
  test("returns the same vector for the same tokens", async () => {
    // Two spellings, because the vector of a repeated text is cached.
    const [first, second] = await Promise.all(
      ["swept wings", "Swept  wings"].map((text) => api.embedQuery(text)),
    );
    expect(second).not.toBe(first!);
    expect(first).toEqual(second);
  });

  test("averages a long query over its windows", async () => {
    const text = STORY.repeat(12);
    const cut = cutWindows(model.tokenize(text), [], model.frames.passage);
    expect(cut.length).toBeGreaterThan(1);
    const mean = new Float32Array(384);
    for (const window of cut) {
      const vector = await model.embed(window);
      for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]!;
    }
    const vector = await api.embedQuery(text);
    expect(cosine(vector, lift(mean))).toBeCloseTo(1, 6);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });
});

test("without a model in the folder every call fails with the reason", async () => {
  const broken = await serveEmbedding({ modelDirectory: import.meta.dir, runtime: { kind: "native" } });
  const calls = [
    broken.describe(null),
    broken.embedQuery({ text: "a" }),
    broken.embedPassages({ passages: [{ context: "", text: "a" }] }),
  ];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
    expect(outcome).toHaveProperty("reason.message", expect.stringContaining(import.meta.dir));
    expect(outcome).toHaveProperty("reason.message", expect.stringContaining("config.json is missing"));
  }
});
