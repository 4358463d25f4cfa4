// Finds what identifies a person, a contact or a place: names, phone numbers and addresses, numbered rooms. Of each there is
// usually one, so that two statements with different ones contradict each other. It reads English.

import { isStopWord } from "./terms.ts";
import type { Value } from "./values.ts";

const NAME =
  /\b(?:(?:(?:Mrs?|Ms|Dr|Prof)\.? )+|\p{Lu}[\p{L}'’-]+ (?=\p{Lu}|van |von |de ))(?:(?:\p{Lu}\.|van|von|de) )*\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*/gu;
/** What joins a name to a role: `the treasurer is Anna Berg`, `Anna Berg has been treasurer`. */
const ROLE_BEFORE =
  /(?:\b(?:is|remains|becomes|now)|[:(–—]|\b(?:the|our|your|my|its)(?: [\p{L}-]+){1,3},)\s*$/iu;
const ROLE_BEHIND = /^\s*(?:[(:–—]|, (?:the|our|your|my|its)\b|(?:is|remains|becomes|has been|has become)\b)/;
const PHONE = /(?<![\p{L}\d.,/-])(?:\+|\(?0|\d)[\d ()/–-]{4,}\d(?![\p{L}\d])/gu;
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?:\/\/|www\.)[^\s)>\]]*[\w/]/g;
const PLACE =
  /\b(room|floor|hall|gate|building|locker|shelf|desk|counter|platform|bay|track|aisle|level|cabinet|drawer|cupboard|box|pier|berth|dock|house) (?:no\.? |number )?(\d+\w?|[A-Z](?:-?\d+\w?)?)\b/giu;

type Identity = Pick<Value, "sort" | "key" | "start" | "end">;

/** Who held a role once does not hold it now. */
const PAST = /\b(?:was|were|until|former(?:ly)?|previous(?:ly)?|then|used to)\b/i;
const DATE = /^(?:\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/;

/** Which sorts of identities answer a type of question, and how they are found in a text. */
const OF_TYPE: Record<string, (text: string) => Identity[]> = {
  who: namesIn,
  contact: (text) => [
    ...matches(text, PHONE)
      .filter(({ key }) => !DATE.test(key) && digitsOf(key).length >= MIN_DIGITS)
      .map((one) => ({ ...one, sort: "phone", key: digitsOf(one.key).slice(-MIN_DIGITS) })),
    ...matches(text, ADDRESS).map((one) => ({
      ...one,
      sort: one.key.includes("@") ? "e-mail" : "address",
      key: one.key.toLowerCase().replace(/^(?:https?:\/\/)?(?:www\.)?|\/$/g, ""),
    })),
  ],
  where: (text) =>
    matches(text, PLACE).map((one) => {
      const [kind = "", ...rest] = one.key.toLowerCase().split(" ");
      return { ...one, sort: kind, key: rest.at(-1) ?? "" };
    }),
};

/** Others, such as `Who can help?` and `Where are the taps?`, have several right answers. */
const ASKS_ONE =
  /\b(?:who|where|what|which)(?: \w+)?(?:['’]s| is)\b.*?\b(?:the|our|your|my|his|her|its|their)\b/i;

/** Whether a question of this type asks for something of which there is usually one. */
export const asksIdentity = (type: string, question: string) => type in OF_TYPE && ASKS_ONE.test(question);

/** What a text states of the sorts that a question of this type asks for. */
export const identitiesIn = (type: string, text: string): Value[] =>
  (OF_TYPE[type]?.(text) ?? []).map((one) => ({
    ...one,
    amount: Number.NaN,
    unit: undefined,
    noun: "",
    per: "",
  }));

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: key, index }) => ({ key, start: index, end: index + key.length }));

function namesIn(text: string): Identity[] {
  if (PAST.test(text)) return [];
  return matches(text, NAME)
    .filter(({ key, start, end }) => {
      if (isStopWord(key.split(" ")[0]!)) return false;
      return ROLE_BEFORE.test(text.slice(0, start)) || ROLE_BEHIND.test(text.slice(end));
    })
    .map((one) => ({ ...one, sort: "name", key: lastNameOf(one.key) }));
}

/** `Dr. A. Berg` and `Anna Berg` may be one person. */
const lastNameOf = (name: string) => name.split(" ").at(-1)!.toLowerCase();

const digitsOf = (phone: string) => phone.replace(/\D/g, "");
/** Only the last digits are compared, because country codes and area codes are often left out. */
const MIN_DIGITS = 5;
