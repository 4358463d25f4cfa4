// Which passages are read, what the reading model is told of them, and how they are ranked afterwards.

import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/engine/answering/passages.ts";
import { prepare, rank } from "../../../src/engine/answering/ranking.ts";
import { rankRead, readBest, readFeatures } from "../../../src/engine/answering/reading.ts";
import models from "../../../src/engine/answering/weights.json";
import type { Reading } from "../../../src/engine/reading/reader.ts";
import { chunk } from "./evidence.ts";

/** Reads with a reader that gives `score` of each passage, and keeps what it was told. */
async function read(question: string, evidence: Evidence[], score: (reading: Reading) => number) {
  const told: Reading[] = [];
  const reader = {
    async score(readings: readonly Reading[]) {
      told.push(...readings);
      return readings.map(score);
    },
  };
  const rankings = rank(prepare({ question, evidence, near: [] }), models);
  const ranked = await readBest(rankings, evidence, reader);
  return { told, ranked, again: rankRead(ranked, models) };
}

const LAMP =
  "The lamp weighs 4 kg. The lamp is red. The lamp was bought in Porto. The lamp hangs in the hall.";

test("the three best passages are read, and the one that answers is first then", async () => {
  const { told, ranked, again } = await read("How heavy is the lamp?", [chunk("a", LAMP)], ({ passage }) =>
    passage.includes("red") ? 9 : -9,
  );
  expect(told.length).toBe(3);
  expect(told.every(({ question }) => question === "How heavy is the lamp?")).toBe(true);
  expect(ranked[0]!.ranked[0]!.passage.plain).toBe("The lamp weighs 4 kg.");
  const wasRead = told.some(({ passage }) => passage.includes("red"));
  expect(again[0]!.ranked[0]!.passage.plain).toBe(wasRead ? "The lamp is red." : "The lamp weighs 4 kg.");
  expect(readFeatures(ranked[0]!).at(-1)!.answers).toBe(-0.9);
});

test("of each of several parts, two passages are read", async () => {
  const question = "How heavy is the lamp, and where does it hang?";
  const { told, ranked } = await read(question, [chunk("a", LAMP)], () => 1);
  expect(ranked.length).toBe(2);
  expect(told.length).toBe(4);
  const answered = ranked.map(({ ranked: all }) => all.filter(({ answers }) => answers === 1).length);
  expect(answered).toEqual([2, 2]);
});

test("the reader is told what introduces a passage and what it refers to", async () => {
  const evidence = [
    chunk("a", "The lamp hangs in the hall. It weighs **4 kg**.", { title: "House", path: ["Lights"] }),
  ];
  const { told } = await read("How heavy is the lamp?", evidence, () => 0);
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
