// The extractive answer: sentences of the evidence chosen with the embedder's help, on this machine. The choosing is pure
// and stands in engine/answering; this gets it its vectors.

import {
  type Answer,
  answer,
  likenessOf,
  passagesOf,
  prepare,
  type Vectors,
  wordsToCompare,
} from "../../engine/answering/answer.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import type { Gathered } from "./gather.ts";

/** Answers from the evidence alone; the same question and evidence give the same answer. */
export async function extractAnswer(
  embedder: Embedder,
  query: string,
  { evidence, near }: Gathered,
): Promise<Answer> {
  const prepared = prepare(query, evidence, near);
  const parts = prepared.question.parts;
  const [questions, passages] = await Promise.all([
    Promise.all(parts.map(({ search }) => embedder.embedQuery(search))),
    embedder.embedPassages(passagesOf(prepared), "urgent"),
  ]);
  const vectors: Vectors = { parts: questions, units: passages.windows.map(([first]) => first!) };
  const words = wordsToCompare(prepared, vectors);
  const alone = [...words.values()].map((text) => ({ context: "", text }));
  const { windows } = await embedder.embedPassages(alone, "urgent");
  const byStem = new Map([...words.keys()].map((stem, i) => [stem, windows[i]![0]!]));
  return answer(prepared, vectors, likenessOf(byStem));
}
