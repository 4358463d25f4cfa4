// The steps of an answer, the state between them, and how the feature calls them.

import { describe, expect, test } from "bun:test";
import { openQuestions } from "../../../src/engine/answering/open-questions.ts";
import { extractAnswer } from "../../../src/features/reason/extract.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";

const QUESTION = {
  question: "How much does the lamp weigh?",
  evidence: [
    { id: "c", documentId: "d", title: "Lamp", path: [], text: "The lamp weighs 4 kg. It is red.", score: 1 },
  ],
  near: [],
};
const MANY = 300;
const vector = () => Float32Array.of(1, 0);
const lost = expect.objectContaining({ kind: "unavailable" });

function answerTo(steps: ReturnType<typeof openQuestions>, id: string) {
  const vectors = { searches: [vector()], texts: [vector()], units: [vector(), vector()] };
  const closer = steps.shortlist({ id, vectors });
  return steps.answer({ id, closer: closer.map(vector) });
}

describe("open questions", () => {
  test("only texts to embed and the answer leave", () => {
    const steps = openQuestions();
    const opened = steps.prepare(QUESTION);
    expect(opened).toEqual({
      id: expect.any(String),
      queries: [{ search: "How much does the lamp weigh?", text: "How much does the lamp weigh" }],
      passages: [
        { context: "Lamp", text: "The lamp weighs 4 kg." },
        { context: "Lamp", text: "It is red." },
      ],
    });
    expect(answerTo(steps, opened.id)).toEqual({
      answer: "The lamp weighs 4 kg. [[c]]",
      gaps: [],
      conflicts: [],
    });
  });

  test("a question is closed by its answer and by discard", () => {
    const steps = openQuestions();
    const [first, second] = [steps.prepare(QUESTION), steps.prepare(QUESTION)];
    answerTo(steps, first.id);
    steps.discard({ id: second.id });
    for (const { id } of [first, second]) expect(() => answerTo(steps, id)).toThrow(lost);
  });

  test("a restarted worker does not know the questions of the one before it, nor reuses their ids", () => {
    const { id } = openQuestions().prepare(QUESTION);
    const restarted = openQuestions();
    const other = restarted.prepare(QUESTION);
    expect(other.id).not.toBe(id);
    expect(() => answerTo(restarted, id)).toThrow(lost);
    expect(answerTo(restarted, other.id).gaps).toEqual([]);
  });

  test("their number is bounded; abandoned ones make place after a while", () => {
    const clock = new ManualClock();
    const steps = openQuestions(clock);
    const open = () => {
      for (let i = 0; i < MANY; i++) steps.prepare(QUESTION);
    };
    expect(open).toThrow(lost);
    expect(() => steps.prepare(QUESTION)).toThrow(lost);
    clock.advance(6 * 60_000);
    expect(answerTo(steps, steps.prepare(QUESTION).id).gaps).toEqual([]);
  });
});

describe("extractAnswer", () => {
  function appWith(embedPassages: () => Promise<unknown>) {
    const steps = openQuestions();
    const call = Object.fromEntries(
      Object.entries(steps).map(([name, step]) => [name, async (input: never) => step(input)]),
    );
    const embedder = { embedQuery: async () => vector(), embedPassages };
    return { embedder, answeringWorker: { call } } as unknown as Parameters<typeof extractAnswer>[0];
  }

  test("closes a question that cannot be finished", async () => {
    const app = appWith(async () => {
      throw new Error("no model");
    });
    for (let i = 0; i < MANY; i++)
      await expect(extractAnswer(app, QUESTION.question, QUESTION)).rejects.toThrow("no model");
  });
});
