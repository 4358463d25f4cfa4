// Decides from the paragraphs around a chunk what introduces it: the sentence before a list or a code block, the header row
// of a table that was split. Pure; it does not know where the paragraphs are stored.

import { cutUnits } from "../../kernel/text.ts";
import { kindAtStart, tableHeadOf } from "../markdown/leaves.ts";
import type { Evidence } from "./units.ts";

const MAX_LEAD_UNITS = 400;

/** Enough of a preceding paragraph for introductionOf to find a table's header row in it; UTF-16 units. */
export const INTRODUCTION_UNITS = 8_000;

/** Whether a paragraph ends with a colon, so that the list, table or code block after it belongs to it. */
export function announcesNext(text: string): boolean {
  return /[:：]\s*$/.test(text);
}

/** Whether a paragraph is what others introduce: a list, a table, a piece of a table, or code. */
export function isIntroduced(text: string): boolean {
  return isTableRow(text) || kindAtStart(text) !== "other";
}

/**
 * What introduces a paragraph. `before` are the paragraphs before it in its section, nearest first, each at least to its
 * first INTRODUCTION_UNITS units and the nearest one whole; it is read only as far as necessary.
 */
export function introductionOf(text: string, before: Iterable<string>): Pick<Evidence, "lead" | "tableHead"> {
  if (!isIntroduced(text)) return {};
  if (isTableRow(text) && tableHeadOf(text) === undefined) return { tableHead: headAmong(before) };
  const [previous] = before;
  return previous === undefined || isIntroduced(previous) ? {} : { lead: lastSentence(previous) };
}

const isTableRow = (text: string) => text.trimStart().startsWith("|");

/** The header row of the table that `before` ends with; "" if it ends with something else or the header is missing. */
function headAmong(before: Iterable<string>): string {
  for (const text of before) {
    const head = tableHeadOf(text);
    if (head !== undefined || !isTableRow(text)) return head ?? "";
  }
  return "";
}

function lastSentence(text: string): string {
  const tail = text.length > MAX_LEAD_UNITS ? text.slice(-MAX_LEAD_UNITS) : text;
  return cutUnits(/[^.!?]+[.!?:]*\s*$/.exec(tail)?.[0].trim() ?? tail.trim(), MAX_LEAD_UNITS);
}
