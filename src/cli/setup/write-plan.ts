// Changes of files that a person agrees to: shows the differences, keeps copies, and writes each file at once.

import {
  copyFileSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { compare } from "../../kernel/compare.ts";
import { Failure, reasonOf } from "../../kernel/errors.ts";
import { decodeText } from "../../importing/decode.ts";
import { readRegularFile } from "../regular-file.ts";
import { describeRows } from "../records/difference.ts";

/** A larger file is no configuration. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Copies of one file. */
const MAX_COPIES = 100;
/** A longer line of a difference is cut, in UTF-16 units. */
const MAX_LINE_UNITS = 200;

/** A file to be written. */
export interface Change {
  /** Its path, not that of a link to it. */
  path: string;
  /** Undefined if there is none. */
  before: string | undefined;
  after: string;
}

/**
 * The change that `make` makes of the text of a file. Throws a Failure that names the file if it cannot be read or
 * changed.
 */
export function planChange(given: string, make: (before: string) => string): Change {
  try {
    const path = realPath(given);
    const before = path === undefined ? undefined : decodeText(readRegularFile(path, MAX_BYTES));
    return { path: path ?? given, before, after: make(before ?? "") };
  } catch (error) {
    const message = `${given} was not changed: ${reasonOf(error)}`;
    throw new Failure(error instanceof Failure ? error.kind : "unavailable", message, { cause: error });
  }
}

/** The path without links; undefined if nothing is there. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The lines that show what a change does. */
export function describePlan({ path, before, after }: Change): string[] {
  const { rows } = compare(before ?? "", after);
  const lines = describeRows(rows).map((line) =>
    line.length > MAX_LINE_UNITS ? `${line.slice(0, MAX_LINE_UNITS)}…` : line,
  );
  return [`${path}${before === undefined ? " (new)" : ""}`, ...lines];
}

/**
 * Writes a file, or leaves it as it is. Returns the path of the copy of what it was, if there was a file. Throws
 * `conflict` if it has changed since it was read.
 */
export function writeChange({ path, before, after }: Change): string | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const current = realPath(path) === undefined ? undefined : readFileSync(path, "utf8");
    if (current !== before) throw new Failure("conflict", "it has changed meanwhile: run the command again");
    const copy = before === undefined ? undefined : copyOf(path);
    const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`);
    try {
      const mode = before === undefined ? 0o600 : statSync(path).mode & 0o777;
      writeFileSync(draft, after, { mode, flag: "wx" });
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
    return copy;
  } catch (error) {
    const message = `${path} was not changed: ${reasonOf(error)}`;
    throw new Failure(error instanceof Failure ? error.kind : "unavailable", message, { cause: error });
  }
}

/** Copies a file beside it, with its mode, under a name that is free. */
function copyOf(path: string): string {
  for (let number = 1; number <= MAX_COPIES; number++) {
    const copy = `${path}.before-ctxrepo${number === 1 ? "" : `-${number}`}`;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
  throw new Failure("conflict", `it has ${MAX_COPIES} copies (.before-ctxrepo): delete some`);
}
