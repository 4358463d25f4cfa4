// What introduces a paragraph: the paragraph before a list or a code block, the question that it answers, the message
// that it replies to, the header row of a table that was split. Pure; it does not know where the paragraphs are stored.

import { delimitedIn } from "./delimited.ts";
import { beginsMessage, isQuestion } from "./entries.ts";
import { hasBars, kindAtStart, tableHeadOf } from "./leaves.ts";

/** Enough of a paragraph for introductionOf to find a header row in it; UTF-16 units. */
export const INTRODUCTION_UNITS = 8_000;

/** Whether the paragraph behind this one may belong to it: it is a question or ends with a colon. */
export const mayAnnounce = (text: string) => isQuestion(text) || /[:：]\s*$/.test(text);

/** Whether it does, as far as the beginning of the next paragraph tells. */
export const announces = (text: string, next: string) =>
  isQuestion(text) || (mayAnnounce(text) && mayBeBlock(next));

/** Whether the paragraph before another one may introduce it. Fast and without parsing; introductionOf decides. */
export const mayIntroduce = (before: string, text: string) =>
  mayBeBlock(text) || introducesProse(before, text);

/** Whether a paragraph is a question before its answer, or a message that ends with one before another message. */
const introducesProse = (before: string, text: string) =>
  beginsMessage(before) ? beginsMessage(text) && isQuestion(before.slice(-100)) : isQuestion(before);

/** Whether a paragraph may be a list, a table or code. */
const mayBeBlock = (text: string) =>
  /^(?:\s*(?:[-+*|`~]|\d{1,9}[.)]\s)|\t| {4})/.test(text) || delimitedIn(text) !== undefined;

/** Whether a paragraph is a piece of a table without its header row, as far as its first lines tell. */
export const continuesTable = (text: string) =>
  hasBars(text) ? !/^[^\n]*\n[ \t]*\|?[ \t:|-]+(?:\n|$)/.test(text) : delimitedIn(text)?.headers.length === 0;

/** Whether a paragraph may be a table. */
export const isTableRow = (text: string) => hasBars(text) || delimitedIn(text) !== undefined;
const isIntroduced = (text: string) => isTableRow(text) || kindAtStart(text) !== "other";

/** What introduces a paragraph: the one before it, or the header row of its table, "" if that is unknown. */
export interface Introduction {
  paragraph?: string;
  tableHead?: string;
}

/**
 * What introduces a paragraph. `before` is the paragraph before it in its section; for a piece of a table the nearest
 * one that is no such piece.
 */
export function introductionOf(text: string, before = ""): Introduction {
  if (!isIntroduced(text)) return introducesProse(before, text) ? { paragraph: before } : {};
  if (hasBars(text) && tableHeadOf(text) === undefined) return { tableHead: tableHeadOf(before) ?? "" };
  if (!hasBars(text) && continuesTable(text)) return { tableHead: delimitedHeadOf(before, text) };
  return before === "" || isIntroduced(before) ? {} : { paragraph: before };
}

/** The first line of a table of delimited values whose rows continue in `text`; "" if `before` is none. */
function delimitedHeadOf(before: string, text: string): string {
  const [of, own] = [delimitedIn(before), delimitedIn(text)];
  const isHead = of !== undefined && of.headers.length > 0 && of.headers.length === own?.rows[0]?.length;
  return isHead ? before.trimStart().split(/\r\n?|\n/, 1)[0]! : "";
}
