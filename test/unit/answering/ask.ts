// Asks the engine with the shipped weights.

import { answer } from "../../../src/engine/answering/answer.ts";
import type { Evidence } from "../../../src/engine/answering/passages.ts";
import { chunk } from "./evidence.ts";
import models from "../../../src/engine/answering/weights.json";

export const BOUNDS = { limit: 8, maxTokens: 6_000 };
export const MEANS = { models, bounds: BOUNDS };

/** The answer to a question from this evidence. */
export const ask = (question: string, ...evidence: Evidence[]) =>
  answer({ question, evidence, near: evidence.map(({ text }) => text) }, MEANS);

/** The conflicts between two statements, or between the chunks that contain them. */
export const contradict = (question: string, a: string | Evidence, b: string | Evidence) =>
  ask(question, ...[a, b].map((one, i) => (typeof one === "string" ? chunk(i === 0 ? "a" : "b", one) : one)))
    .conflicts;
