// What is compared of a passage to find conflicts: what it states, and which things it is about. It decides nothing about
// probabilities.

import { type IndexedPassage, refersBack } from "./features.ts";
import { WEEKDAY } from "../language/grammar.ts";
import { asksForDays, asksForPlace, asksIdentity, identitiesIn, weekdaysIn } from "../language/identities.ts";
import { areSiblings, shareOf } from "../language/match.ts";
import type { Evidence } from "./passages.ts";
import { lengthOfByline } from "../markdown/entries.ts";
import type { QuestionPart } from "./question.ts";
import { isReplaced } from "../language/replaced.ts";
import { stemsOf, type Term } from "../language/terms.ts";
import { differentInPlace, isMonth, isTime, partsIn, termOf, thingsIn, VALUE } from "../language/things.ts";
import { canBeEqual, type Value } from "../language/values.ts";
import { wordAnswersTo } from "../language/word-answers.ts";

/** What is compared of a passage. */
export interface Side extends Omit<IndexedPassage, "values"> {
  /** Without values that it says were replaced; for `who` and the like what it says of that. */
  values: Value[];
  /** The values that it says were replaced. */
  replaced: Value[];
  /** Its text without values. */
  about: string;
  /** Its words and those of its introduction, without values. */
  subject: Set<string>;
  things: readonly Term[];
  title: string;
  /** The title and the headings. */
  heading: string;
}

/** `Sunday` of `Sunday 11 April` is a part of the value. */
const DAY_OF_DATE = new RegExp(`\\b${WEEKDAY},? $`, "iu");

/** What a passage states of what is asked for. */
function statedIn({ plain, values }: IndexedPassage, { type, text, terms }: Asked): Value[] {
  if (asksIdentity(type.name, text)) return identitiesIn(type.name, plain, { question: text, terms });
  const words = wordAnswersTo(type.name, { text, terms })?.(plain) ?? [];
  const own = words.map((one) => ({ ...one, unit: undefined, noun: "", per: "" }));
  const places = asksForPlace(text) ? identitiesIn("where", plain, { question: text, terms }) : [];
  if (own.length + places.length > 0 && !type.values) return [...own, ...places];
  const asksDay = asksForDays(text) || type.values?.includes("weekday");
  return [...own, ...(asksDay ? weekdaysIn(plain, text) : []), ...values()];
}

type Asked = Pick<QuestionPart, "type" | "text" | "terms">;

/** A passage as it is compared for a part. */
export function sideOf(passage: IndexedPassage, { type, text, terms }: QuestionPart, place: Evidence): Side {
  const { kind, plain, values, lead } = passage;
  const byline = lengthOfByline(plain);
  // When something was written is no answer.
  const all = statedIn(passage, { type, text, terms }).filter(({ start }) => start >= byline);
  const replaced = all.filter((value) => isReplaced(plain, value));
  let about = plain;
  for (const { sort, start, end } of [...values(), ...all]) {
    if (sort === "code") continue;
    const day = sort === "date" ? (DAY_OF_DATE.exec(about.slice(0, start))?.[0] ?? "") : "";
    const from = start - day.length;
    about = about.slice(0, from) + VALUE.padEnd(end - from) + about.slice(end);
  }
  // The headers of a table are no things that its rows are about.
  const things = thingsIn(kind === "row" ? about.replace(/(?:^|; )[^;:]+: /g, ". ") : about);
  const heading = [place.title, ...place.path].join(". ");
  return {
    ...passage,
    values: all.filter((value) => !replaced.some((old) => canBeEqual(old, value))),
    replaced,
    about,
    subject: stemsOf(`${about}\n${lead}`),
    things,
    title: place.title,
    heading,
  };
}

/** Of what is asked for, as weights: only one passage mentions so much. The others are details such as `in one year`. */
const MIN_SHARE = 0.25;

/** Whether two passages are about different things, or one is about a part of what the other is about. */
export function areAboutOthers(part: QuestionPart, one: Side, other: Side): boolean {
  if (isAboutOther(part, one, other) || isAboutOther(part, other, one)) return true;
  const [a, b] = [stemsOf(`${one.title}\n${one.about}`), stemsOf(`${other.title}\n${other.about}`)];
  return [...a.difference(b)].some((x) => !isMonth(x) && [...b.difference(a)].some((y) => areSiblings(x, y)));
}

/** Whether one passage is about a thing that is asked for, and the other one about another thing, or a part of it, instead. */
function isAboutOther({ terms }: QuestionPart, one: Side, other: Side): boolean {
  const isIn = (term: Term, { wordsInContext }: Side) => shareOf(term, wordsInContext) > 0;
  // The mast of the boat is not the boat.
  const isOfPart = partsIn(other.about).some(
    ({ part, whole }) =>
      terms.some(({ stem }) => stem === whole) &&
      !isIn(termOf(part), one) &&
      terms.every((term) => shareOf(term, { stems: new Set([part]), joined: "" }) === 0),
  );
  if (isOfPart) return true;
  const missing = terms.filter((term) => term.weight >= 1 && !isIn(term, other));
  const headings = differentInPlace(one.heading, other.heading);
  if (missing.some(({ stem }) => headings.some(([word]) => word === stem))) return true;
  const things = { stems: new Set(one.things.map(({ stem: thing }) => thing)), joined: "" };
  const hasOwn =
    refersBack(other) ||
    other.things.some((thing) => !isMonth(thing.stem) && !isTime(thing.stem) && !isIn(thing, one));
  const own = missing.filter((term) => isIn(term, one) && (refersBack(one) || shareOf(term, things) > 0));
  return hasOwn && weightOf(own) >= MIN_SHARE * weightOf(terms);
}

const weightOf = (terms: QuestionPart["terms"]) => terms.reduce((sum, { weight }) => sum + weight, 0);
