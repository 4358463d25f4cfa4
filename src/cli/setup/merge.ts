// Adds an MCP server to the configuration of a client and changes nothing else: not the other members, and not the
// comments. A file that cannot be read, or in which the server has another form, is left to its owner.

import { applyEdits, modify, type ParseError, parse } from "jsonc-parser";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { Failure } from "../../kernel/errors.ts";

/** How a client starts the server. */
type ServerEntry = Record<string, string | readonly string[]>;

interface Addition {
  /** The member that contains the servers. */
  member: string;
  /** The name of the server. */
  name: string;
  entry: ServerEntry;
}

type Members = Record<string, unknown>;

/** The members of an entry that belong to servers that are reached over HTTP. */
const OTHER_FORM = ["url", "headers"];

/**
 * The text of a JSON file, which may have comments, with the server. Throws `unprocessable` if that cannot be written.
 */
export function mergeJson(text: string, { member, name, entry }: Addition): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const before = parseJson(source);
  const servers = before[member] ?? {};
  if (!isMembers(servers)) throw unclear(`its member ${member} is no object`);
  const known = servers[name] ?? {};
  if (!isMembers(known)) throw unclear(`its member ${member}.${name} is no object`);
  const kept = Object.fromEntries(Object.entries(known).filter(([key]) => !OTHER_FORM.includes(key)));
  const expected = { ...before, [member]: { ...servers, [name]: { ...kept, ...entry } } };
  if (isSame(before, expected)) return text;
  const indent = /^[ \t]+(?=")/m.exec(source)?.[0] ?? "  ";
  const options = {
    // First, so that a comment after the last member stays with it.
    getInsertionIndex: () => 0,
    formattingOptions: {
      insertSpaces: !indent.startsWith("\t"),
      tabSize: indent.length,
      eol: source.includes("\r\n") ? "\r\n" : "\n",
    },
  };
  let merged = source;
  const set = (path: string[], value: unknown) => {
    merged = applyEdits(merged, modify(merged, path, value, options));
  };
  if (servers[name] === undefined) set([member, name], entry);
  else {
    for (const other of OTHER_FORM.filter((one) => one in known)) set([member, name, other], undefined);
    for (const [key, value] of Object.entries(entry)) set([member, name, key], value);
  }
  requireSame(parseJson(merged), expected);
  return merged;
}

function parseJson(text: string): Members {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true };
  const value: unknown = parse(text, errors, options);
  if (errors.length > 0) throw unclear("it is no valid JSON");
  if (!isMembers(value)) throw unclear("it is no JSON object");
  return value;
}

const HEADER = /^[ \t]*\[/;
const ENTRY = /^[ \t]*(command|args)[ \t]*=/;

/** The text of a TOML file with the server. Throws `unprocessable` if that cannot be written. */
export function mergeToml(text: string, { member, name, entry }: Addition): string {
  const before = parseToml(text);
  const servers = before[member] ?? {};
  const known = isMembers(servers) ? (servers[name] ?? {}) : undefined;
  if (!isMembers(servers) || !isMembers(known)) throw unclear(`its member ${member} is no table`);
  if (OTHER_FORM.some((other) => other in known)) throw unclear(`${member}.${name} is a server with a URL`);
  const expected = { ...before, [member]: { ...servers, [name]: { ...known, ...entry } } };
  if (isSame(before, expected)) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  const block = [`[${member}.${name}]`, ...lines].join(eol);
  const merged =
    servers[name] === undefined ? appended(text, block, eol) : replaced(text, `${member}.${name}`, lines);
  requireSame(parseToml(merged), expected);
  return merged;
}

function appended(text: string, block: string, eol: string): string {
  if (text.trim() === "") return `${block}${eol}`;
  return `${text.replace(/\s*$/, "")}${eol}${eol}${block}${eol}`;
}

/**
 * Replaces the lines of `command` and `args` in a table. What these lines cannot express is found by the comparison
 * afterwards.
 */
function replaced(text: string, table: string, entries: readonly string[]): string {
  const lines = text.split("\n");
  const header = lines.findIndex((line) => line.replace(/#.*/, "").replace(/[\s"']/g, "") === `[${table}]`);
  if (header < 0) throw unclear(`${table} is not written as a table of its own`);
  const next = lines.findIndex((line, at) => at > header && HEADER.test(line));
  const end = next < 0 ? lines.length : next;
  const inside = lines.slice(header + 1, end).filter((line) => !ENTRY.test(line));
  const ending = lines[header]!.endsWith("\r") ? "\r" : "";
  return [
    ...lines.slice(0, header + 1),
    ...entries.map((line) => line + ending),
    ...inside,
    ...lines.slice(end),
  ].join("\n");
}

function parseToml(text: string): Members {
  try {
    return Bun.TOML.parse(text) as Members;
  } catch {
    throw unclear("it is no valid TOML");
  }
}

/** A text or a list of texts. JSON strings are TOML strings. */
export const tomlValue = (value: string | readonly string[]): string =>
  typeof value === "string"
    ? JSON.stringify(value)
    : `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isSame = (a: Members, b: Members) => canonicalJson(a) === canonicalJson(b);

/** Throws unless the written file says what it said before, and the server. */
function requireSame(after: Members, expected: Members): void {
  if (!isSame(after, expected)) throw unclear("the server cannot be added without other changes");
}

const unclear = (reason: string) => new Failure("unprocessable", reason);
