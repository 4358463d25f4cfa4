// The API of the answering worker: everything between question and evidence, and evidence and answer. Stateless; it must not
// know storage or the embedder.

import type { SupervisedWorker } from "../../workers/supervisor.ts";
import { answer, type ExtractiveAnswer } from "./answer.ts";
import type { Evidence } from "./passages.ts";
import { type Message, modelMessages } from "./prompt.ts";
import { partsOf } from "./question.ts";
import type { Input } from "./ranking.ts";
import models from "./weights.json" with { type: "json" };

export type AnsweringApi = {
  /** For each part of a question a text to search for; at least one. */
  searches(input: { question: string }): string[];
  /** The extractive answer. `hits` of the evidence have an element for each of `searches`. */
  answer(input: Input): ExtractiveAnswer;
  /** The messages that ask a language model the same. */
  messages(input: { question: string; evidence: readonly Evidence[] }): Message[];
};

/** The worker as its callers use it. */
export type AnsweringWorker = Pick<SupervisedWorker<AnsweringApi>, "call">;

/** The functions of the worker; see WorkerApi. */
export async function serveAnswering(): Promise<AnsweringApi> {
  return {
    searches: ({ question }) => partsOf(question).map(({ search }) => search),
    answer: (input) => answer(input, models),
    messages: ({ question, evidence }) => modelMessages(question, evidence),
  };
}
