// How commands speak: data on stdout, talk on stderr, one line for a failure. Exit codes: 0 done, 1 failed, 2 wrong usage.

import { Failure } from "../kernel/errors.ts";

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function talk(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Rows as aligned columns under their names; a line of its own for none. */
export function printTable(columns: string[], rows: string[][], empty: string): void {
  if (rows.length === 0) {
    talk(empty);
    return;
  }
  const widths = columns.map((name, column) =>
    Math.max(Bun.stringWidth(name), ...rows.map((row) => Bun.stringWidth(row[column]))),
  );
  for (const row of [columns, ...rows]) {
    const cells = row.map((cell, column) => cell + " ".repeat(widths[column] - Bun.stringWidth(cell)));
    print(cells.join("  ").trimEnd());
  }
}

/** The exit code of a failure: what the user typed wrong is wrong usage. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Failure && error.kind === "bad-request" ? EXIT.usage : EXIT.failed;
}
