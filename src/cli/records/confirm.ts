// Asks before a command deletes or changes several records.

import { createInterface } from "node:readline/promises";
import { badRequest, Failure } from "../../kernel/errors.ts";
import { printMessage } from "../output.ts";

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Asks on the terminal. Throws `conflict` if the answer is not yes, and `bad-request` if nobody can be asked: then
 * `--yes` is needed.
 */
export async function confirm(question: string, lines: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY)
    throw badRequest({ path: "--yes", message: `is needed to ${lowerFirst(question)}` });
  for (const line of lines) printMessage(`  ${line}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure("conflict", "nothing was changed");
  } finally {
    terminal.close();
  }
}
