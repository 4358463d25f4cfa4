// Budgets of responses: results are added in order until the next one does not fit. Tokens are counted as in the
// contract, without a tokenizer: four characters of returned content are one token.

import { LIMITS } from "./limits.ts";
import { utf8Length } from "./text.ts";

const CHARACTERS_PER_TOKEN = 4;
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The tokens of a text: a quarter of its characters (code points), rounded up. */
function countTokens(text: string): number {
  const pairs = text.match(SURROGATE_PAIR)?.length ?? 0;
  return Math.ceil((text.length - pairs) / CHARACTERS_PER_TOKEN);
}

/** Whether the next item still fits into a response. The first always does. */
export type Budget<Item> = (item: Item) => boolean;

/** A budget of `maxTokens` tokens of content. */
export function tokenBudget(maxTokens: number): Budget<{ content: string }> {
  return budgetOf(maxTokens, ({ content }) => countTokens(content));
}

/** A budget of LIMITS.list.responseBytes bytes; the items are JSON. */
export function responseBudget(): Budget<string> {
  return budgetOf(LIMITS.list.responseBytes, utf8Length);
}

function budgetOf<Item>(limit: number, costOf: (item: Item) => number): Budget<Item> {
  let spent = 0;
  let isFirst = true;
  return (item) => {
    spent += costOf(item);
    const fits = isFirst || spent <= limit;
    isFirst = false;
    return fits;
  };
}
