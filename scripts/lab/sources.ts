// Finds out which chunks and passages contain a source of the answer to a question.

import type { IndexedPassage } from "../../src/engine/answers/3-rank/features.ts";
import type { Evidence } from "../../src/engine/answers/2-passages/passages.ts";
import { fold, type ReasonCase } from "../bench/reason-cases.ts";

/** Whether a chunk contains a passage that answers the question. */
export function isSource(
  one: ReasonCase,
  { documentId, text }: Evidence,
  names: ReadonlyMap<string, string>,
): boolean {
  return one.sources.some(
    ({ document, passage }) => names.get(documentId) === document && overlaps(fold(text), fold(passage)),
  );
}

/** A chunk contains the passage, or is a piece of it. */
const overlaps = (text: string, passage: string) =>
  text.includes(passage) || (text.length > 40 && passage.includes(text));

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
/** Whether a passage is what a source states, or a part of it. */
export const containsSource = ({ plain, cells }: IndexedPassage, source: string) =>
  bare(plain).includes(bare(source)) ||
  bare(source).includes(bare(plain)) ||
  (cells?.every(({ value }) => bare(source).includes(bare(value))) ?? false);
