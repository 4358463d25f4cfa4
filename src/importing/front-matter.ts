// YAML front matter of Markdown files, read and written. Values are those of JSON, so that they can be stored as metadata.
// Must run in a browser, too.

import { parseDocument, stringify } from "yaml";
import { frontMatterLines } from "../engine/markdown/front-matter.ts";
import { lineStarts } from "../engine/markdown/lines.ts";
import { messageOf } from "../kernel/errors.ts";

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

/** Splits a text into front matter and body. Never throws: what is not readable as front matter stays in the body. */
export function readFrontMatter(text: string): MarkdownFile {
  const starts = lineStarts(text);
  const lines = frontMatterLines(text, starts);
  if (lines === 0) return { members: undefined, body: text };
  const yaml = text.slice(starts[1], starts[lines - 1]);
  try {
    const document = parseDocument(yaml, { schema: "core", intAsBigInt: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error) throw error;
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
    if (typeof value !== "object" || Array.isArray(value)) throw new Error("it is not a list of members");
    return { members: toJson(value) as Record<string, unknown>, body: text.slice(starts[lines]) };
  } catch (error) {
    const [reason] = messageOf(error).split("\n");
    const problem = `the front matter is kept as text: ${reason?.replace(/:$/, "")}`;
    return { members: undefined, body: text, problem };
  }
}

/** The text of a file with front matter. readFrontMatter returns the same members and body. */
export function writeFrontMatter(members: Record<string, unknown>, body: string): string {
  const yaml = stringify(members, { schema: "core", lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${yaml}---\n${body}`;
}

/** A YAML value as JSON has it: integers whose digits a double does not keep become text, as do infinity and NaN. */
function toJson(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    // Also an exact number may be written with other digits: 2^64 becomes 18446744073709552000.
    return String(number) === String(value) ? number : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
}
