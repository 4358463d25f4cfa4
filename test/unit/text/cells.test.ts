// Amounts in the cells of tables.

import { expect, test } from "bun:test";
import { amountOf, columnOf, totalLike } from "../../../src/engine/text/amounts.ts";

test.each([
  ["78", "Weight kg", "mass", 78_000],
  ["78", "Weight (kg)", "mass", 78_000],
  ["9,50", "Price", "number", 9.5],
  ["1,250", "Price", "number", 1250],
  ["1.234,50", "Price", "number", 1234.5],
  ["~ 12", "Places", "number", 12],
  ["12 €", "Price", "money", 12],
  ["free", "Price", "money", 0],
  ["2 h 30 min", "Cooking", "duration", 9_000],
  ["3.5 kg (2 people)", "Weight", "mass", 3_500],
  ["1987", "Built", "number", 1987],
  ["10:30", "Train", "time", 630],
  ["12 June 2026", "Day", "date", 2026 * 372 + 6 * 31 + 12],
  ["9, 12", "Price", "number", Number.NaN],
  ["2–3 h", "Time", "duration", Number.NaN],
])("%s below %s is %s %p", (cell, header, sort, amount) =>
  expect(amountOf(cell, header)).toMatchObject({ sort, amount }),
);

test("a cell without an amount", () => expect(amountOf("on request", "Price")).toBeUndefined());

test.each([
  ["prices and what is free", ["12 €", "free", "9 €"], true],
  ["a cell without an amount", ["12 €", "-", "9 €"], true],
  ["mostly no amounts", ["12 €", "-", "-"], false],
  ["two currencies", ["12 €", "$9"], false],
  ["a day and a week", ["12 € per day", "60 € per week"], false],
  ["two sorts", ["12 €", "3 days"], false],
  ["a cell with two amounts", ["12 €", "9 € or 8 €"], false],
])("a column of %s can be compared: %j %p", (_what, cells, can) =>
  expect(columnOf("Price", cells) !== undefined).toBe(can),
);

test.each([
  [["£345.00", "£19.00"], "£364.00"],
  [["9,50 €", "12 €"], "21,50 €"],
  [["2 kg", "500 g"], "2.5 kg"],
  [["20 € per day", "22.5 € per day"], "42.5 € per day"],
])("the total of %j is %s", (cells, expected) => {
  const amounts = cells.map((cell) => amountOf(cell, "")!);
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0);
  expect(totalLike(amounts, total)).toBe(expected);
});
