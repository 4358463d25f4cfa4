// What questions ask to compute.

import { expect, test } from "bun:test";
import { directionIn, operationOf } from "../../../src/engine/language/comparisons.ts";

test.each([
  ["Which boat is the cheapest?", "Price", "money", false],
  ["Which boat is the least expensive?", "Price", "money", false],
  ["Which boat is the most expensive?", "Price", "money", true],
  ["Who is the oldest?", "Age", "number", true],
  ["Which house is the oldest?", "Year", "year", false],
  ["Who is the fastest?", "Lap", "duration", false],
  ["Which boat is the fastest?", "Speed", "speed", true],
  ["Which club has the most members?", "Members", "number", true],
  ["Which club has the fewest members?", "Members", "number", false],
  ["Which boats are lighter than 50 kg?", "Weight", "mass", false],
  ["Which boats weigh no more than 50 kg?", "Weight", "mass", false],
  ["Which boats weigh no less than 50 kg?", "Weight", "mass", true],
  ["Which boats are less expensive than 50 euros?", "Price", "money", false],
])("%s In %s (%s), the highest: %p", (question, header, sort, isMost) => {
  const operation = operationOf(question);
  if (operation === undefined || operation.kind === "sum") throw new Error("no comparison");
  expect(directionIn(operation.compared, { header, sort })?.isMost).toBe(isMost);
});

test.each([
  ["Which boat costs the most?", "Price", "money", true],
  ["Which boat weighs the least?", "Weight", "mass", false],
  ["For what did we spend the most money altogether?", "Paid in euros", "money", true],
  ["Who won the most games?", "Won", "number", true],
  ["Who scored the fewest?", "Scored", "number", false],
  ["Which takes the longest?", "For how long", "duration", true],
])("%s In %s (%s), the highest: %p", (question, header, sort, isMost) => {
  const operation = operationOf(question);
  if (operation?.kind !== "extreme") throw new Error("no superlative");
  expect(directionIn(operation.compared, { header, sort })?.isMost).toBe(isMost);
});

test.each([
  ["Which has the highest extra charge?", "charge"],
  ["What is the largest number of members in a club?", "members"],
  ["Which is the highest of all?", ""],
])("%s What is compared is called: %s", (question, noun) => {
  const operation = operationOf(question);
  if (operation?.kind !== "extreme") throw new Error("no superlative");
  expect(operation.compared.noun).toBe(noun);
});

test("a superlative within a limit", () =>
  expect(operationOf("Which is the cheapest boat under 50 kg?")).toMatchObject({
    kind: "extreme",
    within: { limit: { sort: "mass" }, isIncluded: false },
  }));

test("a range is one condition", () =>
  expect(operationOf("Which boats cost between 20 and 50 euros?")).toMatchObject({
    kind: "threshold",
    limit: { amount: 20, sort: "money" },
    upTo: { amount: 50 },
  }));

test("an adjective says nothing about other columns", () => {
  const operation = operationOf("Which boat is the cheapest?");
  if (operation?.kind !== "extreme") throw new Error("no superlative");
  expect(directionIn(operation.compared, { header: "Weight", sort: "mass" })).toBeUndefined();
});

test.each([
  ["Which tents hold at least 4 people?", true],
  ["Which tents hold at most 4 people?", true],
  ["Which tents hold more than 4 people?", false],
  ["Which tents hold no more than 4 people?", true],
  ["Which tents hold not less than 4 people?", true],
  ["Which tents hold 4 people or more?", true],
])("%s The limit is included: %p", (question, isIncluded) =>
  expect(operationOf(question)).toMatchObject({ kind: "threshold", isIncluded }),
);

test.each([
  "What does the boat cost at most?",
  "What do most members choose?",
  "What is the fee for children under 12?",
  "What can I cancel up to 14 days before the course?",
  "Which are the two cheapest boats?",
  "Which is the second cheapest boat?",
  "Which boats cost more than 20 and less than 50 euros?",
  "Which boat without a sail is the cheapest?",
  "Which is less expensive, the lake or the river?",
  "When does it open?",
])("nothing: %s", (question) => expect(operationOf(question)).toBeUndefined());
