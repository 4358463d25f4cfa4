// Which passages are read, what the reading model is told of them, and how they are ranked afterwards.

import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { prepare, rank } from "../../../src/engine/answers/3-rank/rank.ts";
import { rankRead, readFeatures, readPassages } from "../../../src/engine/answers/4-read.ts";
import models from "../../../src/engine/answers/weights.json";
import type { Reading } from "../../../src/engine/inference/reader.ts";
import { chunk, inputOf } from "./evidence.ts";

/** Reads with a reader that gives `score` of each passage, and keeps what it was told. */
async function read(question: string, evidence: Evidence[], score: (reading: Reading) => number) {
  const told: Reading[] = [];
  const reader = {
    async score(readings: readonly Reading[]) {
      told.push(...readings);
      return readings.map(score);
    },
  };
  const rankings = rank(prepare(inputOf(question, evidence)), models);
  const ranked = await readPassages(rankings, { evidence, reader });
  return { told, ranked, again: rankRead(ranked, models) };
}

const LAMPS =
  "The red lamp weighs 4 kg. The blue lamp weighs 5 kg. The green lamp weighs 6 kg. The white lamp weighs 7 kg. " +
  "The red lamp hangs in the hall. The blue lamp hangs in the attic. It rains.";

test("if the best passage answers, no other one is read", async () => {
  const { told, ranked } = await read("How heavy is the lamp?", [chunk("a", LAMPS)], () => 1);
  expect(told.map(({ passage }) => passage)).toEqual([ranked[0]!.ranked[0]!.passage.plain]);
});

test("what was not read counts as the worst that was", async () => {
  const { told, ranked } = await read("How heavy is the lamp?", [chunk("a", LAMPS)], () => 5);
  expect(told.length).toBe(1);
  expect(readFeatures(ranked[0]!).map(({ answers }) => answers)).toEqual(Array(7).fill(0.5));
  const others = await read("How heavy is the lamp?", [chunk("a", lamps(30))], ({ passage }) =>
    passage.includes("number 3 ") ? 5 : -2,
  );
  const last = readFeatures(others.ranked[0]!).slice(16);
  expect(last.map(({ answers }) => answers)).toEqual(Array(14).fill(-0.2));
});

const lamps = (count: number) =>
  Array.from({ length: count }, (_, i) => `Lamp number ${i} is ${i} years old.`).join(" ");

test("if the best passage does not answer, further ones are read, each once", async () => {
  const { told } = await read("Where is the lamp?", [chunk("a", lamps(30))], () => -9);
  expect(told.length).toBe(16);
  expect(new Set(told.map(({ passage }) => passage)).size).toBe(16);
});

test("one of those that answers is first then", async () => {
  const evidence = [chunk("a", lamps(8)), chunk("b", "It hangs in the hall.")];
  const { ranked, again } = await read("Where is the lamp?", evidence, ({ passage }) =>
    passage.includes("hall") ? 9 : -9,
  );
  expect(ranked[0]!.ranked.findIndex(({ passage }) => passage.plain.includes("hall"))).toBeGreaterThan(2);
  expect(again[0]!.ranked[0]!.passage.plain).toBe("It hangs in the hall.");
});

test.each([
  [1, -9],
  [-1.9, -2.1],
])(
  "further passages are read only where the best one cannot answer: %d does, %d does not",
  async (may, not) => {
    const question = "How heavy is the lamp, and where does it hang?";
    const { told } = await read(question, [chunk("a", LAMPS)], (one) =>
      one.question.startsWith("How heavy") ? may : not,
    );
    const asked = told.map(({ question: text }) => text);
    expect(asked.filter((text) => text.startsWith("How heavy")).length).toBe(1);
    expect(asked.filter((text) => text.startsWith("where")).length).toBe(7);
  },
);

test("of each of several parts, the best passage is read", async () => {
  const question = "How heavy is the lamp, and where does it hang?";
  const { told, ranked } = await read(question, [chunk("a", LAMPS)], () => 1);
  expect(ranked.length).toBe(2);
  expect(told.length).toBe(2);
  // A passage that answers the first part is no answer to the second one.
  expect(new Set(told.map(({ question: asked }) => asked))).toEqual(
    new Set(["How heavy is the lamp", "where does it hang"]),
  );
  const answered = ranked.map(({ ranked: all }) => all.filter(({ answers }) => answers === 1).length);
  expect(answered).toEqual([1, 1]);
});

test("the reader is told what introduces a passage and what it refers to", async () => {
  const evidence = [
    chunk("a", "The lamp hangs in the hall. It weighs **4 kg**.", { title: "House", path: ["Lights"] }),
  ];
  const { told } = await read("How heavy is the lamp?", evidence, () => -9);
  expect(told).toContainEqual({
    question: "How heavy is the lamp?",
    context: "House — Lights: The lamp hangs in the hall.",
    passage: "It weighs 4 kg.",
  });
});

test("text in another script is not read, and counts as undecided", async () => {
  const { told, ranked, again } = await read(
    "Сколько весит лампа?",
    [chunk("a", "Лампа весит 4 кг.")],
    () => -9,
  );
  expect(told).toEqual([]);
  expect(readFeatures(ranked[0]!).map(({ answers }) => answers)).toEqual([0]);
  expect(again[0]!.ranked.length).toBe(1);
});

test("without passages, nothing is read", async () => {
  const { told, again } = await read("How heavy is the lamp?", [], () => 1);
  expect(told).toEqual([]);
  expect(again[0]!.ranked).toEqual([]);
});
