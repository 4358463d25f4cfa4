// The two texts that the reading model reads together.

import { readingOf } from "../../../src/engine/answering/reading.ts";
import type { Reading } from "../../../src/engine/reading/reader.ts";

/** A question and a text with its context, as train.py gives them to the model. */
export function pairOf(asked: string, text: Omit<Reading, "question">): [string, string] {
  const { question, context, passage } = readingOf(asked, text);
  return [question, `${context} ${passage}`.trim()];
}
