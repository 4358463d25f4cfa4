// The extractive answer: sentences of the evidence, chosen on this machine. The answering worker chooses; this only passes
// texts and vectors between that worker and the embedder.

import type { ExtractiveAnswer } from "../../engine/answering/answer.ts";
import type { AnsweringWorker } from "../../engine/answering/worker.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import type { EmbeddedPassages } from "../../engine/embedding/worker.ts";
import type { Gathered } from "./gather.ts";

/** What extractive answers need. */
export interface ExtractionDeps {
  embedder: Embedder;
  answeringWorker: AnsweringWorker;
}

/**
 * Answers from the evidence alone; the same question and evidence give the same answer. Rejects with
 * Failure("unavailable") when the embedder cannot be used, when too many questions are being answered or when the answering
 * worker was restarted in between.
 */
export async function extractAnswer(
  { embedder, answeringWorker: { call } }: ExtractionDeps,
  query: string,
  { evidence, near }: Gathered,
): Promise<ExtractiveAnswer> {
  const { id, queries, passages } = await call.prepare({ question: query, evidence, near });
  try {
    const [searches, texts, units] = await Promise.all([
      Promise.all(queries.map(({ search }) => embedder.embedQuery(search))),
      Promise.all(queries.map(({ text }) => embedder.embedQuery(text))),
      embedder.embedPassages(passages, "urgent"),
    ]);
    const vectors = { searches, texts, units: firstWindows(units) };
    const closerPassages = await call.shortlist({ id, vectors });
    const closer = await embedder.embedPassages(closerPassages, "urgent");
    return await call.answer({ id, closer: firstWindows(closer) });
  } catch (error) {
    call.discard({ id }).catch(() => {});
    throw error;
  }
}

/** A sentence fits into one window; a long block is represented by its first one. */
const firstWindows = ({ windows }: EmbeddedPassages) => windows.map(([first]) => first!);
