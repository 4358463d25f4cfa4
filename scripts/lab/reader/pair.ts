// The two texts that the reading model reads together.

import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { titleOf } from "../../../src/engine/answers/4-read.ts";
import { plainText } from "../../../src/engine/markdown/inline.ts";
import type { Reading } from "../../../src/engine/inference/reader.ts";

/** A question and a text with its context, as train.py gives them to the model. */
export const pairOf = (
  question: string,
  { context, passage }: Omit<Reading, "question">,
): [string, string] => [question, `${context} ${passage}`.trim()];

/** A whole paragraph after title and headings. */
export const textOfParagraph = (paragraph: Evidence) => ({
  context: titleOf(paragraph),
  passage: plainText(paragraph.text).replace(/\s+/g, " "),
});
