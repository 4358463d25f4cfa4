// Answers a question with citations: gathers evidence, answers from it (with a language model if one is configured,
// otherwise with passages of the evidence) and removes citations of anything else. The answering worker reads and
// chooses passages. It stores nothing.

import { citedIn, keepKnown } from "./citations.ts";
import { type ModelAnswer, readModelAnswer } from "./model-answer.ts";
import { type Frames, framesFor } from "../../kernel/answer-frames.ts";
import { render } from "./render.ts";
import type { Block } from "../../engine/answers/8-blocks.ts";
import type { Cosines } from "../../engine/answers/other-languages.ts";
import type { Trace } from "../../engine/answers/trace.ts";
import type { AnsweringWorker } from "../../engine/answers/worker.ts";
import type { LanguageDetector } from "../../engine/language/detector.ts";
import { type Language, OTHER, UNKNOWN } from "../../engine/language/words.ts";
import { withAnySignal } from "../../kernel/abort.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import { dot } from "../../kernel/vectors.ts";
import type { RetrievalDeps } from "../chunks/retrieve.ts";
import type { FoundEvidence } from "../../retrieval/search/evidence.ts";
import { gatherEvidence, type Question } from "./gather.ts";
import type { Bounds } from "../../engine/answers/3-rank/bounds.ts";
import type { Evidence } from "../../engine/answers/2-passages/passages.ts";
import { askModel, ModelFailure, type ModelServer } from "./llm.ts";

/** What cited answers need. */
export interface ReasonDeps extends RetrievalDeps {
  answeringWorker: AnsweringWorker;
  clock: Clock;
  log: Log;
  /** Finds the language of a question; undefined if all are English. */
  detector: LanguageDetector | undefined;
  /** The configured language model; null for none. */
  modelServer: ModelServer | null;
  /** Fires when the server stops. */
  stopping: AbortSignal;
}

export interface Citation {
  chunkId: string;
  documentId: string;
  documentTitle: string;
  score: number;
}

export interface CitedAnswer {
  answer: string;
  citations: Citation[];
  gaps: string[];
  conflicts: string[];
  chunksGathered: number;
  citationsDropped: number;
  /** What the answer consists of; undefined if a language model wrote it. */
  blocks?: Block[];
  trace?: Trace;
  /** The ISO 639-1 code of the question's language, if that is known. */
  language?: string;
  /** Why the configured language model did not answer. */
  fallback?: string;
}

/** A question with the signal that nobody waits for its answer any more. */
export interface AskedQuestion extends Question, Bounds {
  cancelled?: AbortSignal;
  /** Whether to return what each step did. */
  explain?: boolean;
}

/**
 * Answers from the user's documents. Rejects with Failure("unavailable") when embedder or answering worker cannot be
 * used, and with the signal's reason once it fires.
 */
export async function reason(
  deps: ReasonDeps,
  userId: string,
  { cancelled = new AbortController().signal, ...request }: AskedQuestion,
): Promise<CitedAnswer> {
  const { call } = deps.answeringWorker;
  const { query: question, limit, maxTokens, explain = false } = request;
  const parts = await call.parts({ question });
  cancelled.throwIfAborted();
  const found = await gatherEvidence(deps, userId, { ...request, parts });
  cancelled.throwIfAborted();
  const asked = { question, ...found, limit, maxTokens, isTraced: explain };
  const byModel = await modelAnswer(deps, asked, cancelled);
  if (byModel && "answer" in byModel) return byModel;
  cancelled.throwIfAborted();
  const [extracted, language] = await Promise.all([
    cosinesFor(deps, found).then((cosines) => call.answer({ ...asked, ...(cosines && { cosines }) })),
    deps.detector?.ofQuery(question),
  ]);
  const { blocks, trace } = extracted;
  const code = codeOf(language);
  const answered = quotedAnswer(usedOf(found, extracted), blocks, framesFor(code));
  return { ...answered, ...(code !== undefined && { language: code }), ...(trace && { trace }), ...byModel };
}

/** The cosines that an answer in other languages than English needs; undefined if it is in English. */
async function cosinesFor(
  { answeringWorker, spaces }: ReasonDeps,
  found: FoundEvidence,
): Promise<Cosines | undefined> {
  const model = spaces.multilingual();
  const compared = model && (await answeringWorker.call.toCompare(found));
  if (!compared) return undefined;
  return Promise.all(
    compared.map(async ({ question, texts }) => {
      const [asked, { windows }] = await Promise.all([
        model.embedQuery(question),
        model.embedPassages(
          texts.map((text) => ({ context: "", text })),
          "urgent",
        ),
      ]);
      return windows.map((vectors) => Math.max(...vectors.map((vector) => dot(asked, vector))));
    }),
  );
}

const codeOf = (language: Language | undefined) =>
  language === UNKNOWN || language === OTHER ? undefined : language;

type Used = Pick<FoundEvidence, "parts" | "evidence">;

/** The evidence that an answer is made from, of what was found. */
const usedOf = ({ parts, evidence }: FoundEvidence, { gathered }: { gathered: readonly number[] }): Used => ({
  parts,
  evidence: gathered.map((index) => evidence[index]!),
});

async function modelAnswer(
  { modelServer, answeringWorker, log, stopping }: ReasonDeps,
  asked: { question: string } & FoundEvidence & Bounds,
  cancelled: AbortSignal,
): Promise<CitedAnswer | { fallback: string } | undefined> {
  if (modelServer === null || asked.evidence.length === 0) return undefined;
  try {
    const { messages, gathered } = await answeringWorker.call.messages(asked);
    const ask = (stopped: AbortSignal) => askModel(modelServer, messages, { stopping: stopped });
    const draft = readModelAnswer(await withAnySignal([stopping, cancelled], ask));
    if (!draft) throw new ModelFailure("llm_answer_invalid", "the reply is not the requested JSON");
    const answer = writtenAnswer(usedOf(asked, { gathered }), draft);
    if (citedIn(answer.answer).length === 0)
      throw new ModelFailure("llm_answer_uncited", "the answer cites none of the gathered chunks");
    return answer;
  } catch (error) {
    cancelled.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    log.warn("the language model gave no usable answer: sentences are quoted instead", {
      code: error.code,
      reason: error.message,
    });
    return { fallback: error.code };
  }
}

/** The answer that quotes. Also sections of gathered chunks and the paragraphs that introduce them may be cited. */
function quotedAnswer({ parts, evidence }: Used, blocks: Block[], frames: Frames): CitedAnswer {
  const neighbours = evidence.flatMap((chunk) =>
    [chunk.heading?.id, chunk.titleId, chunk.previousId].flatMap((id) =>
      id === undefined ? [] : [[id, chunk] as const],
    ),
  );
  const known = new Map([...neighbours, ...evidence.map((chunk) => [chunk.id, chunk] as const)]);
  const rendered = render(blocks, frames);
  const citations = citationsOf([rendered.answer, ...rendered.conflicts], known, parts);
  return { ...rendered, blocks, citations, chunksGathered: evidence.length, citationsDropped: 0 };
}

/**
 * The answer of a language model without citations of chunks that were not gathered. A conflict that cites none of them
 * is removed too: it cannot be checked.
 */
function writtenAnswer({ parts, evidence }: Used, draft: ModelAnswer): CitedAnswer {
  const known = new Map(evidence.map((chunk) => [chunk.id, chunk] as const));
  const dropped = new Set<string>();
  const withKnownCitations = (text: string) => keepKnown(text, (id) => known.has(id), dropped);
  const answer = withKnownCitations(draft.answer);
  const conflicts = draft.conflicts.map(withKnownCitations).filter((text) => citedIn(text).length > 0);
  const gaps = draft.gaps
    .map((gap) => keepKnown(gap, () => false, new Set()).trim())
    .filter((gap) => gap !== "");
  const citations = citationsOf([answer, ...conflicts], known, parts);
  return {
    answer,
    citations,
    gaps,
    conflicts,
    chunksGathered: evidence.length,
    citationsDropped: dropped.size,
  };
}

/** The known chunks that texts cite, each once, in order of appearance. */
const citationsOf = (
  texts: readonly string[],
  known: ReadonlyMap<string, Evidence>,
  parts: FoundEvidence["parts"],
): Citation[] =>
  [...new Set(texts.flatMap(citedIn))].flatMap((id) => {
    const chunk = known.get(id);
    if (!chunk) return [];
    const { documentId, title } = chunk;
    const score = Math.max(0, ...parts.map(({ hits }) => hits.get(chunk.id)?.score ?? 0));
    return [{ chunkId: id, documentId, documentTitle: title, score }];
  });
