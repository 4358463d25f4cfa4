// Front matter of Markdown files: YAML is read and written, TOML and JSON are read. Values are those of JSON, so that
// they can be stored as metadata. Must run in a browser, too.

import { parse as parseToml, TomlDate } from "smol-toml";
import { CST, type Document, Lexer, parseDocument, Scalar, stringify, visit } from "yaml";
import { frontMatterLines } from "../engine/markdown/front-matter.ts";
import { lineStarts } from "../engine/markdown/lines.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { utf8Length } from "../kernel/text.ts";

export interface MarkdownFile {
  /** The members of the front matter; undefined if the text has none or it cannot be read. */
  members: Record<string, unknown> | undefined;
  /** The text behind the front matter, or the whole text without readable front matter. */
  body: string;
  /** Why front matter was kept as text. */
  problem?: string;
}

/** YAML aliases can repeat a value many times; a file with more is not front matter that a person wrote. */
const MAX_ALIASES = 100;
const { bytes: MAX_BYTES, lines: MAX_LINES, members: MAX_MEMBERS, depth: MAX_DEPTH } = LIMITS.frontMatter;
/** Marks of YAML that are read before it is parsed. A member has two at most, `:` and `,` or `-`; others are rare. */
const MAX_MARKS = 2 * MAX_MEMBERS;
/** Quoted texts and ends of collections: a member has two and a half at most, its name, its value and `}`. */
const MAX_QUOTES_AND_ENDS = 3 * MAX_MEMBERS;

/**
 * Splits a text into front matter and body. What is not readable as front matter stays in the body. Throws
 * `unprocessable` if it is larger than front matter may be: parsing YAML can take minutes.
 */
export function readFrontMatter(text: string): MarkdownFile {
  const starts = lineStarts(text);
  const lines = frontMatterLines(text, starts);
  if (lines === 0) return readOtherForm(text);
  const yaml = text.slice(starts[1], starts[lines - 1]);
  if (utf8Length(yaml) > MAX_BYTES) throw beyondLimit(`is larger than ${MAX_BYTES / 1024} kB`);
  if (lines - 2 > MAX_LINES) throw beyondLimit(`has more than ${MAX_LINES} lines`);
  if (hasTooManyMarks(yaml)) throw tooManyMembers();
  try {
    const document = parseDocument(yaml, { schema: "core", intAsBigInt: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error) throw error;
    keepWriting(document);
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
    if (typeof value !== "object" || Array.isArray(value)) throw new Error("it is not a list of members");
    return { members: jsonOf(value as object), body: text.slice(starts[lines]) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const [reason] = messageOf(error).split("\n");
    const problem = `the front matter is kept as text: ${reason?.replace(/:$/, "")}`;
    return { members: undefined, body: text, problem };
  }
}

/** Numbers that would be written with other digits stay text: `3.10`, `0042`, `1e3`. */
function keepWriting(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      const { value, source, type } = scalar;
      const isNumber = typeof value === "number" || typeof value === "bigint";
      if (isNumber && type === Scalar.PLAIN && source !== undefined && String(value) !== source)
        scalar.value = source;
    },
  });
}

/** Front matter of TOML between lines `+++`, or a JSON object that begins and ends with lines of one brace. */
const OTHER_FORMS = [
  { name: "TOML", start: /^\+\+\+[ \t]*\n/, end: /^\+\+\+[ \t]*(?:\n|$)/m, braces: false },
  { name: "JSON", start: /^\{[ \t]*\n/, end: /^\}[ \t]*(?:\n|$)/m, braces: true },
];

function readOtherForm(text: string): MarkdownFile {
  const none = { members: undefined, body: text };
  // A byte more than front matter may have, and its ends.
  const beginning = text.slice(0, MAX_BYTES + 100).replace(/\r\n/g, "\n");
  for (const { name, start, end, braces } of OTHER_FORMS) {
    const opened = start.exec(beginning);
    if (!opened) continue;
    const rest = beginning.slice(opened[0].length);
    const closed = end.exec(rest);
    if (!closed) return none;
    const inner = rest.slice(0, closed.index);
    const length = opened[0].length + closed.index + closed[0].length;
    const lineEnds = beginning.slice(0, length).split("\n").length - 1;
    const body = afterLines(text, lineEnds);
    try {
      const value: unknown = braces ? JSON.parse(`{${inner}}`) : parseToml(inner, { integersAsBigInt: true });
      return { members: jsonOf(value as object), body };
    } catch (error) {
      if (error instanceof Failure) throw error;
      // A document may begin with an object.
      if (braces) return none;
      const [reason] = messageOf(error).split("\n");
      return { ...none, problem: `the front matter (${name}) is kept as text: ${reason}` };
    }
  }
  return none;
}

/** The text after this many lines. */
function afterLines(text: string, lines: number): string {
  let at = 0;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return "";
    at = end + 1;
  }
  return text.slice(at);
}

const beyondLimit = (what: string) =>
  new Failure("unprocessable", `the front matter (from the first line --- to the next) ${what}`);
const tooManyMembers = () => beyondLimit(`has more than ${MAX_MEMBERS} members`);

/** Lexemes that make no work: spaces, line ends and texts. */
const PLAIN = new Set<string | null>([
  "doc-mode",
  "byte-order-mark",
  "space",
  "newline",
  "comment",
  "block-scalar-header",
]);
const QUOTES_AND_ENDS = new Set<string | null>([
  "single-quoted-scalar",
  "double-quoted-scalar",
  "flow-map-end",
  "flow-seq-end",
]);

/**
 * Whether YAML has too many marks such as `:`, `?`, `-`, `,`, `[`, `&` and `*`, quoted texts or ends. Takes linear
 * time.
 */
function hasTooManyMarks(yaml: string): boolean {
  let marks = 0;
  let others = 0;
  let isText = false;
  for (const lexeme of new Lexer().lex(yaml)) {
    const type: string | null = isText ? "space" : CST.tokenType(lexeme);
    isText = type === "scalar";
    if (isText || PLAIN.has(type)) continue;
    if (QUOTES_AND_ENDS.has(type) ? ++others > MAX_QUOTES_AND_ENDS : ++marks > MAX_MARKS) return true;
  }
  return false;
}

/** The text of a file with front matter. readFrontMatter returns the same members and body. */
export function writeFrontMatter(members: Record<string, unknown>, body: string): string {
  const yaml = stringify(members, { schema: "core", lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${yaml}---\n${body}`;
}

/** Whether front matter with these members is read again. */
export function isFrontMatter(members: Record<string, unknown>): boolean {
  try {
    return readFrontMatter(writeFrontMatter(members, "")).members !== undefined;
  } catch {
    return false;
  }
}

/** The values of front matter as JSON has them. Throws `unprocessable` for too many or too deep. */
function jsonOf(front: object): Record<string, unknown> {
  let members = 0;
  const read = (value: unknown, depth: number): unknown => {
    if (value instanceof TomlDate) return value.toISOString();
    if (typeof value !== "object" || value === null) return toJson(value);
    if (depth > MAX_DEPTH) throw beyondLimit(`is nested deeper than ${MAX_DEPTH} levels`);
    const entries = Object.entries(value);
    members += entries.length;
    if (members > MAX_MEMBERS) throw tooManyMembers();
    if (Array.isArray(value)) return value.map((item) => read(item, depth + 1));
    return Object.fromEntries(entries.map(([name, member]) => [name, read(member, depth + 1)]));
  };
  return read(front, 1) as Record<string, unknown>;
}

/** A simple value: integers whose digits a double does not keep become text, as do infinity and NaN. */
function toJson(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    // Also an exact number may be written with other digits: 2^64 becomes 18446744073709552000.
    return String(number) === String(value) ? number : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string") return value.toWellFormed();
  return value ?? null;
}
