// Parts of questions, and what they ask for: the example of each type.

import { describe, expect, test } from "bun:test";
import { partsOf } from "../../../src/engine/answers/1-question/question.ts";
import { QUESTION_TYPES } from "../../../src/engine/answers/1-question/question-types.ts";
import { typeOf } from "../../../src/engine/answers/1-question/type-of-question.ts";

const texts = (question: string) => partsOf(question).map(({ text }) => text);

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
    ["What is the difference between a cold and a warm start?", ["what is a cold", "what is a warm start"]],
    ["Is it on or is it off?", ["Is it on or is it off"]],
    ["bolt torque", ["bolt torque"]],
    ["", [""]],
    ["Does Dr. Smith work on Mondays?", ["Does Dr. Smith work on Mondays"]],
    ["Is St. Mary open? where is it?", ["Is St. Mary open", "where is it"]],
    ["What does the ? character mean?", ["What does the ? character mean"]],
    ["Which rooms have a sink and have heating?", ["Which rooms have a sink and have heating"]],
    ["Which rooms have a sink and are heated?", ["Which rooms have a sink and are heated"]],
    ["Which hut is small and has a stove?", ["Which hut is small and has a stove"]],
    ["What must I pack and do before the trip?", ["What must I pack and do before the trip"]],
    ["What does a room cost and is breakfast included?", ["What does a room cost", "is breakfast included"]],
    ["Is the sauna open and can children swim?", ["Is the sauna open", "can children swim"]],
    ["Who is the head and does Anna know her?", ["Who is the head", "does Anna know her"]],
    [
      "What are the opening hours and the entrance fee?",
      ["What are the opening hours", "What are the entrance fee"],
    ],
    ["What is the weight and price?", ["What is the weight", "What is the price"]],
    ["What are the terms and conditions?", ["What are the terms and conditions"]],
    ["When are wages paid, and by whom?", ["When are wages paid", "by whom are wages paid"]],
    ["What does it cost and why?", ["What does it cost", "why does it cost"]],
    ["Who said what and when?", ["Who said what and when"]],
    ["My hut leaks - who do I call?", ["My hut leaks, who do I call"]],
    ["How big is it - and who built it?", ["How big is it", "who built it"]],
    ["I lost my key. What does a new one cost?", ["What does a new one cost"]],
    ["What I bought is torn. May I return it?", ["May I return it"]],
    ["What is the fee. When is it due.", ["What is the fee", "When is it due"]],
    ["How do I reset it. What does a new one cost?", ["How do I reset it", "What does a new one cost"]],
    [
      "What is the weight, how old is the mill, where is the key, and who built it?",
      ["What is the weight", "how old is the mill", "where is the key", "who built it"],
    ],
    ["Who may rent the hall, is there a minimum age?", ["Who may rent the hall, is there a minimum age"]],
    ["Who may rent it, when nobody else does?", ["Who may rent it, when nobody else does"]],
    ["What if it rains, do we get money back?", ["What if it rains, do we get money back"]],
    [
      "What happens if I am late, may I come in, and who decides?",
      ["What happens if I am late, may I come in", "who decides"],
    ],
    [
      "What is the weight, who built it, and where is it?",
      ["What is the weight", "who built it", "where is it"],
    ],
  ])("%s", (question, expected) => expect(texts(question)).toEqual(expected));

  test("a part with a pronoun is searched with what it refers to, without another year", () => {
    const [, second] = partsOf("What did the lamp cost in 2023, and what does it cost in 2025?");
    expect(second!.search).toContain("lamp");
    const words = second!.terms.map(({ word }) => word);
    expect(words).toContain("lamp");
    expect(words).not.toContain("2023");
  });

  test("a later part is searched with what was asked before it, and nothing behind it", () => {
    const [, second] = partsOf("Who built the old mill, and how big is it - is it open?");
    expect(second!.search).toStartWith("Who built the old mill");
    expect(second!.search.match(/how big/g)).toEqual(["how big"]);
  });

  test("words that only name what is asked for, and words of earlier parts, count less", () => {
    const [first, second] = partsOf("What does the lamp cost, and where is it?");
    const weightOf = (part: typeof first, word: string) =>
      part!.terms.find((term) => term.word === word)!.weight;
    expect(weightOf(first, "lamp")).toBe(1);
    expect(weightOf(first, "cost")).toBeLessThan(0.5);
    expect(weightOf(second, "lamp")).toBe(0.5);
  });

  test("their number is bounded", () => {
    const question = Array.from({ length: 50 }, (_, i) => `what is ${i}`).join(" and ");
    expect(texts(question).length).toBeLessThan(5);
  });
});

describe("types", () => {
  test.each(QUESTION_TYPES.map(({ name, example }) => [example, name] as const))(
    "%s asks for %s",
    (example, name) => expect(typeOf(example).name).toBe(name),
  );

  test("their names are unique", () => {
    expect(new Set(QUESTION_TYPES.map(({ name }) => name)).size).toBe(QUESTION_TYPES.length);
  });
});
