// What is known about a passage as an answer to a part of a question, as numbers from about 0 to 1. Few and general:
// each must be worth something on documents that nobody tuned for (bench reason --without).

import { once, remember } from "../../../kernel/remember.ts";
import { wordCount } from "../../../kernel/text.ts";
import { EMPTY_WORDS, shareOf, type WordSet, wordSet } from "../../text/match.ts";
import { type Value, valuesOf } from "../../text/values.ts";
import { plainText } from "../../markdown/inline.ts";
import { plain as plainOf } from "../../markdown/shown.ts";
import { type ChunkHit, type Evidence, type Passage, passagesOf } from "../2-passages/passages.ts";
import type { SearchedPart } from "../1-question/question.ts";

/** A passage with what is looked up in it repeatedly. */
export interface IndexedPassage extends Passage {
  /** Its own words. */
  words: WordSet;
  /** Also those of its introduction, headings, title and antecedent. */
  wordsInContext: WordSet;
  /** The passage before it if it refers back to that or replies to it, or the head of its item; empty otherwise. */
  antecedent: string;
  /** Found when they are first asked for: half of the questions ask for none. */
  values: () => readonly Value[];
}

const union = (...sets: readonly WordSet[]): WordSet => ({
  stems: new Set(sets.flatMap(({ stems }) => [...stems])),
  joined: sets.map(({ joined }) => joined).join(" "),
});

const REFERS_BACK =
  /^(?:it|its|they|their|this|that|these|those|he|she|his|her|both|such|then|there(?! (?:is|are|was|were|will|has|have|may|can|must)\b)|otherwise|so|after that|if (?:so|not)|(?:all|each|most|none|one|some) of (?:them|these|those))\b/i;
/** Whether a passage refers to the one before it, as `It costs 4 euros` does. */
export const refersBack = ({ kind, plain }: Passage) => kind === "sentence" && REFERS_BACK.test(plain);

/** Whether a passage begins a line of a chat or a log behind another one, to which it may reply. */
export const mayReply = ({ isLine, part }: Passage, before: Passage | undefined) =>
  isLine === true && part === undefined && before?.isLine === true;

/** The passages of all evidence, prepared. */
export const indexedPassages = (evidence: readonly Evidence[]): IndexedPassage[] =>
  evidence.flatMap((one, chunk) => passagesOfChunk(one).map((passage) => ({ ...passage, chunk })));

/** Most questions are asked about documents that have been asked about before. */
const passagesOfChunk = remember(indexPassages, {
  keyOf: ({ title, path, heading, before, text }) =>
    JSON.stringify([title, path, heading?.text ?? null, before ?? null, text]),
  // A passage needs about as much as 5 words of it, and a word about 200 bytes: all need about 8 MB.
  sizeOf: (passages) => passages.reduce((sum, { wordsInContext }) => sum + 5 + wordsInContext.stems.size, 0),
  maxSize: 40_000,
});

function indexPassages(evidence: Evidence): IndexedPassage[] {
  const passages = passagesOf(evidence, 0);
  const own = passages.map(({ plain }) => wordSet(plain));
  const place = wordSet(plainOf([evidence.title, ...evidence.path].join(" — ")));
  return passages.map((passage, i) => {
    const { lead, plain, head } = passage;
    const previous = passages[i - 1];
    const refersTo = refersBack(passage) || mayReply(passage, previous) ? previous : undefined;
    const antecedent = refersTo?.plain ?? (head === undefined ? "" : plainText(head));
    const before = refersTo ? own[i - 1]! : wordSet(antecedent);
    return {
      ...passage,
      words: own[i]!,
      wordsInContext: union(own[i]!, before, place, lead === "" ? EMPTY_WORDS : wordSet(lead)),
      antecedent,
      values: once(() => valuesOf(plain)),
    };
  });
}

/** The names of the features, in the order of the weights. */
export const FEATURES = [
  "chunkCosine",
  "chunkRank",
  "coverage",
  "coverageInContext",
  "isStep",
  "length",
] as const;
export type Features = Record<(typeof FEATURES)[number], number>;

/** A part of the question, its place among the parts, and how rare its words are, by stem. */
export interface WeighedPart {
  part: SearchedPart;
  index: number;
  rarity: ReadonlyMap<string, number>;
  /** The part, alone and with what it inherits, as the reading model is asked. */
  toRead: { text: string; search: string };
}

/** The features of all passages for one part. */
export function featuresOfAll(
  weighed: WeighedPart,
  passages: readonly IndexedPassage[],
  evidence: readonly Evidence[],
): Features[] {
  return passages.map((passage) =>
    featuresOf(weighed, passage, weighed.part.hits.get(evidence[passage.chunk]!.id)),
  );
}

/** The features of one passage for one part; `hit` is how search ranks its chunk for that part. */
function featuresOf(
  { part, rarity }: WeighedPart,
  passage: IndexedPassage,
  hit: ChunkHit | undefined,
): Features {
  const weights = part.terms.map(({ weight, stem }) => weight * (rarity.get(stem) ?? 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const coverage = (words: WordSet) =>
    part.terms.reduce((sum, term, i) => sum + weights[i]! * shareOf(term, words), 0) / total;
  const { plain, lead } = passage;
  return {
    chunkCosine: hit?.cosine ?? 0,
    chunkRank: hit ? 1 / (1 + hit.rank) : 0,
    coverage: coverage(part.type.form && lead ? union(passage.words, wordSet(lead)) : passage.words),
    coverageInContext: coverage(passage.wordsInContext),
    isStep: passage.step !== undefined && part.type.form === "procedure" ? 1 : 0,
    length: Math.min(1, Math.log2(1 + wordCount(plain)) / 6),
  };
}
