// Values in text, in one unit for each sort.

import { expect, test } from "bun:test";
import { valuesOf } from "../../../src/engine/language/values.ts";

test.each([
  ["45 euros", "money", 45],
  ["€1,200", "money", 1200],
  ["two million euros", "money", 2_000_000],
  ["three years", "duration", 3 * 31_536_000],
  ["120 minutes", "duration", 7_200],
  ["two hours", "duration", 7_200],
  ["25 working days", "duration", 25 * 86_400],
  ["half an hour", "duration", 1_800],
  ["15 %", "percent", 15],
  ["-20 °C", "temperature", -20],
  ["1.5 GB", "data", 1.5 * 1024 ** 3],
  ["20 kg", "mass", 20_000],
  ["48 members", "number", 48],
])("%s is %s", (text, sort, amount) => {
  expect(valuesOf(`it is ${text} now`)[0]).toMatchObject({ sort, amount });
});

test.each([
  ["9 September 2024", "date", "9 9 2024"],
  ["2024-09-09", "date", "9 9 2024"],
  ["8:30 pm", "time", "20:30"],
  ["20:30", "time", "20:30"],
  ["v2.1", "version", "2.1"],
  ["1931", "year", "1931"],
  ["QM-410", "code", "qm-410"],
])("%s is the %s %s", (text, sort, key) => {
  expect(valuesOf(`it is ${text} now`)[0]).toMatchObject({ sort, key });
});

test("both ends of a range have its unit", () => {
  const shown = (text: string) =>
    valuesOf(text).map(({ sort, amount, start, end }) => [text.slice(start, end), sort, amount]);
  expect(shown("10–14 days")).toEqual([
    ["10", "duration", 864_000],
    ["14 days", "duration", 1_209_600],
  ]);
});

test("a rate is part of the amount", () => {
  expect(valuesOf("38 euros a day").map(({ sort, per }) => [sort, per])).toEqual([["money", "day"]]);
  expect(valuesOf("2 hours and more")[0]!.per).toBe("");
});

test("a month that could be a verb needs its capital letter, and `one of them` counts nothing", () => {
  expect(valuesOf("Nobody under 18 may go in.").map(({ sort }) => sort)).toEqual(["number"]);
  expect(valuesOf("Closed on 18 May.").map(({ sort }) => sort)).toEqual(["date"]);
  expect(valuesOf("It is one of them.")).toEqual([]);
});
