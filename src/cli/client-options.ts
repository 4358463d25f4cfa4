// The options of commands that use the API as a user: --data-dir, --user and --json, and the parsers of their
// arguments.

import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { LOCAL_OWNER } from "../auth/users.ts";
import { badRequest } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { hasMoreCharacters } from "../kernel/text.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";

export interface ClientCommandOptions extends DataDirOption {
  user: string;
  json?: boolean;
}

/** Adds --user, --json and --data-dir. */
export function withClientOptions(command: Command): Command {
  return withDataDir(command)
    .option("--user <EMAIL>", "user whose records are used", LOCAL_OWNER)
    .option("--json", "print JSON");
}

/** Explains `--path` in the help of a command. */
export const PATH_HELP =
  "only records below this folder, file or URL: the start of a path, or of a part of it";

/** The value of `--path`: a path that starts with `.` is one of the current folder. */
export function pathPrefix(path: string): string {
  return /^\.\.?([/\\]|$)/.test(path) ? resolve(path) : path;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** A parser of choices in the plural that also accepts the singular: `document` for `documents`. */
export function parseKind<Kind extends string>(kinds: readonly Kind[]): (value: string) => Kind {
  return (value) => {
    const kind = kinds.find((one) => one === value || one === `${value}s`);
    if (kind === undefined) throw new InvalidArgumentError(`Allowed choices are ${kinds.join(", ")}.`);
    return kind;
  };
}

/**
 * The text of a search or question from its words, which need no quotes in a shell. Throws `bad-request` naming
 * `argument` if it is blank, too long or contains NUL.
 */
export function parseQuery(argument: string, words: string[]): string {
  const text = words.join(" ");
  if (text.trim() === "" || text.includes("\0") || hasMoreCharacters(text, LIMITS.query.characters)) {
    throw badRequest({ path: argument, message: `must have 1 to ${LIMITS.query.characters} characters` });
  }
  return text;
}

/** A whole number in a range. Throws `bad-request` naming the option. */
export function parseWholeNumber(
  option: string,
  text: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= minimum && number <= maximum)) {
    const message = `must be a whole number from ${minimum} to ${maximum}`;
    throw badRequest({ path: option, message });
  }
  return number;
}

const MAX_DURATION_S = 10 * 365 * 86_400;
/** Seconds in each unit of a duration. */
const UNIT_S: Record<string, number> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** The seconds of `3600`, `90m`, `12h` or `30d`, at most ten years. Throws `bad-request` naming the option. */
export function parseDuration(option: string, text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * UNIT_S[unit]!;
  if (seconds <= MAX_DURATION_S) return seconds;
  const message = `must be a time from 1s to ${MAX_DURATION_S / UNIT_S.d!}d, such as 3600 (seconds), 90m, 12h or 30d`;
  throw badRequest({ path: option, message });
}
