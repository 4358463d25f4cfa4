// Finds what identifies a person or a role, a contact or a place: names, `by the caretaker`, phone numbers and addresses,
// `in room 12`, `at the gate`. Two statements about the same thing with different ones contradict each other. It reads English.

import { DOES, NO_NAME, WEEKDAY } from "./grammar.ts";
import { shareOf } from "./match.ts";
import { isLightWord, isStopWord, stem, type Term, termsOf } from "./terms.ts";
import { isMonth, isTime, NOUN_PHRASE } from "./things.ts";
import type { Value } from "./values.ts";

const NAME =
  /\b(?:(?:(?:Mrs?|Ms|Dr|Prof)\.? )+|\p{Lu}[\p{L}'’-]+ (?=\p{Lu}|van |von |de ))(?:(?:\p{Lu}\.|van|von|de) )*\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*/gu;
/** What joins a name to a role: `the treasurer is Anna Berg`, `Anna Berg has been treasurer`. */
const ROLE_BEFORE =
  /(?:\b(?:is|remains|becomes|now|by|ask|tell|contact)|[:(–—]|\b(?:the|our|your|my|its)(?: [\p{L}-]+){1,3},)\s*$/iu;
const ROLE_BEHIND = /^\s*(?:[(:–—]|, (?:the|our|your|my|its)\b|(?:is|remains|becomes|has been|has become)\b)/;
/** One name: `to Jan, the porter`, `is Jan's business` */
const FIRST_NAME = new RegExp(
  `(?<=\\p{Ll} )${NO_NAME}\\p{Lu}\\p{Ll}+(?=, (?:the|our|your|my|its) |['’]s (?:business|job|task|duty|work)\\b)`,
  "gu",
);
/** Who does something, at the beginning of a clause: `Yusuf gives the training`, `Ruth Berg keeps the list` */
const DOER = new RegExp(
  `(?<=(?:^|[.:;,] ))${NO_NAME}\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?(?= (?:(?:also|now|still) )?${DOES}\\b)`,
  "gu",
);
/** The cell of a row, or what is behind a label: `Who: taproom manager` */
const LABELLED = /(?<=\b(?:who|by whom|responsible|person in charge): )[^;.,(]+/giu;
const PHONE = /(?<![\p{L}\d.,/-])(?:\+|\(?0|\d)[\d ()/–-]{4,}\d(?![\p{L}\d])/gu;
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?:\/\/|www\.)[^\s)>\]]*[\w/]/g;
/** What has numbers: `room 12`, `gate B`. */
export const PLACE_SORTS: ReadonlySet<string> = new Set(
  "room floor hall gate building locker shelf desk counter platform bay track aisle level cabinet drawer cupboard box pier berth dock house corridor".split(
    " ",
  ),
);
const PLACE = new RegExp(
  `\\b(${[...PLACE_SORTS].join("|")}) (?:no\\.? |number )?(\\d+\\w?|[A-Z](?:-?\\d+\\w?)?)\\b`,
  "giu",
);

type Identity = Pick<Value, "sort" | "key" | "start" | "end">;
type Place = Omit<Identity, "sort">;

/** Who held a role once does not hold it now. */
const PAST = /\b(?:was|were|until|former(?:ly)?|previous(?:ly)?|then|used to)\b/i;
const DATE = /^(?:\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/;

/** An extension of a switchboard has few digits. */
const CALLED =
  /(?<=\b(?:number|extension|ext|phone|telephone|tel|call|dial|ring)\b[^\p{L}\d]{0,3}(?:(?:is|on|at|from now|now) )?)\d[\d /–-]+\d(?![\p{L}\d:.,]*\d)/giu;
const SHORT_DIGITS = 3;
/** What is dialled may be a single digit. */
const DIALLED = /(?<=\b(?:dial|press)(?:s|led)? )\d+(?![\p{L}\d:.,]*\d)/giu;
/** `Call the police on 112` */
const CALLED_BY_NAME = /(?<=\b(?:call|ring|phone|dial)\b(?: [\p{L}'’-]+){1,4} on )\d{3,6}\b/giu;

/** A question, and its words. */
interface Asked {
  question: string;
  terms: readonly Term[];
}

/** Which sorts of identities answer a type of question, and how they are found in a text. */
const OF_TYPE: Record<string, (text: string, asked: Asked) => Identity[]> = {
  who: (text, { question, terms }) => {
    const told = TELLS.test(question) && ASKS_OBJECT.test(question) ? toldIn(text) : [];
    if (told.length > 0) return told;
    const names = namesIn(text);
    return names.length > 0 ? names : rolesIn(text, terms);
  },
  contact: (text, { question }) => {
    const contacts = contactsIn(text);
    return contacts.length === 0 && /\bwhom?\b/i.test(question) ? toldIn(text) : contacts;
  },
  address: contactsIn,
  where: (text, { terms }) => {
    const numbered = matches(text, PLACE).map((one) => {
      const [kind = "", ...rest] = one.key.toLowerCase().split(" ");
      return { ...one, sort: kind, key: rest.at(-1) ?? "" };
    });
    const others = placesIn(text, terms).filter(
      (one) => !numbered.some(({ start, end }) => one.start < end && one.end > start),
    );
    return [...numbered, ...others];
  },
};

const WHICH_PLACE =
  /\b(?:which|what) (?:entrance|exit|door|gate|room|floor|building|hall|desk|counter|platform|pier|stop|station|car park|office|bay)\b(?! (?:is|are)\b)/iu;
/** Whether a question asks for a place by its kind: `which entrance do visitors use`. */
export const asksForPlace = (question: string): boolean => WHICH_PLACE.test(question);

/** `Who can help?` and `Where are the taps?` have several right answers. */
const ASKS_SEVERAL =
  /\b(?:who|whom|where|which|what)(?: else)? (?:can|could|may|might|are)\b(?!.*\b(?:kept|stored|held|collected|handed|returned)\b)/i;

/** Whether a question of this type asks for a person, a contact or a place of which there is usually one. */
export const asksIdentity = (type: string, question: string): boolean =>
  type in OF_TYPE && !ASKS_SEVERAL.test(question);

/** What a text states of the sorts that a question of this type with these words asks for. */
export const identitiesIn = (type: string, text: string, asked: Asked): Value[] =>
  (OF_TYPE[type]?.(text, asked) ?? []).map(valueLike);

const DAY = new RegExp(`\\b${WEEKDAY}\\b`, "giu");
/** What is open has several days, each with its own times. */
const OPEN = /\b(?:open|clos(?:e|ed|ing))/i;
const ASKS_DAYS = /\b(?:which|what)(?: other)? (?:week)?days?\b/i;
/** Whether a question asks for days of the week: `on which days does it run`. */
export const asksForDays = (question: string): boolean => ASKS_DAYS.test(question);
/**
 * The day of the week that a text names; none of several, which another text may name only in part, unless the question asks
 * for days: then all of them are one value.
 */
export function weekdaysIn(text: string, question: string): Value[] {
  const days = matches(text, DAY);
  if (OPEN.test(text) || days.length === 0 || (days.length > 1 && !asksForDays(question))) return [];
  const key = [...new Set(days.map((one) => stem(one.key)))].sort().join("+");
  return [valueLike({ sort: "weekday", key, start: days[0]!.start, end: days.at(-1)!.end })];
}

const valueLike = (one: Identity): Value => ({
  ...one,
  amount: Number.NaN,
  unit: undefined,
  noun: "",
  per: "",
});

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: key, index }) => ({ key, start: index, end: index + key.length }));

function namesIn(text: string): Identity[] {
  if (PAST.test(text)) return [];
  const single = [...matches(text, FIRST_NAME), ...matches(text, DOER)].filter(
    ({ key }) => !isStopWord(key.split(" ")[0]!),
  );
  const full = matches(text, NAME).filter(({ key, start, end }) => {
    if (isStopWord(key.split(" ")[0]!)) return false;
    return ROLE_BEFORE.test(text.slice(0, start)) || ROLE_BEHIND.test(text.slice(end));
  });
  return [...full, ...(full.length === 0 ? single : [])].map((one) => ({
    ...one,
    sort: "name",
    key: lastNameOf(one.key),
  }));
}

function contactsIn(text: string): Identity[] {
  const dialled = matches(text, DIALLED).map((one) => ({ ...one, sort: "phone" }));
  return [
    ...dialled.filter(({ key }) => key.length < SHORT_DIGITS),
    ...[...matches(text, PHONE), ...matches(text, CALLED), ...matches(text, CALLED_BY_NAME)]
      .filter(({ start, end }, i, all) => !all.slice(0, i).some((one) => start < one.end && end > one.start))
      .filter(({ key }) => !DATE.test(key) && digitsOf(key).length >= SHORT_DIGITS)
      .map((one) => ({ ...one, sort: "phone", key: digitsOf(one.key).slice(-MIN_DIGITS) })),
    ...matches(text, ADDRESS).map((one) => ({
      ...one,
      sort: one.key.includes("@") ? "e-mail" : "address",
      key: one.key.toLowerCase().replace(/^(?:https?:\/\/)?(?:www\.)?|\/$/g, ""),
    })),
  ];
}

/** `Dr. A. Berg` and `Anna Berg` may be one person. */
const lastNameOf = (name: string) => name.split(" ").at(-1)!.toLowerCase();

const digitsOf = (phone: string) => phone.replace(/\D/g, "");
/** Only the last digits are compared, because country codes and area codes are often left out. */
const MIN_DIGITS = 5;

const BY = new RegExp(
  `(?<=\\b(?:by|(?:rests?|lies) with|(?:consent|permission|approval|agreement|signature) of) (?:the|our|an?|its|your) )${NOUN_PHRASE}`,
  "giu",
);
/** The shortest phrase before a verb: `the group leader carries`, `the group leader may carry`. */
const SUBJECT = new RegExp(
  `(${NOUN_PHRASE}?)(?: of (?:the|an?|our|its|your) ${NOUN_PHRASE}?)? (?:(?:is|are|has to|have to|must|may|can|shall|will)(?: (?:also|now|still))?|(?=[\\p{L}-]+s\\b)) ?([\\p{L}-]+)`,
  "iuy",
);

/** Before a noun that belongs to another one: `the chair of the club opens`. */
const OF = /\b(?:of|in|at|on|for|from|with|to|near|about) (?:(?:the|an?|our|its|your) )?$/i;

/** Who does what is asked for, by a role: `by the caretaker`, `the group leader carries`. */
function rolesIn(text: string, terms: readonly Term[]): Identity[] {
  const isAsked = (words: string) =>
    termsOf(words).some((own) =>
      terms.some((term) => shareOf(term, { stems: new Set([own.stem]), joined: "" }) > 0),
    );
  const by = matches(text, BY);
  const labelled = matches(text, LABELLED);
  if (labelled.length > 0) return labelled.flatMap((one) => identityOf("name", one));
  // In `the plants in the hall are watered by the cook`, the hall does nothing.
  if (by.length > 0) return by.flatMap((one) => identityOf("name", one));
  const subjects: Place[] = [];
  for (const { index } of text.matchAll(/(?<![\p{L}'’-])\p{L}/gu)) {
    SUBJECT.lastIndex = index;
    const [, phrase = "", verb = ""] = SUBJECT.exec(text) ?? [];
    if (
      phrase !== "" &&
      isAsked(verb) &&
      !isAsked(phrase) &&
      !OF.test(text.slice(Math.max(0, index - 20), index))
    )
      subjects.push({ key: phrase, start: index, end: index + phrase.length });
  }
  return subjects.flatMap((one) => identityOf("name", one));
}

const TELLS =
  /\b(?:inform|tell|told|notif|report|contact|call|alert|ask|speak|talk|turn|complain|write|hand|ring|warn)|\blet\b.*\bknow\b/i;
/** `Who do I tell`, `who must be told`, not `who tells them` */
const ASKS_OBJECT =
  /\bwhom\b|\bwho(?: else)? (?:do|does|did)\b|\bwho(?: else)? (?:[\p{L}'’]+ )?(?:(?:I|we|you|they|he|she|one|the|an?|my|our|to)\b|(?:to )?be\b)|\bwho (?:is|are|gets?)\b/iu;
/** Verbs whose object is who is told. */
const TELL = "(?:inform|tell|notify|alert|contact|call|ask|ring|warn)(?:s|ed|ing)?";
const TOLD = new RegExp(
  `(?<=\\b(?:${TELL}|(?:report|hand|giv|sent|send|pass|speak|talk|turn|go|goes|writ|address|complain)\\w*\\b[^.;]{0,40}? to) (?:the|our|your|an?|their|his|her|its) )${NOUN_PHRASE}`,
  "giu",
);

const TOLD_BY_NAME = new RegExp(
  `(?<=\\b(?:${TELL}|(?:report(?:ed)?|hand(?:ed)?|given?|sen[dt]|speak|talk|turn|go(?:es)?|write|address(?:ed)?|complain|line) to) )${NO_NAME}\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+){0,2}`,
  "gu",
);

/** Who is told something, by a role or a name: `inform the caretaker`, `is reported to the office`, `tell Ann Lee`. */
const toldIn = (text: string): Identity[] => [
  ...rolesToldIn(text),
  ...matches(text, TOLD_BY_NAME).map((one) => ({ ...one, sort: "name", key: lastNameOf(one.key) })),
];

const rolesToldIn = (text: string): Identity[] =>
  matches(text, TOLD).flatMap((one) => {
    const words = one.key.split(" ");
    const end = words.findIndex((word) => isStopWord(word));
    const key = (end < 0 ? words : words.slice(0, end)).join(" ");
    return key === "" ? [] : identityOf("name", { ...one, key, end: one.start + key.length });
  });

const AT = new RegExp(
  `(?<=\\b(?:in|at|to|from|into|on|behind|near|opposite|beside|through|via) (?:(?:the|our|an?|its|your|his|her|their) )?)(?!least\\b|most\\b)${NOUN_PHRASE}`,
  "giu",
);

/** `In spring`, `at room temperature` */
const NO_PLACES = new Set(["spring", "summer", "autumn", "winter", "temperature"].map(stem));

const placesIn = (text: string, terms: readonly Term[]): Identity[] =>
  matches(text, AT)
    // A town or a street is no other place than `the second floor`.
    .flatMap((one) => identityOf(/^\p{Lu}/u.test(one.key) ? "named place" : "place", one))
    .filter(({ key }) => {
      const last = key.split(" ").at(-1)!;
      return !NO_PLACES.has(last) && terms.every((term) => term.stem !== last);
    });

/** Words behind a name that do not belong to it: `the head alone`. */
const BEHIND_NAME =
  /(?: (?:alone|him|her|themselves|himself|herself|itself|first|instead|again|directly))+$/i;

/** A noun phrase by its last two words; none for a time, or a word that says little. */
function identityOf(sort: string, { key, start, end }: Place): Identity[] {
  const words = key.replace(BEHIND_NAME, "").split(/[ -]/);
  const word = words.at(-1)!;
  const last = stem(word.replace(/['’]s?$/, ""));
  if (isTime(last) || isMonth(last) || isLightWord(word) || isStopWord(word)) return [];
  const before = words.at(-2) ?? "";
  const isKind = before !== "" && !isLightWord(before) && !isStopWord(before);
  return [{ sort, key: isKind ? `${stem(before)} ${last}` : last, start, end }];
}
