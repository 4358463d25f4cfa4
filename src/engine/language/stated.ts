// Whether a text states what a question asks for: a value of its sort, words that tell it, a cell under a header that names
// it, a number of just the things that are counted. It knows no evidence.

import { amountOf } from "./cells.ts";
import { countedIn, countsIt, unitAskedIn } from "./counted.ts";
import { CONTENT_WORD, DETERMINER } from "./grammar.ts";
import { isImperative } from "./imperatives.ts";
import { isMentioned, shareOf, type WordSet } from "./match.ts";
import type { QuestionType } from "./question-types.ts";
import { stem, stemsOf, termsOf } from "./terms.ts";
import { type Unit, unitOf } from "./units.ts";
import type { Value } from "./values.ts";

/** A text as it is judged. */
export interface Text {
  plain: string;
  /** Without those that the question states itself. */
  values: readonly Value[];
  /** The cells of a row of a table. */
  cells?: readonly Cell[] | undefined;
  isCode?: boolean;
  /** Whether it is an item of a numbered list. */
  isStep?: boolean;
}

interface Cell {
  header: string;
  value: string;
}

/** Not told by the type. */
const UNKNOWN = 0.5;
const HINTED = 0.6;
/** A value that is an answer only sometimes. */
const UNSURE = 0.3;
/** A bare number under a header with a word of the question, or under any other: its unit is often nowhere. */
const BARE_NEAR = 0.7;
const BARE = 0.4;

/** How surely a text states what a question of this type asks for: 1 yes, 0 no, 0.5 if the type does not tell. */
export function statedBy(type: QuestionType, question: string): (text: Text) => number {
  const counted = type.name === "count" ? countedIn(question) : undefined;
  if (counted) return (text) => countsIt(counted, text);
  const asked = new Asked(type, question);
  if (!type.values && !type.states) return (text) => (isUnderKind(asked, text) ? 1 : UNKNOWN);
  if (type.name === "who")
    return (text) =>
      doesIt(asked, text.plain) ? 1 : Math.max(statedInText(asked, text), statedInCells(asked, text));
  return (text) =>
    type.form === "procedure" && (text.isCode || text.isStep || isImperative(text.plain))
      ? 1
      : Math.max(statedInText(asked, text), statedInCells(asked, text));
}

/** `which supplier`, `which of the suppliers`: the noun is one of the next words. */
const KIND = new RegExp(
  `\\b(?:which|what) (?:of (?:${DETERMINER}) )?(?:(?:kind|sort|type) of )?((?:${CONTENT_WORD} ){0,2}${CONTENT_WORD})`,
  "iu",
);
/** A stay of 20 minutes is not told in years. */
const MAX_RATIO_OF_UNITS = 60;

const MIN_JOINED = 5;
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** What is asked for, and the words of the question. */
class Asked {
  /** Sorts of values that are answers. */
  readonly sure: readonly string[];
  readonly states: RegExp | undefined;
  readonly hints: RegExp | undefined;
  /** What somebody does in `who looks after the shed`. */
  readonly verb;
  /** Words of which one may name the kind that is asked for. */
  readonly kinds;
  readonly #unit: Unit | undefined;
  readonly #known: WordSet;

  constructor(
    readonly type: QuestionType,
    question: string,
  ) {
    const { values = [], unsure, states, hints } = type;
    this.sure = values.filter((sort) => !unsure?.includes(sort));
    this.states = states && new RegExp(states, `${states.flags}g`);
    this.hints = hints && new RegExp(hints, `${hints.flags}g`);
    this.kinds = termsOf(KIND.exec(question)?.[1] ?? "");
    this.verb = termsOf(/\bwho\b(.*)/i.exec(question)?.[1] ?? "")[0];
    this.#unit = unitAskedIn(question);
    this.#known = { stems: stemsOf(question), joined: lettersOf(question) };
  }

  isSure({ sort, unit }: Value): boolean {
    if (!this.sure.includes(sort)) return false;
    if (sort !== "duration" || unit === undefined || this.#unit?.sort !== sort) return true;
    const ratio = unit.factor / this.#unit.factor;
    return Math.max(ratio, 1 / ratio) <= MAX_RATIO_OF_UNITS;
  }

  /** Whether words say something that the question does not say itself. */
  isNew(words: string): boolean {
    const own = termsOf(words).filter(({ word }) => !this.type.implied?.test(word));
    return own.length === 0 || own.some(({ stem }) => !this.#known.stems.has(stem));
  }

  isOfTopic(words: string): boolean {
    // A letter can be explained, although it is no word elsewhere.
    const letters = words.match(/(?<![\p{L}\p{N}])\p{Lu}(?![\p{L}\p{N}])/gu) ?? [];
    return (
      // `writeoff` and `Write-off.`
      (lettersOf(words).length >= MIN_JOINED && this.#known.joined.includes(lettersOf(words))) ||
      letters.some((letter) => this.#known.stems.has(stem(letter))) ||
      termsOf(words).some((term) => shareOf(term, this.#known) > 0)
    );
  }
}

const SUBJECT =
  /^(\p{Lu}[\p{L}'’-]+(?: and \p{Lu}[\p{L}'’-]+)?) (?:(?:is|are|was|were|has|have|had|will|may|can|must|also|always) )*([\p{L}-]+)/u;

/** Whether a text begins with a name of somebody who does what is asked for: `Ann looks after the shed.` */
function doesIt(asked: Asked, plain: string): boolean {
  const [, name = "", verb = ""] = SUBJECT.exec(plain) ?? [];
  return (
    asked.verb !== undefined && termsOf(name).length > 0 && asked.isNew(name) && isMentioned(asked.verb, verb)
  );
}

function statedInText(asked: Asked, { plain, values, cells }: Text): number {
  const { type, states, hints } = asked;
  if (values.some((value) => asked.isSure(value))) return 1;
  // Headers name what a row states, and do not state it.
  const text = cells ? cells.map(({ value }) => value).join("; ") : plain;
  const isStated = (words: string) => (type.isOfTopic ? asked.isOfTopic(words) : asked.isNew(words));
  if (states && [...text.matchAll(states)].some(([words]) => isStated(words))) return 1;
  if (hints && [...text.matchAll(hints)].some(([words]) => asked.isNew(words))) return HINTED;
  return values.some(({ sort }) => type.values?.includes(sort)) ? UNSURE : 0;
}

const EMPTY = /^\s*(?:[-–—/.]*|none|no|n\/a|not .*)\s*$/i;
const YES_OR_NO = /^(?:yes|no|[✓✔✗x])$/i;
const BARE_NUMBER = /^\W*\d[\d.,]*(?:, \d+)*\W*$/;
/** Sorts that a bare number in a table can mean. */
const MEASURED = new Set(["number", "money", "mass", "length", "data", "speed", "temperature"]);

/** How surely a row, or `Label: value`, states it by the header of a cell. */
function statedInCells(asked: Asked, { plain, cells = labelled(plain) }: Text): number {
  // A row explains what its first cell names.
  if (asked.type.isOfTopic && cells.length > 1 && asked.isOfTopic(cells[0]!.value)) return 1;
  return Math.max(
    0,
    ...cells.map((cell) => (asked.type.values ? valueIn(cell, cells, asked) : wordsIn(cell, asked))),
  );
}

function wordsIn({ header, value }: Cell, asked: Asked): number {
  const { headers, name } = asked.type;
  if (name === "permission" && YES_OR_NO.test(value) && !asked.isNew(header)) return 1;
  return headers?.test(header) && !EMPTY.test(value) && asked.isNew(value) ? 1 : 0;
}

function valueIn({ header, value }: Cell, row: readonly Cell[], asked: Asked): number {
  const isBare = BARE_NUMBER.test(value);
  const amount = /\d/.test(value) && !EMPTY.test(value) ? amountOf(value, header) : undefined;
  if (!amount && !isBare) return 0;
  if (
    asked.type.headers?.test(header) ||
    asked.sure.some((sort) => sort !== "number" && sort === amount?.sort)
  )
    return 1;
  if (!isBare) return 0;
  if (namesUnit(row, asked.sure)) return BARE_NEAR;
  if (!asked.type.values?.some((sort) => MEASURED.has(sort))) return 0;
  return asked.isNew(header) ? BARE : BARE_NEAR;
}

/** `Responsible: Ann Berg` as a cell with its header. */
function labelled(plain: string): Cell[] {
  const [, header, value] = /^(\p{L}[^:.;,!?]{1,40}): (.+)$/u.exec(plain) ?? [];
  return header !== undefined && value !== undefined ? [{ header, value }] : [];
}

/** Whether a row names a unit anywhere, as in `Key: reminder_days; Default: 7`. */
const namesUnit = (row: readonly Cell[], sorts: readonly string[]) =>
  row.some(({ header, value }) =>
    `${header} ${value}`.split(/[^\p{L}]+/u).some((word) => {
      const unit = word.length > 2 ? unitOf(word) : undefined;
      return unit !== undefined && sorts.includes(unit.sort);
    }),
  );

/** Whether a text is a row with a cell under a header of the kind that is asked for. */
const isUnderKind = (asked: Asked, { cells = [] }: Text) =>
  cells.some(
    ({ header, value }) => asked.kinds.some((kind) => isMentioned(kind, header)) && asked.isNew(value),
  );
