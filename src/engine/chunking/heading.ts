// The plain text of a heading. Inline markup is removed by regular expressions: parsing it would change the stored
// section paths of unusual headings.

import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../kernel/text.ts";
import { unescapeMarkdown } from "../markdown/parser.ts";
import type { Range } from "./split.ts";

/** Only the start of a longer heading is used, because every chunk of its section repeats its text. */
const MAX_UNITS = 4 * LIMITS.title.bytes;

/** Plain text of the ATX or Setext heading at a range of `text`, at most LIMITS.title.bytes long. */
export function headingText(text: string, { start, end }: Range): string {
  const source = cutUnits(text.slice(start, Math.min(end, start + MAX_UNITS + 1)), MAX_UNITS);
  const underline = Math.max(source.lastIndexOf("\n"), source.lastIndexOf("\r"));
  return cutBytes(
    plainText(underline < 0 ? withoutMarks(source) : source.slice(0, underline)),
    LIMITS.title.bytes,
  );
}

function withoutMarks(line: string): string {
  return line
    .replace(/^[ \t]*#{1,6}/, "")
    .trim()
    .replace(/(^|[ \t])#+$/, "");
}

const LINK = /!?\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g;
const AUTOLINK = /<([a-z][a-z0-9+.-]*:[^<>\s]*)>/gi;
const TAG = /<\/?[a-z][^<>]*>/gi;
/**
 * Code spans and escapes are matched first, because their content is literal. Other marks are removed beside text only.
 */
const MARKS =
  /(?<!`)`+([^`]+)`+|(\\[!-/:-@[-`{-~])|~~|\*+(?=\S)|(?<=\S)\*+|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu;

function plainText(markup: string): string {
  const unlinked = markup.replace(LINK, "$1").replace(LINK, "$1").replace(AUTOLINK, "$1").replace(TAG, "");
  return unescapeMarkdown(unlinked.replace(MARKS, "$1$2")).replace(/\s+/g, " ").trim();
}
