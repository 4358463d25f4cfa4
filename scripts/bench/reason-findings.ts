// The judged answers of question sets as findings: overall, by set, by type of question.

import { type Finding, mean, median, percentile } from "./measures.ts";
import { add, MEASURES, type ReasonCase, type Share, type Verdict } from "./reason-cases.ts";

/** A question and what its answer is worth. */
export type Judged = { one: ReasonCase; verdict: Verdict };

/** Every measure, each with `prefix` before its words, then the words of answers. */
export function* findings(prefix: string, judged: readonly Judged[]): Generator<Finding> {
  for (const [name, measure] of Object.entries(MEASURES)) {
    const { hits, of } = total(judged, name as keyof typeof MEASURES);
    if (of > 0) yield { measure: `${prefix}${measure} (of ${of})`, value: hits / of, unit: "" };
  }
  const words = judged.map(({ verdict }) => verdict.words);
  yield { measure: `${prefix}words of an answer, mean`, value: mean(words), unit: "" };
  yield { measure: `${prefix}words of an answer, median`, value: median(words), unit: "" };
  yield { measure: `${prefix}words of an answer, p90`, value: percentile(words, 0.9), unit: "" };
}

/** The measures of all answers, then the share of facts by type of question. */
export function* summary(all: readonly Judged[]): Generator<Finding> {
  yield* findings("", all);
  for (const [type, judged] of Map.groupBy(all, ({ one }) => one.type)) {
    const { hits, of } = total(judged, "facts");
    yield { measure: `${type}: ${MEASURES.facts} (of ${of})`, value: hits / of, unit: "" };
  }
}

const total = (judged: readonly Judged[], name: keyof typeof MEASURES): Share =>
  judged.reduce((sum, { verdict }) => add(sum, verdict[name]), { hits: 0, of: 0 });
