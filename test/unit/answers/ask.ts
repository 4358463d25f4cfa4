// Asks the engine with the shipped weights.

import { answer } from "../../../src/engine/answers/answer.ts";
import { loadReader } from "../../../src/engine/inference/reader.ts";
import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { chunk, inputOf } from "./evidence.ts";
import { render } from "../../../src/features/reason/render.ts";
import { modelRuntime } from "../../../src/base/assets.ts";
import { readerDirectory } from "../../../src/base/models.ts";
import models from "../../../src/engine/answers/weights.json";

export const BOUNDS = { limit: 8, maxTokens: 6_000 };
export const READER = { readerDirectory: readerDirectory(), runtime: modelRuntime() };
export const MEANS = {
  models,
  reader: await loadReader(READER.readerDirectory, READER.runtime),
  bounds: BOUNDS,
};

/** The answer to a question from this evidence. */
export async function ask(question: string, ...evidence: Evidence[]) {
  const input = inputOf(question, evidence, { near: evidence.map(({ text }) => text) });
  const { blocks } = await answer(input, MEANS);
  return { blocks, ...render(blocks) };
}

/** The conflicts between two statements, or between the chunks that contain them. */
export async function contradict(question: string, a: string | Evidence, b: string | Evidence) {
  const evidence = [a, b].map((one, i) => (typeof one === "string" ? chunk(i === 0 ? "a" : "b", one) : one));
  return (await ask(question, ...evidence)).conflicts;
}
