// The API of the answering worker: everything between question and evidence, and evidence and answer. It keeps the
// reading model and the passages of recent texts in memory.

import type { SupervisedWorker } from "../../workers/supervisor.ts";
import type { Runtime } from "../inference/runtime.ts";
import { openReader } from "../inference/open-reader.ts";
import { answer, type ExtractiveAnswer } from "./answer.ts";
import { type Bounds, withinBounds } from "./3-rank/bounds.ts";
import { type Message, modelMessages } from "./messages.ts";
import { partsOf, type QuestionPart } from "./1-question/question.ts";
import { type Input, prepare, rank } from "./3-rank/rank.ts";
import {
  answerOtherLanguages,
  type Compared,
  type Cosines,
  isBesideEnglish,
  isInOtherLanguages,
  toCompare,
} from "./other-languages.ts";
import models from "./weights.json" with { type: "json" };

/** The parts of a question with their evidence, and how much of that may be used. */
type Request = Input & Bounds;

export type AnsweringApi = {
  /** The parts of a question; at least one. */
  parts(input: { question: string }): QuestionPart[];
  /**
   * What is to be compared with the parts of a question before it is answered, if it or the best documents are not in
   * English.
   */
  toCompare(input: Input): Compared[] | undefined;
  /**
   * The extractive answer, for other languages with the cosines of what was compared. Rejects with
   * Failure("unavailable") if the reading model is needed and cannot be used.
   */
  answer(input: Request & { cosines?: Cosines; isTraced?: boolean }): Promise<ExtractiveAnswer>;
  /** The messages that ask a language model the same, and the indexes of the evidence in them. */
  messages(input: Request & { question: string }): { messages: Message[]; gathered: number[] };
  /** Resolves when the reading model is loaded; rejects as `answer` does. */
  load(input: null): Promise<null>;
  /** Rejects answers that wait for the reading model; resolves when the thread may be terminated. */
  stop(input: null): Promise<null>;
};

export interface AnsweringOptions {
  /** The folder of the reading model. */
  readerDirectory: string;
  runtime: Runtime;
}

/** The worker as its callers use it. */
export type AnsweringWorker = Pick<SupervisedWorker<AnsweringApi>, "call">;

const isAnswered = ({ blocks }: ExtractiveAnswer) =>
  blocks.some(({ kind }) => kind === "direct" || kind === "computed");

/** Starts loading the reading model and returns at once; answers wait for it. */
export async function serveAnswering({ readerDirectory, runtime }: AnsweringOptions): Promise<AnsweringApi> {
  const reader = openReader(readerDirectory, runtime);
  return {
    parts: ({ question }) => partsOf(question),
    toCompare: (input) => (isInOtherLanguages(input.parts) ? toCompare(input) : undefined),
    async answer({ isTraced = false, cosines, ...request }) {
      const inEnglish = () => answer(request, { models, reader, bounds: request, isTraced });
      if (!cosines) return inEnglish();
      const other = answerOtherLanguages(request, { ...request, cosines, isTraced });
      if (isAnswered(other) || !request.parts.some(isBesideEnglish)) return other;
      const english = await inEnglish();
      return isAnswered(english) ? english : other;
    },
    messages(request) {
      const { question, evidence } = request;
      const { gathered } = withinBounds(rank(prepare(request), models), evidence, request);
      const used = gathered.map((index) => evidence[index]!);
      return { messages: modelMessages(question, used), gathered };
    },
    async load() {
      await reader.load();
      return null;
    },
    async stop() {
      await reader.stop();
      return null;
    },
  };
}
