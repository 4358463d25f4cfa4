// Runs `bun test` in the repository and prints the result as the last line. Arguments are passed to `bun test`.

import { availableParallelism } from "node:os";
import { join } from "node:path";

const TAIL_CHARACTERS = 16 * 1024;
/** A runner without output for this long hangs: every test has a much shorter limit. */
const SILENCE_MS = 10 * 60_000;

export interface Result {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Reads the result from the last lines that `bun test` (1.4.5) wrote to stderr. Its failures include files that cannot be loaded. A
 * run that exited with an error or without a summary (a test that calls process.exit) has at least one failure. Todo counts as skipped.
 */
export function readResult(stderr: string, exitCode: number): Result {
  const plain = Bun.stripANSI(stderr);
  const end = [...plain.matchAll(/^Ran \d+ tests? across \d+ files?\. \[/gm)].at(-1)?.index;
  const summary = end === undefined ? "" : plain.slice(plain.lastIndexOf("\n\n", end) + 1, end);
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(summary)?.[1] ?? 0);
  const endedWell = exitCode === 0 && end !== undefined;
  return {
    passed: count("pass"),
    failed: Math.max(count("fail"), endedWell ? 0 : 1),
    skipped: count("skip") + count("todo"),
  };
}

/** `N passed, N failed`, and `, N skipped` if there are any. */
export function closingLine({ passed, failed, skipped }: Result): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Limit of one test or hook: it only ends what hangs, and what takes 30 s alone has five times that on a busy machine. No test
 * has a limit of its own. bunfig.toml has no such setting.
 */
const TEST_TIMEOUT_MS = 180_000;
/** Test processes at a time. Many tests wait for a timeout or another process, so there is one more than cores. */
const PROCESSES = Math.min(4, availableParallelism() + 1);

async function main(args: string[]): Promise<number> {
  const colour = process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
  // Without isolation the files of one process share modules, and with them the embedding model.
  const flags = [`--timeout=${TEST_TIMEOUT_MS}`, `--parallel=${PROCESSES}`, "--no-isolate"];
  const runner = Bun.spawn([process.execPath, "test", ...flags, ...args], {
    cwd: join(import.meta.dir, ".."),
    env: { ...process.env, ...colour },
    stdio: ["inherit", "inherit", "pipe"],
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => runner.kill(signal));
  const silence = setTimeout(() => {
    console.error(`bun test printed nothing for ${SILENCE_MS / 60_000} minutes and is killed`);
    runner.kill("SIGKILL");
  }, SILENCE_MS);
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of runner.stderr) {
    silence.refresh();
    await new Promise((written) => process.stderr.write(chunk, written));
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_CHARACTERS);
  }
  const exitCode = await runner.exited;
  clearTimeout(silence);
  const result = readResult(tail, exitCode);
  console.log(closingLine(result));
  return exitCode || Math.min(result.failed, 1);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
