// The output of commands: data goes to stdout, messages go to stderr. Exit codes: 0 success, 1 failure, 2 wrong usage,
// 3 the documents do not answer a question.

import { Failure } from "../kernel/errors.ts";
import { shorten } from "../kernel/text.ts";
import { eraseProgress } from "./progress.ts";
import { printable, printableJson, printableLine } from "./printable.ts";

/** Exit codes of the program. */
export const EXIT = { done: 0, failed: 1, usage: 2, unanswered: 3 } as const;

/** The reader of the output has stopped reading, as `head` does: the command ends without a failure. */
export class ClosedOutput extends Error {}

/** A command has printed everything and ends with an exit code other than 0. */
export class EndedWith extends Error {
  constructor(readonly code: number) {
    super(`ended with ${code}`);
  }
}

/** The first error of stdout; later ones only say that it is closed. */
let broken: (Error & { code?: string }) | undefined;
const record = (error?: Error | null) => {
  broken ??= error ?? undefined;
};
process.stdout.on("error", record);

/** Resolves when the latest text is taken; texts are taken in their order. */
let latest: Promise<void> = Promise.resolve();

function send(text: string): void {
  latest = new Promise((resolve) =>
    process.stdout.write(text, (error) => {
      record(error);
      resolve();
    }),
  );
}

/**
 * Writes text on stdout and waits until this and all earlier text is taken. Throws ClosedOutput if nobody reads it any
 * more, and `unavailable` if it cannot be written.
 */
export async function write(text: string): Promise<void> {
  // The callback of an empty text is called before earlier texts are taken.
  if (text !== "") send(text);
  await latest;
  if (!broken) return;
  const { code, message } = broken;
  if (code === "EPIPE") throw new ClosedOutput(message, { cause: broken });
  throw new Failure("unavailable", `the output cannot be written: ${message}`, { cause: broken });
}

/** Prints data as indented JSON on stdout. */
export function printJson(value: unknown): void {
  print(printableJson(value));
}

/** Prints one line of data on stdout. */
export function print(line: string): void {
  send(`${line}\n`);
}

/** Prints one message for people on stderr. */
export function printMessage(line: string): void {
  eraseProgress();
  process.stderr.write(`${line}\n`);
}

/** A number with its noun: `1 file`, `2 files`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Prints what went wrong on stderr: the message may quote documents, pages and arguments. */
export function printFailure(message: string): void {
  printMessage(`ctxrepo: ${printable(message)}`);
}

/** A text as a cell of a table: on one line, without control characters, at most 64 of them. */
export const tableCell = (text: string): string => shorten(printableLine(text), 64);

/** Prints rows as aligned columns under their names on stdout; without rows, prints the message `empty` on stderr. */
export function printTable(columns: string[], rows: string[][], empty: string): void {
  if (rows.length === 0) {
    printMessage(empty);
    return;
  }
  const widths = columns.map((name, column) =>
    Math.max(Bun.stringWidth(name), ...rows.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  for (const row of [columns, ...rows]) {
    const cells = row.map((cell, column) => cell + " ".repeat(widths[column]! - Bun.stringWidth(cell)));
    print(cells.join("  ").trimEnd());
  }
}

/** The exit code of a failure: `bad-request` is wrong usage. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Failure && error.kind === "bad-request" ? EXIT.usage : EXIT.failed;
}
