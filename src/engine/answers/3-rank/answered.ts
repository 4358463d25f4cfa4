// Whether the documents answer a part of a question at all: what the models say, unless the structure of the documents
// decides.

import { probabilityOf } from "../../../kernel/logistic.ts";
import { shareOf, type WordSet, wordSet } from "../../text/match.ts";
import { isLightWord, termsOf } from "../../text/terms.ts";
import type { QuestionPart } from "../1-question/question.ts";
import type { Evidence } from "../2-passages/passages.ts";
import type { IndexedPassage } from "./features.ts";
import { mentionOf, namedIn } from "./named.ts";
import { compareVersions, versionOf } from "./newest.ts";
import { answerFeatures, type Models, type Ranked, type Ranking, tasksOf } from "./rank.ts";

/** Passages in which a structure is looked for. */
const MAX_LOOKED_AT = 8;
/** Lighter words only say what is asked for. */
const MIN_WEIGHT = 0.5;
/** The part of the question's words, by weight, that what is found must contain. */
const MIN_COVERED = 0.95;
/** The same of a row whose key it names. */
const MIN_COVERED_BY_ROW = 0.6;

/** A ranking of which is known whether the documents answer the part. */
export interface Decided extends Ranking {
  isAnswered: boolean;
}

/**
 * Decides whether the documents answer a part. An answered part keeps the passages that may be quoted, with what
 * answers it by its place first.
 */
export function decide(ranking: Ranking, evidence: readonly Evidence[], models: Models): Decided {
  const { part, ranked } = ranking;
  const open = { ...ranking, isAnswered: false };
  if (ranked.length === 0 || (part.state === undefined && part.terms.length === 0)) return open;
  const named = namedIn(part.text);
  const mentions = ranked.map(({ passage }) => {
    const text = named.length > 0 ? contextOf(passage, evidence) : "";
    return named.map((one) => mentionOf(one, text));
  });
  // A code or a year that is in no passage is not what the passages are about.
  if (named.some((_, i) => !mentions.some((ofPassage) => ofPassage[i] === "same"))) return open;
  const about = ranked.filter((_, i) => !mentions[i]!.includes("other"));
  const ofVersion = statedByVersion({ ...ranking, ranked: about }, evidence);
  if (ofVersion) return ofVersion;
  const stated = statedByStructure({ ...ranking, ranked: about }, evidence);
  if (stated) {
    const passages = about.map(({ passage }) => passage);
    const tasks = part.state && tasksOf(passages, part.state);
    const others = about.filter((one) => one !== stated && (!tasks || tasks.has(one.passage)));
    return { ...ranking, ranked: [{ ...stated, probability: 1 }, ...others], isAnswered: true };
  }
  const isLikely = probabilityOf(models.answered, answerFeatures(ranking)) >= models.thresholds.likely;
  return isLikely ? { ...ranking, ranked: about, isAnswered: true } : open;
}

/**
 * What is below the heading of a version, if a part asks for that and for nothing else: `What changed in 3.3.1?`, or
 * the newest one for `What is the latest version?`.
 */
function statedByVersion(ranking: Ranking, evidence: readonly Evidence[]): Decided | undefined {
  const { part, ranked } = ranking;
  const [, named] = NAMED_VERSION.exec(part.text) ?? [];
  if (named === undefined && !LATEST.test(part.text)) return undefined;
  const versions = ranked.flatMap((one) => {
    const version = versionOf(evidence[one.passage.chunk]!);
    return version ? [{ one, version }] : [];
  });
  const [first] = versions;
  if (!first) return undefined;
  const { documentId } = evidence[first.one.passage.chunk]!;
  const ofDocument = versions.filter(({ one }) => evidence[one.passage.chunk]!.documentId === documentId);
  const wanted =
    named?.split(".").map(Number) ??
    ofDocument
      .map(({ version }) => version)
      .sort(compareVersions)
      .at(-1)!;
  const below = ofDocument
    .filter(({ version }) => compareVersions(version, wanted) === 0)
    .map(({ one }) => one)
    .sort(
      (a, b) =>
        evidence[a.passage.chunk]!.index - evidence[b.passage.chunk]!.index ||
        a.passage.position - b.passage.position,
    );
  const others = part.terms.filter(({ word, weight }) => weight >= MIN_WEIGHT && !ABOUT_VERSION.test(word));
  const [one] = below;
  if (!one || !others.every((term) => shareOf(term, one.passage.wordsInContext) > 0)) return undefined;
  const share = 1 / below.length;
  // The heading may be the whole answer.
  const isOfHeading = part.type.name === "version" || part.type.name === "when" || part.type.name === "year";
  const quoted = below.filter(({ passage: { kind } }) => isOfHeading === (kind === "heading"));
  return {
    ...ranking,
    part: { ...part, type: { ...part.type, form: "all" } },
    ranked: (quoted.length > 0 ? quoted : below).map((passage) => ({ ...passage, probability: share })),
    isAnswered: true,
  };
}

const NAMED_VERSION = /\b(?:v|in |with |version |release |of |was |did )v?(\d+(?:\.\d+)+)(?![\p{L}\p{N}%])/iu;
const LATEST =
  /\b(?:latest|newest|current|(?:most )?recent|last)(?: \p{L}+)? (?:version|release|update|edition)\b/iu;
/** Words that ask for a version or for what it changed. */
const ABOUT_VERSION =
  /^(?:v?\d[\d.]*|versions?|releases?d?|updates?d?|editions?|latest|newest|current|recent|last|new|changed?|changes|added|fixed|notes?|happen(?:ed)?|includ(?:e|ed|es)|come|came|out|date)$/i;

/** A passage with all that it is read with. */
function contextOf(
  { chunk, lead, antecedent, plain }: IndexedPassage,
  evidence: readonly Evidence[],
): string {
  const { title, path } = evidence[chunk]!;
  return [title, ...path, lead, antecedent, plain].join("\n");
}

/** The first passage by whose place the part is answered: below a heading that it asks for, in a row, or as a task. */
function statedByStructure(
  { part, rarity, ranked }: Ranking,
  evidence: readonly Evidence[],
): Ranked | undefined {
  const isAboutHeading = asksForHeading(part);
  const weights = part.terms.map(({ stem, word, weight }) =>
    weight < MIN_WEIGHT || (isAboutHeading && VERSION_WORD.test(word)) ? 0 : weight * (rarity.get(stem) ?? 1),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const covered = (words: WordSet) =>
    part.terms.reduce((sum, term, i) => sum + (shareOf(term, words) > 0 ? weights[i]! : 0), 0);
  const isCovered = (words: WordSet, share = MIN_COVERED) => covered(words) >= share * total;
  if (part.state !== undefined)
    return ranked.find(({ passage }) => passage.task === part.state && isCovered(passage.wordsInContext));
  const asked = wordSet(part.text);
  const isAsked = (heading: string) =>
    isCovered(wordSet(heading)) &&
    termsOf(heading).every((term) => isLightWord(term.word) || shareOf(term, asked) > 0);
  const below =
    part.type.form === "procedure" || part.type.form === "all" ? belowHeading(ranked, evidence, isAsked) : [];
  if (below.length > 0)
    return below.find(({ passage: { kind } }) => kind === "code" || kind === "item") ?? below[0];
  return ranked.slice(0, MAX_LOOKED_AT).find(({ passage }) => {
    const { kind, task, cells, words } = passage;
    if (task !== undefined && part.type.name === "yes-no") return isCovered(words);
    // `Which version added X?`: the heading above is the answer.
    const isBelow = evidence[passage.chunk]!.heading !== undefined && kind !== "heading" && kind !== "title";
    if (isBelow && isAboutHeading) return isCovered(words);
    // `What is the default of APP_PORT?`: the row with this key, and a column with the other words.
    return (
      kind === "row" && isKeyNamed(cells?.[0]?.value ?? "", part.text) && isCovered(words, MIN_COVERED_BY_ROW)
    );
  });
}

/** The passages of the first chunk below a heading that is asked for, such as `Restore a backup`, in their order. */
function belowHeading(
  ranked: readonly Ranked[],
  evidence: readonly Evidence[],
  isAsked: (heading: string) => boolean,
): Ranked[] {
  const chunks = new Set(ranked.map(({ passage }) => passage.chunk));
  const below = [...chunks].filter((chunk) => {
    const { path, title } = evidence[chunk]!;
    return isAsked(path.at(-1) ?? title);
  });
  const [first] = below
    .filter((chunk) => evidence[chunk]!.documentId === evidence[below[0]!]!.documentId)
    .sort((a, b) => evidence[a]!.index - evidence[b]!.index);
  return ranked
    .filter(({ passage: { chunk, kind } }) => chunk === first && kind !== "heading" && kind !== "title")
    .toSorted((a, b) => a.passage.position - b.passage.position);
}

const asksForHeading = ({ type: { name }, text }: QuestionPart) =>
  name === "version" ||
  name === "when" ||
  name === "year" ||
  /\b(?:which|what) (?:version|release|update|edition)\b/i.test(text);
const VERSION_WORD = /^(?:versions?|releases?|updates?|editions?)$/i;

/** Whether a text names the code in the first cell of a row. */
function isKeyNamed(key: string, text: string): boolean {
  const code = key.replace(/[`*]/g, "").trim();
  if (!/[\p{L}\p{N}]+[\d_-]|\d/u.test(code) || /\s/.test(code) || code.length < 2) return false;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(code)}(?![\p{L}\p{N}])`, "iu").test(text);
}
