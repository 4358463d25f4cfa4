// The extractive answer: sentences of the evidence chosen with the embedder's help, on this machine. The choosing is pure
// and stands in engine/answering; this gets it its vectors.

import {
  type Answer,
  answer,
  closerPassages,
  passagesOf,
  shortlist,
  type Vectors,
} from "../../engine/answering/answer.ts";
import type { AnsweringWorker } from "../../engine/answering/worker.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import type { EmbeddedPassages } from "../../engine/embedding/worker.ts";
import type { Gathered } from "./gather.ts";

/** What extractive answers need. */
export interface ExtractionDeps {
  embedder: Embedder;
  answeringWorker: AnsweringWorker;
}

/** Answers from the evidence alone; the same question and evidence give the same answer. */
export async function extractAnswer(
  { embedder, answeringWorker }: ExtractionDeps,
  query: string,
  { evidence, near }: Gathered,
): Promise<Answer> {
  const prepared = await answeringWorker.call.prepare({ question: query, evidence, near });
  const parts = prepared.question.parts;
  const [searches, texts, passages] = await Promise.all([
    Promise.all(parts.map(({ search }) => embedder.embedQuery(search))),
    Promise.all(parts.map(({ text }) => embedder.embedQuery(text))),
    embedder.embedPassages(passagesOf(prepared), "urgent"),
  ]);
  const vectors: Vectors = { searches, texts, units: firstWindows(passages) };
  const chosen = shortlist(prepared, vectors);
  const closer = await embedder.embedPassages(closerPassages(prepared, chosen), "urgent");
  return answer(prepared, vectors, chosen, firstWindows(closer));
}

/** A sentence is one window; of a long block its beginning stands for it. */
const firstWindows = ({ windows }: EmbeddedPassages) => windows.map(([first]) => first!);
