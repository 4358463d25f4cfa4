// The real program in a process of its own, started from the repository with an environment that the test chooses.

import { resolve } from "node:path";
import { commandOf, MAIN, plainEnvironment } from "./processes.ts";

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const NO_RATE_LIMITS = ["--rate-limit-read", "0", "--rate-limit-write", "0"];

/** Runs a command and waits until it exits. */
export function runProgram(args: string[], environment: Record<string, string> = {}): Promise<Finished> {
  return startProgram(args, environment).finished;
}

/** A command that runs until it gets a signal. */
export interface RunningProgram {
  /** Resolves when stderr contains `text`. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  finished: Promise<Finished>;
}

/** Runs a command and returns immediately. `wrapper` is a command that gets the one of the program as its arguments. */
export function startProgram(
  args: string[],
  environment: Record<string, string> = {},
  wrapper: string[] = [],
): RunningProgram {
  const child = Bun.spawn([...wrapper, ...commandOf(MAIN, ...args)], {
    env: { ...plainEnvironment(), ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  const reading = (async () => {
    for await (const part of child.stderr) stderr += Buffer.from(part).toString();
  })();
  return {
    says: async (text) => void (await found(() => stderr.includes(text) || undefined)),
    kill: (signal) => child.kill(signal),
    finished: Promise.all([new Response(child.stdout).text(), child.exited, reading]).then(
      ([stdout, code]) => ({ code, stdout, stderr }),
    ),
  };
}

/** Calls `look` until it returns a value. Throws after a minute. */
async function found<Value>(look: () => Value | undefined): Promise<Value> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(5)) {
    const value = look();
    if (value !== undefined) return value;
  }
  throw new Error("not found within a minute");
}

export interface ServingProgram {
  pid: number;
  url: string;
  /** The text written to stderr so far. */
  stderr(): string;
  /** The API key that the first start prints on stderr. */
  key(): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<number>;
}

/** Runs a command on a terminal of 24 rows, by default of 80 columns, and returns what it writes there. */
export async function runOnTerminal(
  args: string[],
  environment: Record<string, string> = {},
  columns = 80,
): Promise<{ code: number; screen: string }> {
  const decoder = new TextDecoder();
  let screen = "";
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const child = Bun.spawn(commandOf(MAIN, ...args), {
    env: { ...plainEnvironment(), TERM: "xterm", ...environment },
    terminal: {
      cols: columns,
      rows: 24,
      data(_terminal, data) {
        screen += decoder.decode(data, { stream: true });
      },
      exit: () => close(),
    },
  });
  const code = await child.exited;
  await closed;
  child.terminal?.close();
  return { code, screen: screen.replaceAll("\r\n", "\n") };
}

export interface LongCommand {
  pid: number;
  /** Sends a request as the command and returns its reply, and whether another process answered it. */
  request(method: string, path: string, body?: unknown): Promise<CommandReply>;
  kill(signal: NodeJS.Signals): Promise<number>;
}

export interface CommandReply {
  usesServer: boolean;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON
  body: any;
}

const LONG_COMMAND = resolve(import.meta.dir, "long-command.ts");

/**
 * Starts a command that sends requests until it is killed, as `mcp` and `import --watch` do. Resolves when it has a
 * connection.
 */
export async function longCommand(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<LongCommand> {
  const child = Bun.spawn(commandOf(LONG_COMMAND, dataDir), {
    env: { ...plainEnvironment(), ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  const next = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the command exited with ${await child.exited}`);
    return JSON.parse(value);
  };
  await next();
  return {
    pid: child.pid,
    request(method, path, body) {
      child.stdin.write(`${JSON.stringify({ method, path, body })}\n`);
      child.stdin.flush();
      return next();
    },
    async kill(signal) {
      child.kill(signal);
      return child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/**
 * Starts `ctxrepo serve` on a free port and waits for its ready line. Throws with its stderr if it exits before that.
 */
export async function serveProgram(
  dataDir: string,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<ServingProgram> {
  const child = Bun.spawn(
    commandOf(MAIN, "serve", "--port", "0", "--data-dir", dataDir, ...NO_RATE_LIMITS, ...args),
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
        key: () => found(() => /gm_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}/.exec(stderr)?.[0]),
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
