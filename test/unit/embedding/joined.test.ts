// Two models as one: both halves of a vector, windows, and texts that the first model cannot read.

import { expect, test } from "bun:test";
import type { Embedder } from "../../../src/engine/embedding/embedder.ts";
import {
  joinEmbedders,
  languageMark,
  MARK_START,
  SAME_LANGUAGE,
  SECOND_START,
} from "../../../src/engine/embedding/joined.ts";
import type { LanguageDetector } from "../../../src/engine/language/detector.ts";
import { UNKNOWN } from "../../../src/engine/language/words.ts";
import type { Passage } from "../../../src/engine/embedding/worker.ts";
import { EMBEDDING_DIMENSION } from "../../../src/kernel/limits.ts";
import { dot } from "../../../src/kernel/vectors.ts";

const VALUE = 1 / Math.sqrt(EMBEDDING_DIMENSION);

/** An embedder whose vectors have one value everywhere, and that has a window for every `units` of a text. */
function constant(name: string, { units, scripts }: { units: number; scripts?: string[] }) {
  const passages: Passage[] = [];
  const points: [number, number][] = [
    [0, 0],
    [1, 1],
  ];
  const vector = () => new Float32Array(EMBEDDING_DIMENSION).fill(VALUE);
  const embedder: Embedder = {
    describe: async () => ({
      ...{ name, revision: name, dimension: 384, directory: `/${name}` },
      calibration: { points, ...(scripts && { scripts }) },
    }),
    embedQuery: async () => vector(),
    hasQuery: () => name === "a",
    async embedPassages(given) {
      passages.push(...given);
      const windows = given.map(({ text }) =>
        Array.from({ length: Math.max(1, Math.ceil(text.length / units)) }, vector),
      );
      return { windows, tokens: given.length };
    },
    state: () => (name === "a" ? "ok" : "loading"),
    problem: () => undefined,
    usage: () => ({ queries: 1, passages: passages.length, tokens: 0, busyMs: 0, waitingCalls: 0 }),
    close: async () => {},
  };
  return { embedder, passages };
}

/** A passage is in the language that its first word names, if it names one. */
const detector: Pick<LanguageDetector, "ofPassages"> = {
  ofPassages: async (texts) => texts.map((text) => /^[a-z]{2}(?= )/.exec(text)?.[0] ?? UNKNOWN),
};

const open = () => {
  const first = constant("a", { units: 20, scripts: ["Latin"] });
  const second = constant("b", { units: 60 });
  return { first, second, both: joinEmbedders(first.embedder, second.embedder, detector) };
};

test("it is described by both models", async () => {
  const { both } = open();
  const info = await both.describe();
  expect(info).toMatchObject({ name: "a + b", revision: "a+b", directory: "/a\n/b", dimension: 384 });
  // Both together read every script.
  expect(info.calibration.scripts).toBeUndefined();
  expect(info.second).toMatchObject({ dimension: 384 });
  expect(both.state()).toBe("loading");
  expect(both.hasQuery("x")).toBe(false);
});

test("a query has two rotations of each model, and unit length", async () => {
  const { both } = open();
  const vector = await both.embedQuery("tea");
  expect(dot(vector, vector)).toBeCloseTo(1, 5);
  expect([...vector].every((value) => Math.abs(value - VALUE) < 1e-6)).toBe(true);
  const unreadable = await both.embedQuery("чай");
  expect(unreadable.subarray(0, SECOND_START).every((value) => value === 0)).toBe(true);
  expect(unreadable.subarray(SECOND_START).every((value) => value > 0)).toBe(true);
});

test("the second model reads the windows of the first one, with their context", async () => {
  const { both, first, second } = open();
  const text = "one two three four five six seven eight nine";
  const { windows } = await both.embedPassages([{ context: "Numbers", text }]);
  expect(windows[0]).toHaveLength(3);
  expect(first.passages.map((passage) => passage.text)).toEqual([text]);
  expect(second.passages.map((passage) => passage.text).join("")).toBe(text);
  expect(second.passages.map(({ context }) => context)).toEqual(["Numbers", "Numbers", "Numbers"]);
});

test("only the second model reads other scripts, in its own windows", async () => {
  const { both, first, second } = open();
  const text = "сто двадцать три слова и ещё немного, чтобы было больше одного окна в тексте";
  const { windows } = await both.embedPassages([
    { context: "", text },
    { context: "", text: "tea" },
  ]);
  expect(windows.map(({ length }) => length)).toEqual([2, 1]);
  expect(windows[0]![0]!.subarray(0, SECOND_START).every((value) => value === 0)).toBe(true);
  expect(first.passages.map((passage) => passage.text)).toEqual(["tea"]);
  expect(second.passages).toHaveLength(2);
});

test("the first model is not run for windows whose vectors are known", async () => {
  const { both, first, second } = open();
  const known = [2, 3].map((value) => new Float32Array(EMBEDDING_DIMENSION).fill(value * VALUE));
  const { windows } = await both.embedPassages([{ context: "", text: "one two three", known }]);
  expect(first.passages).toEqual([]);
  expect(second.passages).toHaveLength(2);
  expect(windows[0]!.map((window) => Math.round(window[0]! / VALUE))).toEqual([2, 3]);
});

test("only the second model reads other languages in Latin script, and the vector says which", async () => {
  const { both, first } = open();
  const known = [new Float32Array(EMBEDDING_DIMENSION).fill(VALUE)];
  const { windows } = await both.embedPassages([
    { context: "", text: "en tea" },
    { context: "", text: "de Tee" },
    { context: "", text: "fr thé", known },
    { context: "", text: "E1009" },
  ]);
  expect(first.passages.map(({ text }) => text)).toEqual(["en tea", "E1009"]);
  const markOf = (i: number) => windows[i]![0]!.slice(MARK_START, SECOND_START);
  expect([...markOf(1)]).toEqual([...languageMark("de")]);
  expect([...markOf(2)]).toEqual([...languageMark("fr")]);
  expect(dot(markOf(1), languageMark("fr"))).toBeLessThan(SAME_LANGUAGE);
  for (const i of [1, 2])
    expect(windows[i]![0]!.subarray(0, MARK_START).every((value) => value === 0)).toBe(true);
});

test("a model whose vectors do not fit into half a vector cannot be joined", async () => {
  const { embedder } = constant("a", { units: 9 });
  const wide: Embedder = {
    ...embedder,
    describe: async () => ({ ...(await embedder.describe()), dimension: 1_024 }),
  };
  await expect(joinEmbedders(embedder, wide, detector).describe()).rejects.toThrow("768");
});
