// Splits what was asked into single questions, by words and punctuation. Sentences are split only in English.

import { BEGINS_QUESTION, DETERMINER, PREPOSITION, PRONOUN, QUESTION_WORD } from "./grammar.ts";
import { termsOf } from "../../text/terms.ts";
import { typeOf } from "./type-of-question.ts";

const JOINT = new RegExp(
  `(?:(?:\\s*[,;:–—]|\\s-)\\s*(?:and|but|also|then|or)?\\s*|\\s+(?:and|but|as well as|plus)\\s+(?:also\\s+|then\\s+)?)(?=(?:${BEGINS_QUESTION}))`,
  "iu",
);
const ASKS = new RegExp(`^(?:and |but |so |also |then |or )?(?:${BEGINS_QUESTION})|[?？]\\s*$`, "iu");
const MARKED = /[?？]\s*$/u;
const STATED = new RegExp(`^(?:${QUESTION_WORD}) (?:${PRONOUN}|${DETERMINER})\\b.*\\.\\s*$`, "iu");
const COMPARES =
  /\bdifferences?\b(?: in ([\p{L}-]+(?: [\p{L}-]+)?))? between (?:the )?(.+?) and (?:the )?(.+?)((?: for| in| on| when| at) .+?)?\W*$/iu;

/** Sentences that ask something: not the first one of `What I ordered is damaged. May I send it back?` */
export function questionsAmong(sentences: readonly string[]): string[] {
  const isMarked = sentences.some((one) => MARKED.test(one));
  return sentences.filter((one) => ASKS.test(one) && !(isMarked && STATED.test(one)));
}

/** Whether a question asks for the difference of two things. */
export const isComparison = (question: string) => COMPARES.test(question);

/** `When are they paid, and by whom?` */
const ALSO_ASKED = new RegExp(
  `^((?:(?:${PREPOSITION}) )?(?:${QUESTION_WORD}))\\b((?:(?!\\b(?:${QUESTION_WORD})\\b).)+?),? and ((?:(?:${PREPOSITION}) )?(?:who|whom|when|where|why|how))\\W*$`,
  "i",
);

/**
 * The questions that a sentence asks: `What is A and how is B`, `when and where`, `the N and the M of X` are two each.
 */
export function splitQuestion(sentence: string): string[] {
  const joined = /^(\w+) and (?:by |for |to )?(who|whom|when|where|why|how|what)\b(.*)$/i.exec(sentence);
  if (joined && new RegExp(`^(?:${QUESTION_WORD})$`, "i").test(joined[1]!)) {
    return [`${joined[1]}${joined[3]}`, `${joined[2]}${joined[3]}`];
  }
  const [, begin, about = "", added = ""] = ALSO_ASKED.exec(sentence) ?? [];
  if (begin !== undefined) return [`${begin}${about}`, `${added}${about}`];
  const compared = COMPARES.exec(sentence);
  if (compared) {
    const [, attribute, first, second, about = ""] = compared;
    const what = attribute === undefined ? "what is" : `what is the ${attribute} of`;
    return [`${what} ${first}${about}`, `${what} ${second}${about}`];
  }
  const pieces: string[] = [];
  let rest = sentence;
  for (let match = JOINT.exec(rest); match; match = JOINT.exec(rest)) {
    const before = rest.slice(0, match.index);
    const after = rest.slice(match.index + match[0].length);
    // `If …, how long …` and `My key is lost: what …` are one part; so are two questions with only a comma or a dash
    // between.
    if (
      termsOf(before).length === 0 ||
      (/[:–—,-]/.test(match[0]) && !ASKS.test(before)) ||
      (isContinued(match[0]) && !(isEnumeration(after) && !CONDITION.test(before))) ||
      (/^(?:if|when|while|after|before|once|in case|given|suppose|on|in|for|with|under|at|during|according)\b/i.test(
        before,
      ) &&
        !/\b(?:and|but)\b/i.test(match[0]))
    ) {
      const next = splitQuestion(after);
      return [...pieces, `${before}, ${next[0]}`, ...next.slice(1)];
    }
    pieces.push(before);
    rest = after;
  }
  return [...pieces, rest].flatMap(splitNouns);
}

/** A comma or a dash without a conjunction: `Who may hire it, is there a minimum age?` asks one thing. */
const isContinued = (joint: string) => /^\s*[,–—-]\s*$/.test(joint);

/** Whether another question follows behind `and`, as in `What is A, how is B, and where is C?` */
function isEnumeration(after: string): boolean {
  const match = JOINT.exec(after);
  if (!match) return false;
  return !isContinued(match[0]) || isEnumeration(after.slice(match.index + match[0].length));
}

/** `What if it rains, do we get our money back, and who decides?` */
const CONDITION = /^(?:and |but |so )?what (?:if|happens (?:if|when))\b/i;

const NOUNS = `[\\p{L}-]+(?: (?!(?:${PREPOSITION})\\b)[\\p{L}-]+){0,2}?`;
const TWO_NOUNS = new RegExp(
  `^((?:what|which)(?: is| are| was| were|'s)|how (?:much|many|big|long|heavy|high|deep|wide)(?: is| are)?|(?:tell me|give me|list|name|show me)) (the |its |their |his |her )(${NOUNS}) and (the |its |their |his |her )?(${NOUNS})( (?:of|for|in|on|at) .+?)?\\W*$`,
  "iu",
);

/** `What are the N and the M of X?` asks two things, `What are the terms and conditions?` one. */
function splitNouns(piece: string): string[] {
  const match = TWO_NOUNS.exec(piece);
  if (!match) return [piece];
  const [, ask, article, first, ownArticle, second, about = ""] = match;
  const parts = [
    `${ask} ${article}${first}${about}`,
    `${ask} ${ownArticle ?? article}${second}${about}`,
  ] as const;
  const areTwo = about !== "" || ownArticle !== undefined || typeOf(parts[0]).name !== typeOf(parts[1]).name;
  return areTwo ? [...parts] : [piece];
}
