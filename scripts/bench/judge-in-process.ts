// Answers gathered questions in this process, without a server, and judges the answers.

import { answerPrepared, type SwitchableStep } from "../../src/engine/answers/answer.ts";
import type { Models } from "../../src/engine/answers/3-rank/rank.ts";
import type { PassageReader } from "../../src/engine/inference/reader.ts";
import { render } from "../../src/features/reason/render.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { GatheredCase } from "./gather-set.ts";
import { type CitedChunk, judge, type Verdict } from "./reason-cases.ts";

/** What a request may use that names no bounds. */
export const BOUNDS = { limit: LIMITS.reason.defaultLimit, maxTokens: LIMITS.reason.defaultTokens };

/** The pairs of passages of a set that contradict each other. */
export const conflictsOf = (set: string, cases: readonly GatheredCase[]) =>
  cases.filter((other) => other.set === set).flatMap(({ one }) => one.conflicts);

/** Answers a question with these models and judges the answer. `cases` are all of its set. */
export async function judgeInProcess(
  one: GatheredCase,
  cases: readonly GatheredCase[],
  means: { models: Models; reader: PassageReader; without?: ReadonlySet<SwitchableStep> },
): Promise<Verdict> {
  const { blocks } = await answerPrepared(one.parts, one.evidence, { ...means, bounds: BOUNDS });
  const chunks = new Map<string, CitedChunk>();
  for (const { id, documentId, text, before, previousId, heading } of one.evidence) {
    const document = one.names.get(documentId)!;
    if (previousId !== undefined && before !== undefined && !chunks.has(previousId))
      chunks.set(previousId, { document, content: before });
    if (heading) chunks.set(heading.id, { document, content: `${heading.text}\n${text}` });
    chunks.set(id, { document, content: text });
  }
  const cited = { ...render(blocks), blocks, citations: [], meta: { latencyMs: 0 } };
  return judge(one.one, { reply: cited, chunks, conflictsOfSet: conflictsOf(one.set, cases) });
}
