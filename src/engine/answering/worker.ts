// The API of the answering worker: everything between question and evidence, and evidence and answer. Stateless; it must not
// know storage or the embedder.

import type { SupervisedWorker } from "../../workers/supervisor.ts";
import { type Bounds, withinBounds } from "./bounds.ts";
import { answer, type ExtractiveAnswer } from "./answer.ts";
import { type Message, modelMessages } from "./prompt.ts";
import { partsOf } from "./question.ts";
import { type Input, prepare, rank } from "./ranking.ts";
import models from "./weights.json" with { type: "json" };

/** A question with its evidence, and how much of that may be used. */
type Request = Input & Bounds;

export type AnsweringApi = {
  /** For each part of a question a text to search for; at least one. */
  searches(input: { question: string }): string[];
  /** The extractive answer. `hits` of the evidence have an element for each of `searches`. */
  answer(input: Request): ExtractiveAnswer;
  /** The messages that ask a language model the same, and the indexes of the evidence in them. */
  messages(input: Request): { messages: Message[]; gathered: number[] };
};

/** The worker as its callers use it. */
export type AnsweringWorker = Pick<SupervisedWorker<AnsweringApi>, "call">;

/** The functions of the worker; see WorkerApi. */
export async function serveAnswering(): Promise<AnsweringApi> {
  return {
    searches: ({ question }) => partsOf(question).map(({ search }) => search),
    answer: (request) => answer(request, { models, bounds: request }),
    messages(request) {
      const { question, evidence } = request;
      const { gathered } = withinBounds(rank(prepare(request), models), evidence, request);
      const used = gathered.map((index) => evidence[index]!);
      return { messages: modelMessages(question, used), gathered };
    },
  };
}
