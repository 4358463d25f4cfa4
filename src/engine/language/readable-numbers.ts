// Puts numbers that a small reading model cannot compare in other words: versions and dates.

import { MONTH } from "./grammar.ts";

const VERSION =
  /(?<![\w.])(?:(?:version|release) v?(\d{1,3}(?:\.\d{1,3})+)|v?(\d{1,3}(?:\.\d{1,3}){2,}))(?!\.?\w)/gi;

/** The question without versions that the context of a passage states: the reading model cannot compare numbers. */
export function withoutVersions(question: string, context: string): string {
  return question.replace(VERSION, (whole, named: string | undefined, bare: string | undefined) => {
    const stated = context.match(/\d{1,3}(?:\.\d{1,3})+/g) ?? [];
    return stated.some((one) => `${one}.`.startsWith(`${named ?? bare}.`)) ? "this version" : whole;
  });
}

/** A text with the months of dates in words: the reading model knows few dates such as 2026-05-02. */
export const withMonths = (text: string) =>
  text.replace(ISO_DATE, (date) => {
    const [year, month, day] = date.split("-").map(Number);
    return `${day} ${MONTHS[month! - 1]} ${year}`;
  });
const ISO_DATE = /(?<![\w-])\d{4}-(?:0[1-9]|1[0-2])-\d\d(?![\w-])/g;
const MONTHS = MONTH.split("|");
