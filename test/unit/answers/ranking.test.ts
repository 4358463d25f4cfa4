// Probabilities of passages and parts, and the age of documents.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURES, indexedPassages } from "../../../src/engine/answers/3-rank/features.ts";
import { probabilityOf, sharesOf } from "../../../src/kernel/logistic.ts";
import { answerFeatures, prepare, rank, unitsOf } from "../../../src/engine/answers/3-rank/rank.ts";
import { readFeatures } from "../../../src/engine/answers/4-read.ts";
import models from "../../../src/engine/answers/weights.json";
import { ageOf } from "../../../src/engine/text/document-dates.ts";
import { readerDirectory } from "../../../src/base/models.ts";
import { chunk, inputOf } from "./evidence.ts";

test("a probability from named features", () => {
  expect(probabilityOf({ bias: 0 }, {})).toBe(0.5);
  expect(probabilityOf({ bias: 0, a: 2 }, { a: 1, b: 100 })).toBeCloseTo(1 / (1 + Math.exp(-2)));
});

test("shares of things of which one or none is right", () => {
  const [first, second, third] = sharesOf([1_001, 1_000, 1_000]);
  expect(first! / second!).toBeCloseTo(Math.E);
  expect(first! + second! + third!).toBeCloseTo(1);
  expect(sharesOf([0])).toEqual([0.5]);
  expect(sharesOf([])).toEqual([]);
});

test("the weights name the data, and every feature has one", () => {
  expect(models.fitted.sets.length).toBeGreaterThan(3);
  expect(models.fitted.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(Object.keys(models.passage).sort()).toEqual(["bias", ...FEATURES].sort());
  const sums = readFileSync(join(readerDirectory(), "SHA256SUMS"), "utf8");
  expect(sums).toContain(models.fitted.reader);
  const [ranking] = rank(prepare(inputOf("Why?", [chunk("a", "So.")])), models);
  const [read] = readFeatures(ranking!);
  expect(Object.keys(models.read).sort()).toEqual(["bias", ...Object.keys(read!)].sort());
  expect(Object.keys(models.answered).sort()).toEqual(
    ["bias", ...Object.keys(answerFeatures(ranking!))].sort(),
  );
});

test("what states the value that was asked for comes first", () => {
  const evidence = [chunk("a", "The lamp is red. The lamp weighs 4 kg. The lamp was bought in Porto.")];
  const [ranking] = rank(prepare(inputOf("How heavy is the lamp?", evidence)), models);
  expect(ranking!.ranked.map(({ passage }) => passage.plain)[0]).toBe("The lamp weighs 4 kg.");
  const probabilities = ranking!.ranked.map(({ probability }) => probability);
  expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
  expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeLessThan(1);
});

test("a list that is asked for is one unit with its introduction; otherwise the introduction stands for it", () => {
  const items = ["a pump", "two patches", "glue"];
  const evidence = [chunk("a", `The kit contains:\n\n- ${items.join("\n- ")}\n\nIt is red.`)];
  const unitsFor = (question: string) =>
    unitsOf(rank(prepare(inputOf(question, evidence)), models)[0]!).map(({ whole, passage }) =>
      whole ? whole.map(({ plain }) => plain) : passage.plain,
    );
  expect(unitsFor("List the content of the kit.").toSorted()).toEqual(["It is red.", items]);
  expect(unitsFor("The kit contains?").toSorted()).toEqual(["It is red.", ...items, items].toSorted());
});

test("where no list is asked for, an introduction brings only the most probable items of a long one", () => {
  const items = Array.from({ length: 30 }, (_, i) => `- bolt ${i}, which is made of iron`);
  const evidence = [chunk("a", `Ada Lane built the lamp from:\n\n${items.join("\n")}`)];
  const [ranking] = rank(prepare(inputOf("Who built the lamp?", evidence)), models);
  const { whole } = unitsOf(ranking!).find(({ passage }) => passage.kind === "sentence")!;
  expect(whole!.length).toBe(8);
});

test("a passage that refers back has the words of the one before it", () => {
  const evidence = [chunk("a", "The lamp hangs in the hall. It weighs 4 kg.", { path: ["Lights"] })];
  const [, second] = indexedPassages(evidence);
  expect(second!.words.stems.has("lamp")).toBe(false);
  expect(second!.wordsInContext.stems.has("lamp")).toBe(true);
  expect(second!.wordsInContext.stems.has("light")).toBe(true);
});

test.each([
  ["Rules 2021", [], "", "Rules 2026", [], ""],
  ["Rules", ["Release 1 (2 May 2024)"], "", "Rules", ["Release 2 (3 May 2024)"], ""],
  ["Rules", [], "As of 12.05.2024.", "Rules", [], "As of 4 June 2024."],
  ["Rules", [], "As of 4 March 2024.", "Rules", [], "Valid from 5 March 2024, replaces 2019."],
])("%s %j %s is older than %s %j %s", (title, path, opening, title2, path2, opening2) => {
  const [older, newer] = [
    ageOf({ title, path, opening }),
    ageOf({ title: title2, path: path2, opening: opening2 }),
  ];
  expect(older!).toBeLessThan(newer!);
});

test.each([
  ["Be kind."],
  ["The club was founded in 1952 by three sailors."],
  ["Founded in 1952"],
  ["Apply by 3 May 2026."],
  ["In 2019, the roof was repaired."],
])("a document that says no date of its own has no age: %s", (opening) => {
  expect(ageOf({ title: "Rules", path: [], opening })).toBeUndefined();
});

test.each([
  ["The club was founded in 1952.\nLast updated: 3 May 2025"],
  ["date: 2025-05-03\ntags: rules"],
  ["Written by Ann, 3 May 2025"],
  ["Vienna, 3 May 2025\n\nThe rules of 1990 are replaced."],
  ["Version 2.1 (3 May 2025) of the rules since 1990"],
])("the date of a document is the one that is said to be its own: %s", (opening) => {
  const age = ageOf({ title: "Rules", path: [], opening });
  expect(age).toBe(
    ageOf({ title: "Rules, 3 May 2025, of the club founded in 2026", path: [], opening: "" })!,
  );
  expect(age).toBeGreaterThan(0);
});
