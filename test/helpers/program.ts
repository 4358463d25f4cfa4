// The real program in a process of its own, started from the repository with an environment that the test chooses.

import { resolve } from "node:path";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const NO_RATE_LIMITS = ["--rate-limit-read", "0", "--rate-limit-write", "0"];

/** The only variables that the program inherits from this machine's environment. */
const plainEnvironment = () => ({ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" });

/** Runs a command and waits until it exits. */
export async function runProgram(
  args: string[],
  environment: Record<string, string> = {},
): Promise<Finished> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    env: { ...plainEnvironment(), ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

export interface ServingProgram {
  pid: number;
  url: string;
  /** The text written to stderr so far. */
  stderr(): string;
  kill(signal: NodeJS.Signals): Promise<number>;
}

/** Starts `ctxrepo serve` on a free port and waits for its ready line. Throws with its stderr if it exits before that. */
export async function serveProgram(
  dataDir: string,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<ServingProgram> {
  const child = Bun.spawn(
    [process.execPath, MAIN, "serve", "--port", "0", "--data-dir", dataDir, ...NO_RATE_LIMITS, ...args],
    {
      env: { ...plainEnvironment(), ...environment },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  let stderr = "";
  const reading = (async () => {
    for await (const part of child.stderr) stderr += Buffer.from(part).toString();
  })();
  const decoder = new TextDecoder();
  let stdout = "";
  for await (const part of child.stdout) {
    stdout += decoder.decode(part, { stream: true });
    const [, url] = /^ctxrepo listening on (http:\/\/\S+)\n/.exec(stdout) ?? [];
    if (url !== undefined) {
      return {
        pid: child.pid,
        url,
        stderr: () => stderr,
        async kill(signal) {
          child.kill(signal);
          return child.exited;
        },
      };
    }
  }
  await reading;
  throw new Error(`the server exited with ${await child.exited}: ${stderr}`);
}

/** Polls /health until no job is queued or running. Throws after a minute. */
export async function untilIndexed(url: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const health = (await (await fetch(`${url}/health`)).json()) as {
      jobs: { queued: number; running: number };
    };
    if (health.jobs.queued + health.jobs.running === 0) return;
    await Bun.sleep(50);
  }
  throw new Error("still indexing after a minute");
}
