// Fitting logistic models: to single examples, and to the choice among several.

import { expect, test } from "bun:test";
import { fitChoice, fitLogistic } from "./logistic-fit.ts";

test("examples of one label get the larger probability", () => {
  const examples = [0, 0.2, 0.8, 1].map((a) => ({ features: { a, b: 0.5 }, label: a > 0.5 ? 1 : 0 }));
  const weights = fitLogistic(examples, ["a", "b"], 0.1);
  expect(weights.a).toBeGreaterThan(1);
  expect(weights.b).toBeCloseTo(0);
});

test("a feature that is the same for all of a choice has no weight", () => {
  const choices = [0.1, 0.9].map((b) => [
    { features: { a: 1, b }, isRight: true },
    { features: { a: 0, b }, isRight: false },
    { features: { a: 0.2, b }, isRight: false },
  ]);
  const weights = fitChoice(choices, ["a", "b"], 0.1);
  expect(weights.a).toBeGreaterThan(1);
  expect(weights.b).toBeCloseTo(0);
});

test("choices without a right one, and empty ones, change no weight", () => {
  const choice = [
    { features: { a: 1 }, isRight: true },
    { features: { a: 0 }, isRight: false },
  ];
  const none = choice.map(({ features }) => ({ features: { a: 1 - features.a }, isRight: false }));
  expect(fitChoice([choice, none, []], ["a"]).a).toBe(fitChoice([choice], ["a"]).a!);
});
