// The text of a heading as a reader sees it. It knows no tree; inline markup is taken off simply, not parsed.

import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../kernel/text.ts";
import { unescapeMarkdown } from "../markdown/parser.ts";
import type { Range } from "./split.ts";

/** What is read of a heading; its text stands in the path of every chunk below it and must be short. */
const MOST_UNITS = 4 * LIMITS.title.bytes;

/** Plain text of an ATX or a Setext heading that stands at `range` of `text`, at most as long as a title. */
export function headingText(text: string, { start, end }: Range): string {
  const source = cutUnits(text.slice(start, Math.min(end, start + MOST_UNITS + 1)), MOST_UNITS);
  const underline = Math.max(source.lastIndexOf("\n"), source.lastIndexOf("\r"));
  return cutBytes(
    plain(underline < 0 ? withoutMarks(source) : source.slice(0, underline)),
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
/** Code spans and escapes first: what is in them is no mark. Other marks go where they touch text. */
const MARKS =
  /(?<!`)`+([^`]+)`+|(\\[!-/:-@[-`{-~])|~~|\*+(?=\S)|(?<=\S)\*+|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu;

function plain(markup: string): string {
  const unlinked = markup.replace(LINK, "$1").replace(LINK, "$1").replace(AUTOLINK, "$1").replace(TAG, "");
  return unescapeMarkdown(unlinked.replace(MARKS, "$1$2")).replace(/\s+/g, " ").trim();
}
