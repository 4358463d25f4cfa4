// Which words answer a question that asks for no amount.

import { expect, test } from "bun:test";
import { termsOf } from "../../../src/engine/language/terms.ts";
import { wordAnswersTo } from "../../../src/engine/language/word-answers.ts";

const QUESTION = { text: "How often is it done?", terms: [] };

test.each([
  ["every three months", [4]],
  ["quarterly", [4]],
  ["once a month", [12]],
  ["four times per year", [4]],
  ["twice weekly", [104]],
  ["every second week", [26]],
  ["each day and every 2 hours", [365, 4380]],
  ["on Mondays", [52]],
  ["every second Friday", [26]],
  ["in the third week", []],
])("%s is %j times a year", (text, amounts) =>
  expect(wordAnswersTo("frequency", QUESTION)?.(text).map(({ amount }) => amount)).toEqual(amounts),
);

test.each([
  ["colour", "What colour is it?", "It is gray or Blue.", ["grey", "blue"]],
  ["age", "How old must I be?", "From 14 years, or 12 years old with an adult.", ["14", "12"]],
  ["age", "How old must I be?", "You may ride from the age of 12.", ["12"]],
  ["age", "How old must I be?", "It lasts over 20 minutes and costs over 5 euros.", []],
  ["statement", "Which form do I use for a refund?", "Fill in form B-12 for a refund.", ["b-12"]],
  ["statement", "Which door do visitors use?", "Visitors use the side door.", ["sid"]],
  ["statement", "Which door do visitors use?", "Visitors use the same door.", []],
  ["how-to", "What is the code of the safe?", "The code of the safe is 4711.", ["4711"]],
  ["yes-no", "Is it washed before or after drying?", "Wash it before drying.", ["befor"]],
  ["yes-no", "Is it washed before or after drying?", "Wash it after use, before drying it.", ["befor"]],
  ["time", "At what time is it watered?", "Water it in the morning or at night.", ["morning", "night"]],
  ["yes-no", "Is it washed before or after drying?", "Before and after drying, wash it.", []],
])("%s: %s %s names %j", (type, question, text, keys) =>
  expect(
    wordAnswersTo(type, { text: question, terms: termsOf(question) })?.(text).map(({ key }) => key),
  ).toEqual(keys),
);

test.each([
  ["statement", "Which door is locked at night?"],
  ["statement", "Which papers do I need?"],
  ["statement", "Which form do I use?"],
  ["yes-no", "Is coffee or tea served?"],
  ["money", "What does it cost?"],
])("%s: %s has several right answers, or none in words", (type, question) =>
  expect(wordAnswersTo(type, { text: question, terms: termsOf(question) })).toBeUndefined(),
);
