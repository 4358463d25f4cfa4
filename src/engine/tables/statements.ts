// What several of something cost, from a sentence with one price for one of it: three days at `12 euros per day`.

import { boundOf, totalLike } from "../language/cells.ts";
import { asksPrice } from "../language/comparisons.ts";
import { shareOf } from "../language/match.ts";
import { isDenied } from "../language/negation.ts";
import { countIn, rateIn, ratesIn } from "../language/rates.ts";
import { type Term, termsOf } from "../language/terms.ts";
import { valuesOf } from "../language/values.ts";
import { type Asked, asksTotal, type Result, type Row } from "./table.ts";

/** Behind a price, what it is for. */
const BEHIND = 60;

/** The price for as many as the question says; undefined if the statement has several prices, or leaves a word of it open. */
export function productFrom(statement: Row, { text, terms }: Asked): Result | undefined {
  const values = asksPrice(text) ? valuesOf(text) : [];
  if (values.length === 0) return undefined;
  const stating = valuesOf(statement.plain);
  const prices = stating.filter(({ sort }) => sort === "money");
  const [price] = prices;
  if (!price || prices.length > 1 || Number.isNaN(price.amount)) return undefined;
  // A minimum of 6 months, or a price that is no longer the price.
  const isQualified = stating.some(({ sort }) => sort === "duration") || isDenied(statement.plain);
  const bound = boundOf(statement.plain.slice(0, price.start), statement.plain.slice(price.end));
  if (isQualified || bound) return undefined;
  const behind = statement.plain.slice(price.end, price.end + BEHIND).split(/[,;.]/)[0]!;
  const rates = new Set(/^\s*(?:\/|(?:per|an?|each|every)\b)/i.test(behind) ? ratesIn(behind) : []);
  if (rates.size === 0) return undefined;
  const counts: number[] = [];
  const stated = new Set<string>();
  for (const value of values) {
    const rate = rateIn(text, value, rates);
    if (rate === undefined || rates.size === 0) return undefined;
    rates.delete(rate);
    counts.push(countIn(value));
    for (const { stem } of termsOf(`${text.slice(value.start, value.end)} ${value.noun}`)) stated.add(stem);
  }
  const times = counts.reduce((product, count) => product * count, 1);
  const isSaid = (term: Term) => stated.has(term.stem) || shareOf(term, statement.wordsInContext) > 0;
  const isAll = terms.every(
    (term) => term.weight < 1 || asksPrice(term.word) || asksTotal(term.word) || isSaid(term),
  );
  if (rates.size > 0 || !Number.isInteger(times) || times < 2 || !isAll) return undefined;
  const { sort, amount, unit, start, end } = price;
  const written = statement.plain.slice(start, end);
  const total = totalLike([{ sort, amount, unit, per: "", text: written, shown: written }], amount * times);
  return {
    isWhole: false,
    statement: `${[...counts, written].join(" × ")} = ${total}, from this passage:`,
    rows: [statement],
  };
}
