// Values in text, in one unit for each sort.

import { expect, test } from "bun:test";
import { canBeEqual, valuesOf } from "../../../src/engine/text/values.ts";

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
  ["15 per cent", "percent", 15],
  ["-20 °C", "temperature", -20],
  ["1.5 GB", "data", 1.5 * 1024 ** 3],
  ["20 kg", "mass", 20_000],
  ["48 members", "number", 48],
  ["1750 kg", "mass", 1_750_000],
  ["$1500", "money", 1500],
  ["€1800 a month", "money", 1800],
  ["2000 m", "length", 2_000_000],
  ["2048 MB", "data", 2 * 1024 ** 3],
  ["1.500 Euro", "money", 1500],
  ["$1.500", "money", 1.5],
  ["1.234,56 €", "money", 1234.56],
  ["9,50 €", "money", 9.5],
  ["CHF 1’500", "money", 1500],
  ["CHF1500", "money", 1500],
  ["Rs. 500", "money", 500],
  ["₹500", "money", 500],
  ["150 kr", "money", 150],
  ["-€50", "money", -50],
  ["$1.2M", "money", 1_200_000],
  ["£3bn", "money", 3e9],
  ["$900K", "money", 900_000],
  ["150EUR", "money", 150],
  ["65dB", "sound", 65],
  ["300kW", "power", 300_000],
  ["2.4GHz", "frequency", 2.4e9],
  ["1½ hours", "duration", 5_400],
  ["1 1/2 hours", "duration", 5_400],
  ["two and a half hours", "duration", 9_000],
  ["8 oz", "mass", 8 * 28.349523],
  ["one hundred and twenty euros", "money", 120],
  ["two thousand five hundred euros", "money", 2_500],
  ["twenty-five days", "duration", 25 * 86_400],
  ["50 square metres", "area", 50],
  ["5 µl", "volume", 0.005],
  ["400 mcg", "mass", 0.0004],
  ["80 microns", "length", 0.08],
  ["500 lux", "light", 500],
  ["200 baht", "money", 200],
  ["up to seven school days", "duration", 7 * 86_400],
  ["two further weeks", "duration", 14 * 86_400],
  ["a fortnight", "duration", 14 * 86_400],
  ["at least three of each", "number", 3],
])("%s is %s", (text, sort, amount) => {
  expect(valuesOf(`it is ${text} now`)[0]).toMatchObject({ sort, amount });
});

test.each([
  ["9 September 2024", "date", "9 9 2024"],
  ["2024-09-09", "date", "9 9 2024"],
  ["8:30 pm", "time", "20:30"],
  ["20:30", "time", "20:30"],
  ["v2.1", "version", "2.1"],
  ["12.06.2026", "date", "12 6 2026"],
  ["06/25/26", "date", "25 6 2026"],
  ["midnight", "time", "0:00"],
  ["24:00", "time", "0:00"],
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

test.each([
  ["The club has 1500 members.", ["number"]],
  ["The 2026 rules apply to 1600 people.", ["year", "year"]],
  ["In 2024 members paid less.", ["year"]],
  ["For two years 2024 was the best.", ["duration", "year"]],
  ["In 2023 second place was shared.", ["year"]],
  ["between one hundred and two hundred euros", ["money", "money"]],
])("%s: %p", (text, sorts) => expect(valuesOf(text).map(({ sort }) => sort)).toEqual(sorts));

test("a word without a meaning of its own is not what is counted", () => {
  expect(valuesOf("Room 14 and the hall").map(({ noun }) => noun)).toEqual([""]);
});

test.each([
  ["12.06.2026", "12 June 2026", true],
  ["06/12/2026", "12 June 2026", true],
  ["12.06.2026", "13 June 2026", false],
  ["June 2026", "12 June 2026", true],
  ["30 days", "one month", true],
  ["90 days", "3 months", true],
  ["5 weeks", "one month", false],
  ["30 days", "31 days", false],
  ["1 mile", "1.6 km", true],
  ["180 °C", "356 °F", true],
  ["180 °C", "180 degrees Fahrenheit", false],
  ["24:00", "midnight", true],
  ["1 Gbit/s", "1 Mbit/s", false],
  ["1 GHz", "1000 MHz", true],
  ["1 bar", "1000 mbar", true],
  ["12 V", "12 W", false],
  ["50 mph", "50 km/h", false],
  ["2 hectares", "2 m²", false],
  ["20 euros", "20 guests", false],
  ["40 euros", "45 dollars", true],
  ["40 euros", "45 euros", false],
  ["40 euros", "45 dollars", true],
  ["20 cents", "€0.20", true],
  ["20 cents", "€0.15", false],
  ["50 pence", "£0.40", false],
])("%s and %s can be equal: %p", (a, b, expected) => {
  const [x, y] = [a, b].map((text) => valuesOf(`It is ${text}.`)[0]!) as [never, never];
  expect(canBeEqual(x, y)).toBe(expected);
});

test.each([["one of them"], ["three of them came back"]])("%s contains no value", (text) =>
  expect(valuesOf(text)).toEqual([]),
);

test("a number such as 2025/076 contains no year", () => {
  expect(valuesOf("motion 2025/076").map(({ sort }) => sort)).not.toContain("year");
  expect(valuesOf("the season 2025/26").map(({ sort }) => sort)).toContain("year");
});
