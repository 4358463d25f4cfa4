// Whether a statement is negated, or says the opposite of another one. It reads English.

import { areOpposite, areSynonyms, type WordSet } from "./match.ts";

const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|no longer|no one)\b|n['’]t\b/gi;
/** Phrases that contain such a word and negate nothing. */
const NO_DENIAL =
  /\b(?:not only|no later than|no more than|no less than|no earlier than|no matter|whether or not|not least|nothing but|not until|not more than|not less than)\b/gi;
/** Whether a statement is negated: it contains an odd number of negations. */
export const isDenied = (text: string) =>
  (text.replace(NO_DENIAL, " ").match(NEGATION)?.length ?? 0) % 2 === 1;

/** `No dogs are`, but not `no deposit is needed`, which leaves something free. */
const NONE_IS =
  "\\bno [\\p{L}-]+(?: [\\p{L}-]+){0,2} (?:is|are|may|can|must|will)(?! (?:needed|required|necessary)\\b)";
const FORBIDS = new RegExp(
  "\\b(?:may|must|can|could|should|shall|are|is|do|does|will)(?: (?:strictly|generally|absolutely))? ?(?:not|n['’]t|never|no longer)\\b" +
    "|\\bcannot\\b|\\b(?:forbidden|prohibited|banned|disallowed|not (?:be )?(?:allowed|permitted|possible|covered|insured|included)|no longer|nobody|no one|none)\\b" +
    `|${NONE_IS}` +
    // `No fishing from the bridge`
    "|(?:^|[.:;–] )no (?:[\\p{L}-]+ )?[\\p{L}-]+(?:$|[.!;]| (?:from|in|inside|on|at|after|before|during|near)\\b)",
  "iu",
);
const ALLOWS =
  /\b(?:may|can|could|allowed|permitted|welcome|free to|possible|covered|insured|included|entitled)\b/i;

/**
 * Whether a statement allows something, forbids it, or neither; the first such word decides: `dogs may come in if they do not
 * bark` allows.
 */
export function permissionOf(text: string): "allows" | "forbids" | undefined {
  const own = text.replace(NO_DENIAL, " ");
  const [forbids, allows] = [own.search(FORBIDS), own.search(ALLOWS)];
  if (forbids < 0) return allows < 0 ? undefined : "allows";
  return allows < 0 || forbids <= allows ? "forbids" : "allows";
}

interface Statement {
  plain: string;
  words: WordSet;
}

/** Whether one statement denies what the other says about the shared words. */
export function isOpposite(a: Statement, b: Statement, shared: ReadonlySet<string>): boolean {
  const share = shared.size / Math.max(1, Math.min(a.words.stems.size, b.words.stems.size));
  if (share < 0.5) return false;
  const [onlyA, onlyB] = [a.words.stems.difference(b.words.stems), b.words.stems.difference(a.words.stems)];
  const hasOpposites = [...onlyA].some((x) => [...onlyB].some((y) => areOpposite(x, y)));
  return hasOpposites !== (isDenied(a.plain) !== isDenied(b.plain));
}

/** Whether one statement contains a word of the question, and the other one its opposite: `compulsory` and `voluntary`. */
export function isOppositeOfAsked(a: Statement, b: Statement, asked: ReadonlySet<string>): boolean {
  const says = ({ words }: Statement, is: (word: string) => boolean) => [...words.stems].some(is);
  const isPair = (one: Statement, other: Statement) =>
    [...asked].some(
      (word) =>
        says(one, (own) => own === word || areSynonyms(own, word)) &&
        !says(one, (own) => areOpposite(own, word)) &&
        says(other, (own) => areOpposite(own, word)) &&
        !says(other, (own) => own === word),
    );
  return (isPair(a, b) || isPair(b, a)) && isDenied(a.plain) === isDenied(b.plain);
}

const REQUIRES =
  /\b(?:must|shall|ha(?:s|ve) to|needs? to|require[ds]?|mandatory|compulsory|obligatory|obliged|(?:is|are) to be)\b/iu;
const LEAVES_FREE =
  /\b(?:optional(?:ly)?|voluntar(?:y|ily)|recommended|(?:need|do|does|did|must|is|are)(?: not|n['’]t) (?:need(?:ed)?|have to|required?|necessary|mandatory|compulsory|obligatory|obliged)|need(?: not|n['’]t)|no [\p{L}-]+(?: [\p{L}-]+){0,2} (?:is|are) (?:needed|required|necessary)|if (?:you|they) (?:like|wish|want)|may (?:leave|skip|omit|do without)|no need|nobody (?:has|needs) to|no one (?:has|needs) to|(?:is|are) up to (?:you|them|him|her|each|every|the [\p{L}-]+(?=$|[.,;])))\b/iu;
/** Where a further clause begins. */
const CLAUSE = /[,;:.–—]|\b(?:because|otherwise|unless|if|so)\b/i;

/** Whether a statement requires something, leaves it free, or neither. */
export function obligationOf(text: string): "requires" | "leaves free" | undefined {
  if (LEAVES_FREE.test(text)) return "leaves free";
  return text.split(CLAUSE).some((clause) => REQUIRES.test(clause) && !isDenied(clause))
    ? "requires"
    : undefined;
}

/** `Can I come without a ticket?` */
const WITHOUT = /\b(?:may|can|could) (?:I|we|you|one|they)\b.*\bwithout\b/i;

/** Whether a question asks if something is required. */
export const asksObligation = (question: string): boolean =>
  REQUIRES.test(question) || LEAVES_FREE.test(question) || WITHOUT.test(question);
