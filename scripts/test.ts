// Runs `bun test` in the repository and prints the result as the last line. Arguments are passed to `bun test`;
// `--fast` leaves out the files that start programs or a browser, and those of the torture and quality tests. Nothing
// of a run is left: its temporary files are removed, and its processes ended.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { endLeftProcesses } from "./left-processes.ts";

const TAIL_CHARACTERS = 16 * 1024;
/** A runner without output for this long hangs: every test has a much shorter limit. */
const SILENCE_MS = 10 * 60_000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface Result {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Reads the result from the last lines that `bun test` (1.4.5) wrote to stderr. Its failures include files that cannot
 * be loaded. A run that exited with an error or without a summary (a test that calls process.exit) has at least one
 * failure. Todo counts as skipped.
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
 * Limit of one test or hook: it only ends what hangs, and what takes 30 s alone has five times that on a busy machine.
 * No test has a limit of its own. bunfig.toml has no such setting.
 */
const TEST_TIMEOUT_MS = 180_000;
/** Test processes at a time. Many tests wait for a timeout or another process, so there is one more than cores. */
const PROCESSES = Math.min(4, availableParallelism() + 1);

/**
 * Runs `bun test` in a repository with these arguments and passes what it prints on stderr to `print`. Returns the
 * result and the exit code. The run has a temporary folder of its own, which is removed at the end. A process that is
 * left then is killed and counts as a failure.
 */
export async function runTests(
  repository: string,
  args: readonly string[],
  print: (output: string | Uint8Array) => Promise<unknown>,
): Promise<Result & { exitCode: number }> {
  const folder = mkdtempSync(join(tmpdir(), "ctxrepo-run-"));
  const colour = process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
  // Without isolation the files of one process share modules, and with them the embedding model.
  const flags = [`--timeout=${TEST_TIMEOUT_MS}`, `--parallel=${PROCESSES}`, "--no-isolate"];
  const runner = Bun.spawn([process.execPath, "test", ...flags, ...args], {
    cwd: repository,
    env: { ...process.env, ...colour, TMPDIR: folder, TEMP: folder, TMP: folder },
    stdio: ["inherit", "inherit", "pipe"],
  });
  const forward = (signal: NodeJS.Signals) => runner.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forward);
  const silence = setTimeout(() => {
    print(`bun test printed nothing for ${SILENCE_MS / 60_000} minutes and is killed\n`);
    runner.kill("SIGKILL");
  }, SILENCE_MS);
  // A process that is left may hold the pipe of stderr open.
  const ended = runner.exited.then(() => endLeftProcesses(folder));
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of runner.stderr) {
    silence.refresh();
    await print(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_CHARACTERS);
  }
  const exitCode = await runner.exited;
  clearTimeout(silence);
  const left = await ended;
  for (const { pid, command } of left)
    await print(`a test left process ${pid} running, which was killed: ${command}\n`);
  for (const signal of SIGNALS) process.off(signal, forward);
  rmSync(folder, { recursive: true, force: true });
  const result = readResult(tail, exitCode);
  return { ...result, failed: result.failed + left.length, exitCode };
}

const FAST_FOLDERS = "test/{api,architecture,journeys,mcp,unit}/**/*.test.ts";
const STARTS_PROGRAMS =
  /\bBun\.(?:spawn|\$)|\/(?:program|mcp-program|browser|processes|long-command|child-server)\.ts"/;

/** The paths of the tests that start no program: two thirds of all files, a quarter of the time. */
export function fastFiles(repository: string): string[] {
  const files = [...new Bun.Glob(FAST_FOLDERS).scanSync({ cwd: repository })].sort();
  return files
    .filter((file) => !STARTS_PROGRAMS.test(readFileSync(join(repository, file), "utf8")))
    .map((file) => `./${file}`);
}

async function main(args: string[]): Promise<number> {
  const print = (output: string | Uint8Array) =>
    new Promise((written) => process.stderr.write(output, written));
  const repository = join(import.meta.dir, "..");
  const selected = args.flatMap((arg) => (arg === "--fast" ? fastFiles(repository) : [arg]));
  const { exitCode, ...result } = await runTests(repository, selected, print);
  console.log(closingLine(result));
  return exitCode || Math.min(result.failed, 1);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
