// Parts of questions, values in text, and forms of words.

import { describe, expect, test } from "bun:test";
import { statesAttribute } from "../../../src/engine/answering/attributes.ts";
import { areRivals } from "../../../src/engine/answering/opposites.ts";
import { parseQuestion } from "../../../src/engine/answering/question.ts";
import { areSynonyms } from "../../../src/engine/answering/synonyms.ts";
import { stem, termsOf } from "../../../src/engine/answering/terms.ts";
import { valuesOf } from "../../../src/engine/answering/values.ts";

const parts = (text: string) => parseQuestion(text).parts.map((part) => part.text);

describe("parts", () => {
  test.each([
    ["How big is it?", ["How big is it"]],
    ["When was it made and who made it?", ["When was it made", "who made it"]],
    ["When and where was it made?", ["When was it made", "where was it made"]],
    ["If it rains, how long do we wait?", ["If it rains, how long do we wait"]],
    [
      "What are the weight and the price of the lamp?",
      ["What are the weight of the lamp", "What are the price of the lamp"],
    ],
    ["Is it on or is it off?", ["Is it on or is it off"]],
    ["bolt torque", ["bolt torque"]],
    ["I lost my key. What does a new one cost?", ["What does a new one cost"]],
  ])("%s", (text, expected) => expect(parts(text)).toEqual(expected));

  test("a part with a pronoun inherits the topic, but no other year", () => {
    const [, second] = parseQuestion("What did the lamp cost in 2023, and what does it cost in 2025?").parts;
    const words = second!.inherited.map(({ word }) => word);
    expect(words).toContain("lamp");
    expect(words).not.toContain("2023");
  });

  test("their number is bounded", () => {
    expect(parts(Array.from({ length: 50 }, (_, i) => `what is ${i}`).join(" and ")).length).toBeLessThan(8);
  });

  test.each([
    ["How much does it cost?", "money"],
    ["How many lamps are there?", "count"],
    ["How long does it last?", "duration"],
    ["When was it built?", "date"],
    ["At what time does it close?", "time"],
    ["Which version is it?", "version"],
    ["Who built it?", "person"],
    ["Why is it red?", "reason"],
    ["How do I open it?", "procedure"],
    ["What is the phone number of Ann?", "contact"],
    ["Is it red?", "statement"],
    ["Does it belong to the people who built it?", "statement"],
    ["Can you tell me who built it?", "person"],
    ["How fast do I get the fee back?", "duration"],
    ["How far in advance can it be booked?", "duration"],
    ["How much of the fee do I get back?", "count"],
    ["What is the minimum age?", "count"],
    ["My lamp is red. What is the matter?", "statement"],
  ])("%s asks for %s", (text, type) => expect(parseQuestion(text).parts[0]!.type as string).toBe(type));
});

test.each([
  ["45 euros", "money", "€", "45"],
  ["€1,200", "money", "€", "1200"],
  ["three years", "duration", "year", "3"],
  ["24-hour", "duration", "hour", "24"],
  ["15 %", "percent", "%", "15"],
  ["-20 to 60 °C", "measure", "°c", "-20–60"],
  ["9 September 2024", "date", "", "9 9 2024"],
  ["2024-09-09", "date", "", "9 9 2024"],
  ["8:30", "time", "", "8:30"],
  ["v2.1", "version", "", "2.1"],
  ["1931", "year", "", "1931"],
  ["48 members", "number", "member", "48"],
])("%s is a value", (text, kind, unit, value) => {
  expect(valuesOf(`it is ${text} now`)[0]).toMatchObject({ kind, unit, value });
});

test("forms of a word share a stem, different words do not", () => {
  for (const [a, b] of [
    ["calibrated", "calibration"],
    ["received", "receive"],
    ["batteries", "battery"],
    ["replacement", "replaces"],
    ["left", "leaving"],
    ["stopped", "stop"],
  ]) {
    expect([a, stem(a!)]).toEqual([a, stem(b!)]);
  }
  expect(stem("public")).not.toBe(stem("private"));
  expect(stem("10,000")).toBe("10000");
});

test("names, codes and numbers are exact, first words of sentences are not", () => {
  const exact = termsOf("The Kestrel sends QM-410 to GraphQL. Always at 7.").filter(({ isExact }) => isExact);
  expect(exact.map(({ word }) => word)).toEqual(["Kestrel", "QM-410", "GraphQL", "7"]);
  expect(termsOf("茶壶响了").map(({ stem: pair }) => pair)).toEqual(["茶壶", "壶响", "响了"]);
});

test("a month that could be a verb needs its capital letter", () => {
  expect(valuesOf("Nobody under 18 may go in.").map(({ kind }) => kind)).toEqual(["number"]);
  expect(valuesOf("Closed on 18 May.").map(({ kind }) => kind)).toEqual(["date"]);
});

test.each([
  ["renew", "extend", true],
  ["landlord", "owner", true],
  ["renew", "landlord", false],
])("%s and %s are synonyms: %p", (a, b, same) => expect(areSynonyms(stem(a), stem(b))).toBe(same));

test.each([
  ["north", "south", true],
  ["Tuesday", "Friday", true],
  ["north", "north", false],
  ["north", "Friday", false],
])("%s and %s are rivals: %p", (a, b, apart) => expect(areRivals(stem(a), stem(b))).toBe(apart));

test.each([
  ["heavy", "It is 14.5 kg.", true],
  ["heavy", "It is 14.5 km away.", false],
  ["temperature", "Heat it to 250 °C.", true],
  ["capacity", "The hall holds 6,400 people.", true],
  ["age", "Nobody under 18 may go in.", true],
  ["lamp", "It is 14.5 kg.", undefined],
])("%s in %s: %p", (word, text, states) => expect(statesAttribute(stem(word), text)).toBe(states));
