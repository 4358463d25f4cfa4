// Escapes text for Markdown, but only characters that CommonMark would read as syntax. Special characters are marked
// while the text of a node is written; at the end, when their context is known, each mark is replaced by an escape or
// removed.

import { trimCharactersEnd } from "../shared/text.ts";

/** A noncharacter that no text contains: escapeHtml removes it. */
const MARK = "\ufdd0";
const MARK_HASH = `${MARK}#`;

/**
 * Puts a mark before every character of a text that may be Markdown syntax: some anywhere, some only at the start of
 * the text (`.` and `)` also after a number there), `#` also at its end. Linear in the length of the text.
 */
export function markText(text: string): string {
  const body = text.trimStart();
  const end = body.trimEnd();
  const closing = trimCharactersEnd(end, "#");
  const hashes = MARK_HASH.repeat(end.length - closing.length) + body.slice(end.length);
  const start = /^(?:[#>+=|:.)-]|\d{1,9}[.)])/.exec(closing)?.[0] ?? "";
  const first = start === "" ? "" : `${start.slice(0, -1)}${MARK}${start.slice(-1)}`;
  const rest = closing.slice(start.length).replace(/[\\`*_[\]<&~!]/g, `${MARK}$&`);
  return text.slice(0, text.length - body.length) + first + rest + hashes;
}

/** Replaces every mark by an escape if the character would be read as syntax, else by nothing. */
export function resolveMarks(markdown: string): string {
  if (!markdown.includes(MARK)) return markdown;
  return markdown
    .split(/(\n{2,})/)
    .map((paragraph) => (paragraph.includes(MARK) ? resolve(paragraph) : paragraph))
    .join("");
}

function resolve(paragraph: string): string {
  const unmarked = paragraph.replaceAll(MARK, "");
  const isRepeated = {
    "*": count(unmarked, "*") > 1,
    _: count(unmarked, "_") > 1,
    "`": count(unmarked, "`") > 1,
    "~": count(unmarked, "~") > 1,
  };
  const parts = paragraph.split(MARK);
  const out = [parts[0]!];
  let last = parts[0]!.at(-1) ?? "";
  let lineStart = afterBreak("", parts[0]!);
  let at = parts[0]!.length;
  for (let i = 1; i < parts.length; i++) {
    const char = parts[i]![0]!;
    const rest = parts[i]!.slice(1);
    const position = at;
    const place: Place = {
      before: last,
      after: rest !== "" ? rest : (parts[i + 1] ?? ""),
      lineStart,
      atStart: isStructure(lineStart),
      line: () => restOfLine(unmarked, position),
    };
    const written = (needsEscape(char, place, isRepeated) ? `\\${char}` : char) + rest;
    out.push(written);
    last = written.at(-1)!;
    lineStart = afterBreak(lineStart, written);
    at += parts[i]!.length;
  }
  return out.join("");
}

interface Place {
  before: string;
  after: string;
  /** The line before the character, cut at a maximum length: a longer one does not consist of structure. */
  lineStart: string;
  /** Only structure precedes the character in its line. */
  atStart: boolean;
  line(): string;
}

const MAX_LINE_START = 600;

function afterBreak(line: string, written: string): string {
  const at = written.lastIndexOf("\n");
  if (at >= 0) return written.slice(at + 1, at + 1 + MAX_LINE_START);
  return line.length >= MAX_LINE_START ? line : (line + written).slice(0, MAX_LINE_START);
}

function needsEscape(
  char: string,
  { before, after, lineStart, atStart, line }: Place,
  isRepeated: Record<"*" | "_" | "`" | "~", boolean>,
): boolean {
  const blankAfter = after === "" || /^\s/.test(after);
  const blankBefore = before === "" || /\s/.test(before);
  switch (char) {
    case "\\":
      return after === "" || /^[!-/:-@[-`{-~\n]/.test(after);
    case "*":
      return (atStart && (blankAfter || isRule(line()))) || (isRepeated["*"] && !(blankBefore && blankAfter));
    case "_":
      if (atStart && isRule(line())) return true;
      return (
        isRepeated._ &&
        !(blankBefore && blankAfter) &&
        !(/[\p{L}\p{N}]/u.test(before) && /^[\p{L}\p{N}]/u.test(after))
      );
    case "`":
      return isRepeated["`"];
    case "~":
      return isRepeated["~"] && !(blankBefore && blankAfter);
    case "[":
      return (
        /^[^\]]*\](?:\(|\[)/.test(line().slice(1)) ||
        (atStart && /^[^\]]*\]:/.test(line().slice(1))) ||
        // A task of a list.
        (atStart && /(?:-|\d\.)\s+$/.test(lineStart) && /^[ xX]\]\s/.test(line().slice(1)))
      );
    case "]":
      return after.startsWith("(") || after.startsWith("[");
    case "<":
      if (!/^[^\s<>@]/.test(after)) return false;
      return /^[A-Za-z/!?]/.test(after) || /^[^\s<>@]+@/.test(line().slice(1));
    case "&":
      return /^&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/.test(line());
    case "!":
      return after.startsWith("[");
    case "#":
      return (
        (atStart && /^#{1,6}(?:\s|$)/.test(line())) || (/^#{1,6} /.test(lineStart) && /^#*\s*$/.test(line()))
      );
    case ">":
      return atStart;
    case "+":
      return atStart && blankAfter;
    case "-":
      return atStart && (blankAfter || isRule(line()) || isDelimiterRow(line()));
    case "=":
      return atStart && /^=+\s*$/.test(line());
    case "|":
    case ":":
      return atStart && isDelimiterRow(line());
    default:
      return blankAfter && /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*\d{1,9}$/.test(lineStart);
  }
}

/** Whether a text consists only of indents, quote signs, list bullets and numbers that the Markdown writer added. */
function isStructure(text: string): boolean {
  return /^(?:\s|>|-\s|\d{1,9}\.\s|\[[ x]\]\s)*$/.test(text);
}

/** Maximum length of the rest of a line that is examined. */
const MAX_LOOKAHEAD = 300;

function restOfLine(text: string, from: number): string {
  const line = text.slice(from, from + MAX_LOOKAHEAD);
  const end = line.indexOf("\n");
  return end < 0 ? line : line.slice(0, end);
}

function isRule(line: string): boolean {
  return /^(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|-+\s*)$/.test(line);
}

function isDelimiterRow(line: string): boolean {
  return /^[|:\-\s]+$/.test(line) && line.includes("-");
}

function count(text: string, char: string): number {
  let found = 0;
  for (let at = text.indexOf(char); at >= 0 && found < 2; at = text.indexOf(char, at + 1)) found++;
  return found;
}
