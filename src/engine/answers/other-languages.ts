// Answers in which question or documents are in other languages than English: the rules and the reading model for
// English say nothing of them. Chunks are chosen as search ranks them, their passages by the multilingual model's
// cosine with the question, and a logistic model of how near the best chunk is decides whether they answer it.

import { probabilityOf } from "../../kernel/logistic.ts";
import { wordCount } from "../../kernel/text.ts";
import { isQuestion } from "../markdown/entries.ts";
import { type Bounds, chunksWithin } from "./3-rank/bounds.ts";
import { type IndexedPassage, indexedPassages } from "./3-rank/features.ts";
import type { Input } from "./3-rank/rank.ts";
import type { SearchedPart } from "./1-question/question.ts";
import type { ChunkHit, Evidence } from "./2-passages/passages.ts";
import type { ExtractiveAnswer } from "./answer.ts";
import type { Selection } from "./7-select.ts";
import { blocksOf } from "./8-blocks.ts";
import models from "./other-languages.json" with { type: "json" };

/** For each part of a question the texts that are to be compared with it; empty where nothing is to be chosen. */
export interface Compared {
  question: string;
  texts: string[];
}

/** Of each of the `Compared`, the cosines of the multilingual model. */
export type Cosines = readonly (readonly number[])[];

/** What is quoted of the best chunk, and of a further one, in words. */
const MAX_DIRECT_WORDS = 60;
const MAX_FURTHER_WORDS = 40;
/** A further chunk is quoted if its cosine is at least this share of the best one's. */
const MIN_SHARE_OF_BEST = 0.7;
/** Passages of the best chunks that are compared with a part. */
const MAX_COMPARED = 24;

/** Which of the nearest chunks tell how near any text is to a question: questions differ in that. */
const OTHERS = { from: 2, to: 8 };
/** What chunks count among them that there are not: the median of the questions that the models were fitted to. */
const USUAL_OTHER = 0.15;
/** A passage of a long chunk may be nearer than the chunk, but the nearest of many is so by chance, too. */
const SHARE_OF_PASSAGE = 0.8;
/**
 * A part is answered from this probability on. With less, more questions that nothing answers get an answer; with more,
 * more that a paragraph answers are gaps.
 */
const MIN_PROBABILITY = 0.33;
/**
 * The same for an English question where there are English chunks, too: it is mostly about those. Of the questions in
 * scripts/lab/languages that nothing answers, 3 % reach it.
 */
const MIN_BESIDE_ENGLISH = 0.8;
/** Below this one, the best chunk is not even related. */
const MIN_RELATED = 0.05;

/** Whether the best chunk for the question is in another language than English, or the question is. */
export function isInOtherLanguages(parts: readonly SearchedPart[]): boolean {
  const hits = parts.flatMap(({ hits: ofPart }) => [...ofPart.values()]);
  const [best] = hits.toSorted((a, b) => b.score - a.score);
  return best?.languages === "same" || best?.languages === "across";
}

/** Whether a part is asked in English, and there are chunks in English and in other languages. */
export function isBesideEnglish({ hits }: Pick<SearchedPart, "hits">): boolean {
  const languages = new Set([...hits.values()].map((hit) => hit.languages));
  return languages.has("english") && languages.has("across");
}

/** The texts whose cosines the answer needs: passages of the best chunks of which not all are quoted. */
export function toCompare({ parts, evidence }: Input): Compared[] {
  const passages = quotable(evidence);
  return parts.map((part) => ({
    question: part.search,
    texts: comparedOf(part, { passages, evidence }).map(({ plain }) => plain),
  }));
}

/** The answer from the cosines of what `toCompare` returned. */
export function answerOtherLanguages(
  { parts, evidence }: Input,
  { cosines, isTraced, ...bounds }: Bounds & { cosines: Cosines; isTraced: boolean },
): ExtractiveAnswer {
  const gathered = chunksWithin(
    evidence.map(({ id }) => Math.max(0, ...parts.map(({ hits }) => hits.get(id)?.score ?? 0))),
    evidence,
    bounds,
  );
  const passages = quotable(evidence).filter(({ chunk }) => gathered.includes(chunk));
  const shown = new Set<IndexedPassage>();
  const lines: string[] = [];
  const selections = parts.map((part, index): Selection => {
    const chunks = nearest(part, evidence).filter(({ chunk }) => gathered.includes(chunk));
    const compared = comparedOf(part, { passages: quotable(evidence), evidence });
    const cosineOf = new Map(compared.map((one, i) => [keyOf(one), cosines[index]?.[i] ?? 0]));
    const quoted = (chunk: number | undefined, words: number) => {
      const own = passages.filter((one) => one.chunk === chunk && !shown.has(one));
      const chosen = around(own, words, (one) => cosineOf.get(keyOf(one)) ?? 0);
      for (const one of chosen) shown.add(one);
      return chosen.length === 0 ? [] : [chosen];
    };
    const ofBest = compared.flatMap((one, i) =>
      one.chunk === chunks[0]?.chunk ? (cosines[index]?.[i] ?? 0) : [],
    );
    const [best, second] = chunks;
    const { nearness, probability } = judged(chunks, Math.max(0, ...ofBest));
    lines.push(lineOf(index, { probability, nearness }));
    const least = isBesideEnglish(part) ? MIN_BESIDE_ENGLISH : MIN_PROBABILITY;
    const direct = probability < least ? [] : quoted(best?.chunk, MAX_DIRECT_WORDS);
    const isOpen = direct.length === 0;
    const isNear = second && second.hit.cosine >= MIN_SHARE_OF_BEST * best!.hit.cosine;
    const related = isOpen && probability >= MIN_RELATED ? [best] : [];
    const beside = isNear && (!isOpen || related.length > 0) ? [second] : [];
    const further =
      parts.length > 1 ? [] : [...related, ...beside].flatMap((one) => quoted(one?.chunk, MAX_FURTHER_WORDS));
    return { ranking: { index, part }, isOpen, direct, further };
  });
  const blocks = blocksOf(evidence, { selections, computed: new Map(), conflicts: [] });
  return { blocks, gathered, ...(isTraced && { trace: [{ step: "other languages", lines }] }) };
}

const quotable = (evidence: readonly Evidence[]): IndexedPassage[] =>
  indexedPassages(evidence).filter(({ kind, plain }) => kind !== "code" && !isQuestion(plain));

const keyOf = ({ chunk, position }: IndexedPassage) => `${chunk} ${position}`;

/** A chunk of the evidence that was found for a part. */
interface Found {
  chunk: number;
  hit: ChunkHit;
}

/**
 * The chunks that were found for a part, in the order of their scores, but first the one that answers most probably of
 * the best ones in the language of the question, and in others. English chunks are left to the English rules.
 */
export function nearest({ hits }: Pick<SearchedPart, "hits">, evidence: readonly Evidence[]): Found[] {
  const found = evidence
    .flatMap(({ id }, chunk) => {
      const hit = hits.get(id);
      return hit && hit.score > 0 && hit.languages !== "english" ? [{ chunk, hit }] : [];
    })
    .sort((a, b) => b.hit.score - a.hit.score || a.chunk - b.chunk);
  const byPair = [...Map.groupBy(found, ({ hit }) => hit.languages).values()];
  const [first] = byPair
    .map((chunks) => ({ best: chunks[0]!, probability: judged(chunks).probability }))
    .sort((a, b) => b.probability - a.probability)
    .map(({ best }) => best);
  return first ? [first, ...found.filter((one) => one !== first)] : [];
}

/** How probably the first of the chunks answers. `ofPassage` is as in nearnessOf. */
function judged(chunks: readonly Found[], ofPassage = 0): { nearness: Nearness; probability: number } {
  const languages = chunks[0]?.hit.languages;
  // Cosines in one language and across two cannot be compared.
  const alike = chunks.flatMap(({ hit }) => (hit.languages === languages ? [hit] : []));
  const nearness = nearnessOf(alike, ofPassage);
  const model = models[languages === "same" ? "same" : "across"];
  return { nearness, probability: alike.length === 0 ? 0 : probabilityOf(model, nearness) };
}

const isRow = ({ kind }: IndexedPassage) => kind === "row";

/** The passages of the two best chunks of a part that are longer than what is quoted of one, or rows of a table. */
function comparedOf(
  part: SearchedPart,
  { passages, evidence }: { passages: readonly IndexedPassage[]; evidence: readonly Evidence[] },
): IndexedPassage[] {
  const chunks = nearest(part, evidence).slice(0, 2);
  return chunks
    .flatMap(({ chunk }, rank) => {
      const own = passages.filter((one) => one.chunk === chunk);
      const isLong = wordsOf(own) > (rank === 0 ? MAX_DIRECT_WORDS : MAX_FURTHER_WORDS);
      return isLong || own.some(isRow) ? own : [];
    })
    .slice(0, MAX_COMPARED);
}

/** What shows whether the best chunk answers a part: the features of the models in other-languages.json. */
export type Nearness = Readonly<Record<"cosine" | "others" | "words", number>>;

/**
 * The best chunk's cosine, or a share of `ofPassage` if that is more; the mean cosine of others; and how many of the
 * question's words the best chunk has, weighted by rarity. `hits` are best first; `ofPassage` is the greatest cosine of
 * the passages of the best one, 0 if they were not compared.
 */
export function nearnessOf(hits: readonly ChunkHit[], ofPassage = 0): Nearness {
  const [best] = hits;
  const byCosine = hits.map(({ cosine }) => cosine).sort((a, b) => b - a);
  const others = Array.from(
    { length: OTHERS.to - OTHERS.from },
    (_, i) => byCosine[OTHERS.from + i] ?? USUAL_OTHER,
  );
  return {
    cosine: Math.max(best?.cosine ?? 0, SHARE_OF_PASSAGE * ofPassage),
    others: others.reduce((sum, one) => sum + one, 0) / others.length,
    words: best?.lexical ?? 0,
  };
}

function lineOf(
  part: number,
  { probability, nearness }: { probability: number; nearness: Nearness },
): string {
  const features = Object.entries(nearness).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return `part ${part + 1}: ${features.join(", ")}: answers it with a probability of ${probability.toFixed(2)}`;
}

/**
 * The passage with the greatest cosine and those around it, in their order, of at most `words` words together. A row of
 * a table is quoted alone: those around it are about other things.
 */
function around(
  passages: readonly IndexedPassage[],
  words: number,
  cosineOf: (passage: IndexedPassage) => number,
): IndexedPassage[] {
  if (passages.length === 0) return [];
  let from = passages.reduce((best, one, i) => (cosineOf(one) > cosineOf(passages[best]!) ? i : best), 0);
  let to = from + 1;
  if (isRow(passages[from]!)) return passages.slice(from, to);
  for (;;) {
    const fits = (start: number, end: number) =>
      start >= 0 && end <= passages.length && wordsOf(passages.slice(start, end)) <= words;
    const [canStartBefore, canEndAfter] = [fits(from - 1, to), fits(from, to + 1)];
    if (!canStartBefore && !canEndAfter) return passages.slice(from, to);
    const isBeforeNearer =
      canStartBefore && (!canEndAfter || cosineOf(passages[from - 1]!) > cosineOf(passages[to]!));
    if (isBeforeNearer) from--;
    else to++;
  }
}

/** Characters of scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]/gu;
const UNSPACED_PER_WORD = 2;

const wordsOf = (passages: readonly IndexedPassage[]) =>
  passages.reduce(
    (sum, { plain }) => sum + wordCount(plain) + (plain.match(UNSPACED)?.length ?? 0) / UNSPACED_PER_WORD,
    0,
  );
