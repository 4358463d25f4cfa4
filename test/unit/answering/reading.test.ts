// Which passages are read, what the reading model is told of them, and how they are ranked afterwards.

import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/engine/answering/passages.ts";
import { answerFeatures, prepare, rank } from "../../../src/engine/answering/ranking.ts";
import {
  rankRead,
  readFeatures,
  readParagraphs,
  readPassages,
} from "../../../src/engine/answering/reading.ts";
import models from "../../../src/engine/answering/weights.json";
import type { Reading } from "../../../src/engine/reading/reader.ts";
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

test.each([
  ["What was fixed in 4.1.3?", "What was fixed in this version?"],
  ["What was fixed in release 4.1?", "What was fixed in this version?"],
  ["What was fixed in v4.1.3?", "What was fixed in this version?"],
  ["What does section 4.1 say since 12.05.2024?", "What does section 4.1 say since 12.05.2024?"],
  ["What was fixed in 4.1.2 and 14.1.3?", "What was fixed in 4.1.2 and 14.1.3?"],
])("a version that the headings state is not read in %j", async (question, asked) => {
  const fixed = chunk("a", "The lamp no longer flickers.", { path: ["[4.1.3] - 2025-02-21"] });
  const { told } = await read(question, [fixed], () => 1);
  expect(told.map((one) => one.question)).toEqual([asked]);
});

test("dates are read with the names of months", async () => {
  const { told } = await read(
    "When was it?",
    [chunk("a", "It was on 2025-02-01, at 2025-13-01 or 1-2025-02-01.")],
    () => 1,
  );
  expect(told[0]!.passage).toBe("It was on 1 February 2025, at 2025-13-01 or 1-2025-02-01.");
});

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

/** What was read of paragraphs, and what that told. */
async function readWithParagraphs(
  question: string,
  evidence: Evidence[],
  score: (reading: Reading) => number,
) {
  const { again } = await read(question, evidence, score);
  const paragraphs: Reading[] = [];
  const reader = {
    async score(readings: readonly Reading[]) {
      paragraphs.push(...readings);
      return readings.map(score);
    },
  };
  const [ranking] = await readParagraphs(again, { evidence, reader });
  return { paragraphs, ranking: ranking! };
}

const ROOMS = ["The lamp hangs in the hall. It is old.", "An attic. It is dusty."];
const rooms = ROOMS.map((text, i) => chunk(`r${i}`, text, { title: "House", path: [`Room ${i}`] }));

test("if passages leave a part undecided, the paragraph of the best one is read as a whole", async () => {
  const { paragraphs, ranking } = await readWithParagraphs("Where is the lamp?", rooms, ({ passage }) =>
    ROOMS.includes(passage) ? 4 : 1,
  );
  expect(paragraphs).toEqual([
    { question: "Where is the lamp?", context: "House — Room 0:", passage: ROOMS[0]! },
  ]);
  expect(ranking.answersOfParagraph).toBe(4);
  const { answersOfParagraph: _, ...without } = ranking;
  expect(answerFeatures(ranking).read).not.toBe(answerFeatures(without).read);
});

test.each([9, -9])("passages that decide it (%s) are enough", async (score) => {
  const { paragraphs, ranking } = await readWithParagraphs("Where is the lamp?", rooms, () => score);
  expect(paragraphs).toEqual([]);
  const { answersOfParagraph: _, ...without } = ranking;
  expect(answerFeatures(ranking)).toEqual(answerFeatures(without));
});

test("a paragraph of one passage is not read again", async () => {
  const evidence = [chunk("a", "The lamp hangs in the hall.")];
  const { paragraphs } = await readWithParagraphs("Where is the lamp?", evidence, () => 1);
  expect(paragraphs).toEqual([]);
});

test("a paragraph in another script is not read", async () => {
  const evidence = [chunk("a", "Лампа весит 4 кг. Она красная.")];
  const { paragraphs, ranking } = await readWithParagraphs("Сколько весит лампа?", evidence, () => 1);
  expect(paragraphs).toEqual([]);
  expect(ranking.answersOfParagraph).toBeUndefined();
});
