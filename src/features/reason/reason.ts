// Answers a question with citations: gathers evidence, answers from it (with a language model if one is configured,
// otherwise with sentences of the evidence) and removes citations of anything else. It stores nothing.

import { citedIn, keepKnown } from "../../engine/answering/citations.ts";
import { readModelAnswer } from "../../engine/answering/model-answer.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { RetrievalDeps } from "../chunks/retrieve.ts";
import { type ExtractionDeps, extractAnswer } from "./extract.ts";
import { type Gathered, gatherEvidence, type ReasonRequest } from "./gather.ts";
import { askModel, ModelFailure, type ModelServer } from "./llm.ts";

/** What cited answers need. */
export interface ReasonDeps extends RetrievalDeps, ExtractionDeps {
  clock: Clock;
  log: Log;
  /** The configured language model; null for none. */
  modelServer: ModelServer | null;
  /** Fires when the server stops. */
  stopping: AbortSignal;
}

interface Citation {
  chunkId: string;
  documentId: string;
  documentTitle: string;
  score: number;
  /** The innermost heading above the chunk; empty outside of sections. */
  section: string;
}

export interface CitedAnswer {
  answer: string;
  citations: Citation[];
  gaps: string[];
  conflicts: string[];
  chunksGathered: number;
  citationsDropped: number;
  /** Why the configured language model did not answer. */
  fallback?: string;
}

/** Answers from the user's documents. Rejects with Failure("unavailable") when embedder or answering worker cannot be used. */
export async function reason(deps: ReasonDeps, userId: string, request: ReasonRequest): Promise<CitedAnswer> {
  const gathered = await gatherEvidence(deps, userId, request);
  const byModel = await modelAnswer(deps, request.query, gathered);
  if (byModel && "answer" in byModel) return byModel;
  const extracted = await extractAnswer(deps, request.query, gathered);
  return { ...finish(gathered, extracted, true), ...byModel };
}

interface Draft {
  answer: string;
  gaps: string[];
  conflicts: string[];
}

async function modelAnswer(
  { modelServer, answeringWorker, log, stopping }: ReasonDeps,
  query: string,
  gathered: Gathered,
): Promise<CitedAnswer | { fallback: string } | undefined> {
  const { evidence } = gathered;
  if (modelServer === null || evidence.length === 0) return undefined;
  try {
    const messages = await answeringWorker.call.messages({ question: query, evidence });
    const draft = readModelAnswer(await askModel(modelServer, messages, { stopping }));
    if (!draft) throw new ModelFailure("llm_answer_invalid", "the reply is not the requested JSON");
    const answer = finish(gathered, draft, false);
    if (answer.answer.trim() === "")
      throw new ModelFailure("llm_answer_invalid", "the answer consists of unknown citations");
    return answer;
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    log.warn("the language model gave no usable answer: sentences are quoted instead", {
      code: error.code,
      reason: error.message,
    });
    return { fallback: error.code };
  }
}

/**
 * Removes citations of chunks that were not gathered and lists the others in order of appearance. With `withSections`, the
 * sections of gathered chunks may be cited too; their ids are not sent to a language model.
 */
function finish({ evidence }: Gathered, draft: Draft, withSections: boolean): CitedAnswer {
  const known = new Map(
    evidence.flatMap((chunk) => [
      ...(withSections && chunk.sectionId !== undefined ? [[chunk.sectionId, chunk] as const] : []),
      [chunk.id, chunk] as const,
    ]),
  );
  const dropped = new Set<string>();
  const withKnownCitations = (text: string) => keepKnown(text, (id) => known.has(id), dropped);
  const answer = withKnownCitations(draft.answer);
  const conflicts = draft.conflicts.map(withKnownCitations);
  const gaps = draft.gaps.map((gap) => keepKnown(gap, () => false, new Set()));
  const cited = new Set([answer, ...conflicts].flatMap(citedIn));
  const citations = [...cited].flatMap((id) => {
    const chunk = known.get(id);
    if (!chunk) return [];
    const { documentId, title, score, path } = chunk;
    return { chunkId: id, documentId, documentTitle: title, score, section: path.at(-1) ?? "" };
  });
  return {
    answer,
    citations,
    gaps,
    conflicts,
    chunksGathered: evidence.length,
    citationsDropped: dropped.size,
  };
}
