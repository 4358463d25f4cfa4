// The codes, versions, years and numbered things that a question names. Each means one thing: a passage about another
// one of the same kind, such as `E1008` for `E1009`, does not answer.

import { isLightWord, isStopWord } from "../../text/terms.ts";

export interface Named {
  /** As it is compared. */
  key: string;
  /** Finds things of the same kind; group 1 is what is compared. */
  pattern: RegExp;
}

/** A word of letters, digits and single separators that begins with a letter; a code if it has a digit. */
const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{N}]*(?:[._-][\p{L}\p{N}]+)*/gu;
const VERSION =
  /(?<=\b(?:version|release|update|edition|in|since|with|before|after) )\d+(?:\.\d+)+(?![\p{L}\p{N}%])/gu;
const YEAR = /(?<=\b(?:in|of|for|since|during|from|until|by) )(?:19|20)\d\d\b(?! \p{L}+s\b)/giu;
/** `invoice 2025-114`, `room 206`. */
const NUMBERED = /\b(\p{L}{3,}) (?:no\. |number |#)?(\d+[-/]\d+|\d{3,})\b(?! ?(?:\p{L}+s\b|\p{Sc}|%))/giu;

/** What a question names; more than a few things are a list that no passage contains alone. */
export function namedIn(question: string): Named[] {
  const named: Named[] = [];
  for (const [word] of question.matchAll(WORD)) if (/\p{N}/u.test(word)) named.push(kindOf(word));
  for (const [version] of question.matchAll(VERSION)) named.push(kindOf(version));
  for (const [year] of question.matchAll(YEAR)) named.push({ key: year, pattern: /\b((?:19|20)\d\d)\b/g });
  for (const [, noun, number] of question.matchAll(NUMBERED)) {
    if (isStopWord(noun!) || isLightWord(noun!) || /^(?:19|20)\d\d$/.test(number!)) continue;
    const digits = number!.replace(/\d+/g, String.raw`\d+`);
    const pattern = new RegExp(
      String.raw`\b${RegExp.escape(noun!)}s? (?:no\. |number |#)?(${digits})\b`,
      "gi",
    );
    named.push({ key: keyOf(number!), pattern });
  }
  return named.length <= MAX_NAMED ? named : [];
}

const MAX_NAMED = 4;

/** Things with the same letters and other digits; the `v` of a version may be missing. */
function kindOf(code: string): Named {
  const isVersion = /^v?\d+(?:\.\d+)+$/i.test(code);
  const digits = isVersion
    ? String.raw`(?:v(?:ersion|\.)? ?)?\d+(?:\.\d+)+`
    : code
        .split(/(\d+|[-_])/)
        .map((part) =>
          /\d/.test(part) ? String.raw`\d+` : /^[-_]$/.test(part) ? "[-_ ]?" : RegExp.escape(part),
        )
        .join("");
  return {
    key: keyOf(code),
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}.])(${digits})(?![\p{L}\p{N}])`, "giu"),
  };
}

const keyOf = (code: string) =>
  code
    .toLowerCase()
    .replace(/^v(?:ersion|\.)? ?(?=\d)/, "")
    .replace(/[-_ ]/g, "");

/** Whether a text names a thing, another one of its kind instead, or neither. */
export function mentionOf({ key, pattern }: Named, text: string): "same" | "other" | "none" {
  let isOther = false;
  // `Larkhill 68, 610`.
  if (/^\d+$/.test(key) && new RegExp(`(?<!\\d)${key}(?!\\d)`).test(text)) return "same";
  for (const [, found] of text.matchAll(pattern)) {
    const other = keyOf(found!);
    if (other === key || other.startsWith(`${key}.`)) return "same";
    isOther = true;
  }
  return isOther ? "other" : "none";
}
