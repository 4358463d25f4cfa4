// Questions for differences and for what changed most; ranges; numbered things.

import { describe, expect, test } from "bun:test";
import { differenceIn, growthIn } from "../../../src/engine/language/differences.ts";
import { placeIn, tierOf, tiersFor } from "../../../src/engine/language/ordinals.ts";
import { isInRange, rangeOf } from "../../../src/engine/language/ranges.ts";
import { valuesOf } from "../../../src/engine/language/values.ts";

test.each([
  ["How much dearer is the tram than the bus?", "the bus", undefined],
  ["How much dearer is a night in high season compared with low season?", "low season", undefined],
  ["How many more seats does the tram have, compared to the bus?", "the bus", undefined],
  ["How many nights longer does Gold pay than Silver?", "Silver", "nights"],
  ["How many more goals did the Owls score than the Foxes?", "the Foxes", undefined],
  ["How many euros higher is the fee for a dog than for a cat, if both are young?", "for a cat", "euros"],
  ["By how many tons did the harvest fall from 2019 to 2020?", "2020", "tons"],
  ["How much did the rent rise between May and June?", "June", undefined],
])("%s The other side: %s, in %s", (question, other, word) => {
  const difference = differenceIn(question);
  expect(difference?.sides[1]).toBe(other);
  expect(difference?.asked?.word).toBe(word!);
});

test.each([
  "How many tents weigh more than 3 kg?",
  "How much does it cost from Monday to Friday?",
  "Which is longer than a week?",
  "How much more do I have to pay?",
])("no difference: %s", (question) => expect(differenceIn(question)).toBeUndefined());

test.each([
  ["Which item grew by the most euros from 2025 to 2026?", 1, true, ["2025", "2026"]],
  ["Which shop had the biggest drop in sales?", -1, true, undefined],
  ["Who fell the least between March and May?", -1, false, ["March", "May"]],
  ["Which price changed most?", 0, true, undefined],
])("%s", (question, direction, isMost, sides) =>
  expect(growthIn(question)).toEqual({ direction, isMost, sides } as ReturnType<typeof growthIn>),
);

test.each(["How much did it grow from 2025 to 2026?", "Which is the most expensive?"])(
  "nothing that changed most: %s",
  (question) => expect(growthIn(question)).toBeUndefined(),
);

describe("ranges", () => {
  test.each([
    ["70–78", "Per cent", "74 percent", true],
    ["70–78", "Per cent", "78 percent", true],
    ["70–78", "Per cent", "79 percent", false],
    ["2,001 to 3,000", "Purchase price", "2,500 euros", true],
    ["2,001 to 3,000", "Length", "2,500 euros", false],
    ["up to 10", "Active users", "ten people", true],
    ["11 to 50", "Active users", "12 euros", false],
    ["2–3 kg", "Parcel", "2.5 kg", true],
    ["500 g to 2 kg", "Parcel", "1 kg", true],
    ["29 to 14 days before arrival", "Cancellation", "20 days", true],
    ["over 5 kg", "Parcel", "5 kg", false],
    ["from 5 kg", "Parcel", "5 kg", true],
    ["under 5 kg", "Parcel", "4999 g", true],
    ["6–17", "Age", "7 years", true],
    ["18 and over", "Age", "18 years", true],
    ["18+", "Age", "17 years", false],
  ])("%s below %s contains %s: %p", (cell, header, text, isIn) => {
    const [value] = valuesOf(text);
    expect(isInRange(value!, rangeOf(cell, header)!, header)).toBe(isIn);
  });

  test.each(["12 kg", "up to 30 days before arrival", "Monday to Friday", "E-46", "–", "12-3"])(
    "%s is none",
    (cell) => expect(rangeOf(cell, "Size")).toBeUndefined(),
  );
});

describe("numbered things", () => {
  const tiers = (...names: string[]) => names.map((name) => tierOf(name)!);

  test.each([
    [["First dog", "Second dog", "Third and every further dog"], 4, [0, 1, 2, 2]],
    [["1st child", "each additional child"], 3, [0, 1, 1]],
    [["First hour", "Second hour"], 3, undefined],
    [["Each further hour"], 1, undefined],
  ])("%j for %d", (names, count, expected) => expect(tiersFor(tiers(...names), count)).toEqual(expected!));

  test.each(["Dog", "Second to fourth dog"])("%s is none", (name) => expect(tierOf(name)).toBeUndefined());
});

test.each([
  ["Who came first?", 1],
  ["Which team finished 3rd in the league?", 3],
  ["Who of us came in second place?", 2],
  ["Which boat came first to the harbour?", 1],
  ["Who came first aid trained?", undefined],
  ["What comes first class?", undefined],
  ["Who wrote the second chapter?", undefined],
])("%s asks for place %p", (question, place) => expect(placeIn(question)).toBe(place!));
