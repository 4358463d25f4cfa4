// Retrieves the best passages and paragraphs for each question about the documents of organisations.jsonl.gz as the product does,
// for train.py:
//
//     cd scripts/lab/reader && bun organisations.ts > organisations-read.jsonl
//
// Prints lines like those of passages.ts, the best passages first. Each also has `compared`: pairs of passages of two documents
// that are among the best ones or are sources, as two texts and what they are to each other.

import { join } from "node:path";
import { withinBounds } from "../../../src/engine/answers/3-rank/bounds.ts";
import { rank } from "../../../src/engine/answers/3-rank/rank.ts";
import { textOf } from "../../../src/engine/answers/4-read.ts";
import models from "../../../src/engine/answers/weights.json" with { type: "json" };
import type { Reading } from "../../../src/engine/inference/reader.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { type GatheredCase, gatherSet } from "../../bench/gather-set.ts";
import { openLocalEmbedder } from "../../bench/local-embedder.ts";
import type { ReasonCase, Source } from "../../bench/reason-cases.ts";
import { containsSource, isSource } from "../sources.ts";
import { pairOf, textOfParagraph } from "./pair.ts";

/**
 * Documents of one organisation by file name, and questions with the sentences that answer; none if no document does.
 * Of some with sentences of two documents, it is known whether these contradict each other.
 */
interface Organisation {
  documents: Record<string, string>;
  questions: { question: string; sources: Source[]; contradict?: boolean }[];
}

/**
 * Two passages and their question: both answer it and contradict each other or agree, or one of them is about something
 * else.
 */
interface Compared {
  question: string;
  texts: [string, string];
  label: "contradict" | "agree" | "other";
}

/** More than the product reads: what it reads depends on the weights. */
const PASSAGES = 24;
const PARAGRAPHS = 8;
/** Of the best passages, so many are compared. */
const COMPARED = 7;
const BOUNDS = { limit: LIMITS.reason.defaultLimit, maxTokens: LIMITS.reason.defaultTokens };

/**
 * The texts read for a question with one part, and which of them answer; undefined if none does although a document
 * does.
 */
function readingsOf({ one, evidence, parts, names }: GatheredCase) {
  const [ranking, ...others] = withinBounds(rank(parts, models), evidence, BOUNDS).rankings;
  if (!ranking || others.length > 0) return undefined;
  const passages = ranking.ranked.slice(0, PASSAGES).map(({ passage }) => passage);
  const chunks = [...new Set(ranking.ranked.map(({ passage }) => passage.chunk))].slice(0, PARAGRAPHS);
  const indexesOf = <T>(all: readonly T[], isRight: (one: T) => boolean) =>
    all.flatMap((candidate, i) => (isRight(candidate) ? i : []));
  const answeredIn = indexesOf(chunks, (chunk) => isSource(one, evidence[chunk]!, names));
  const answeredBy = indexesOf(
    passages,
    (passage) =>
      isSource(one, evidence[passage.chunk]!, names) &&
      one.sources.some((source) => containsSource(passage, source.passage)),
  );
  if (one.sources.length > 0 && answeredBy.length === 0) return undefined;
  const read = (text: Omit<Reading, "question">) => pairOf(ranking.part.search, text);
  return {
    passages: passages.map((passage) => read(textOf(passage, evidence[passage.chunk]!))),
    answeredBy,
    paragraphs: chunks.map((chunk) => read(textOfParagraph(evidence[chunk]!))),
    answeredIn,
  };
}

/**
 * The best passages, in pairs of two documents; those that answer count if it is known whether they contradict each
 * other.
 */
function comparedOf(
  { one, evidence, parts, names }: GatheredCase,
  contradict: boolean | undefined,
): Compared[] {
  const [ranking, ...others] = withinBounds(rank(parts, models), evidence, BOUNDS).rankings;
  if (!ranking || others.length > 0) return [];
  const best = ranking.ranked.slice(0, COMPARED).map(({ passage }) => {
    const place = evidence[passage.chunk]!;
    const { context, passage: text } = textOf(passage, place);
    const source = one.sources.findIndex(
      ({ document, passage: words }) =>
        names.get(place.documentId) === document && containsSource(passage, words),
    );
    return { document: place.documentId, text: `${context} ${text}`.trim(), source };
  });
  return best.flatMap((a, i) =>
    best.slice(i + 1).flatMap((b): Compared[] => {
      if (a.document === b.document || (a.source >= 0 && a.source === b.source)) return [];
      const pair = { question: ranking.part.search, texts: [a.text, b.text] as [string, string] };
      if (a.source < 0 || b.source < 0) return [{ ...pair, label: "other" }];
      return contradict === undefined ? [] : [{ ...pair, label: contradict ? "contradict" : "agree" }];
    }),
  );
}

const embedder = openLocalEmbedder();
const file = await Bun.file(join(import.meta.dir, "organisations.jsonl.gz")).bytes();
const lines = new TextDecoder().decode(Bun.gunzipSync(file)).trim().split("\n");
for (const [i, line] of lines.entries()) {
  const { documents, questions } = JSON.parse(line) as Organisation;
  const cases = questions.map(
    ({ question, sources }, n): ReasonCase => ({
      id: `${n}`,
      kind: sources.length > 0 ? "answerable" : "unanswerable",
      type: "",
      question,
      sources,
      facts: [],
      gaps: [],
      conflicts: [],
    }),
  );
  const set = { name: `${i}`, documents: new Map(Object.entries(documents)), cases };
  for (const one of await gatherSet(set, embedder)) {
    const readings = readingsOf(one);
    const compared = comparedOf(one, questions[Number(one.one.id)]!.contradict);
    if (readings) console.log(JSON.stringify({ ...readings, compared }));
  }
}
await embedder.close();
process.exit(0);
