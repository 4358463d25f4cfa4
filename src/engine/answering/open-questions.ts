// The questions that are being answered: keeps what was prepared for each between the steps, so that only texts to embed,
// vectors and the answer leave the worker. Bounded; it knows neither the embedder nor the transport.

import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Failure } from "../../kernel/errors.ts";
import { createIdSource } from "../../kernel/ids.ts";
import {
  answer,
  closerPassages,
  type ExtractiveAnswer,
  type Passage,
  type Prepared,
  passagesOf,
  prepare,
  type Shortlist,
  shortlist,
  type Vectors,
} from "./answer.ts";
import { type Message, modelMessages } from "./prompt.ts";
import type { Evidence } from "./units.ts";

/** One question takes up to 1 MB: its evidence and 60 vectors. */
const MAX_OPEN = 256;
/** An older question is forgotten when another one needs its place: its caller is gone. */
const MAX_AGE_MS = 5 * 60_000;

/** A prepared question: its id and the texts to embed for it. */
interface OpenedQuestion {
  id: string;
  /** For each part of the question two texts to embed as queries. */
  queries: { search: string; text: string }[];
  passages: Passage[];
}

/** The steps of an answer, in order; see WorkerApi. */
export type AnsweringApi = {
  /** Opens a question. Throws Failure("unavailable") when too many are open. */
  prepare(input: {
    question: string;
    evidence: readonly Evidence[];
    near: readonly string[];
  }): OpenedQuestion;
  /** Takes the vectors of what `prepare` returned and returns the passages to embed next. Throws as `answer` does. */
  shortlist(input: { id: string; vectors: Vectors }): Passage[];
  /** Takes the vectors of the second passages, returns the answer and closes the question. Throws Failure("unavailable") when the question is not open, as after a restart of the worker. */
  answer(input: { id: string; closer: readonly Float32Array[] }): ExtractiveAnswer;
  /** Closes a question that nobody will finish. */
  discard(input: { id: string }): null;
  /** The messages that ask a language model the same. */
  messages(input: { question: string; evidence: readonly Evidence[] }): Message[];
};

interface OpenQuestion {
  prepared: Prepared;
  openedAt: number;
  /** Once the first vectors are known. */
  round?: { vectors: Vectors; chosen: Shortlist };
}

/** The steps over a store of open questions; tests replace `clock`. */
export function openQuestions(clock: Clock = systemClock): AnsweringApi {
  const questions = new Map<string, OpenQuestion>();
  /** Unique also across restarts: a later worker must not take another question's id. */
  const nextId = createIdSource();

  const makePlace = () => {
    if (questions.size < MAX_OPEN) return;
    const oldest = clock.monotonic() - MAX_AGE_MS;
    for (const [id, { openedAt }] of questions) if (openedAt < oldest) questions.delete(id);
    if (questions.size >= MAX_OPEN) throw new Failure("unavailable", "too many questions are being answered");
  };
  const find = (id: string): OpenQuestion => {
    const question = questions.get(id);
    if (!question) throw new Failure("unavailable", "the question was lost while it was being answered");
    return question;
  };

  return {
    prepare({ question, evidence, near }) {
      makePlace();
      const prepared = prepare(question, evidence, near);
      const id = nextId(clock.now());
      questions.set(id, { prepared, openedAt: clock.monotonic() });
      const queries = prepared.question.parts.map(({ search, text }) => ({ search, text }));
      return { id, queries, passages: passagesOf(prepared) };
    },
    shortlist({ id, vectors }) {
      const question = find(id);
      const chosen = shortlist(question.prepared, vectors);
      question.round = { vectors, chosen };
      return closerPassages(question.prepared, chosen);
    },
    answer({ id, closer }) {
      const { prepared, round } = find(id);
      questions.delete(id);
      if (!round) throw new Error("shortlist was not called");
      return answer(prepared, { ...round, closer });
    },
    discard({ id }) {
      questions.delete(id);
      return null;
    },
    messages: ({ question, evidence }) => modelMessages(question, evidence),
  };
}
