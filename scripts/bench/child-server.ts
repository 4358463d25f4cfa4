// The program as a child process on a temporary folder: start, requests over HTTP, memory, stop. It uses the command
// line and the API only.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { type Bench, cleanEnvironment, Missing } from "./bench.ts";

const ROOT = join(import.meta.dir, "..", "..");
const READY = /^ctxrepo listening on (http:\S+)$/m;
const USER_AGENT = "ctxrepo-bench/1.0";
const UNLIMITED = ["--rate-limit-read", "0", "--rate-limit-write", "0"];
const START_WAIT_MS = 120_000;
const STOP_WAIT_MS = 30_000;
const IDLE_POLL_MS = 50;
const IDLE_WAIT_MS = 10 * 60_000;

/** Command of the program: from the repository, or the executable that `bun run build` makes. */
export type Program = readonly string[];
export const REPOSITORY: Program = [process.execPath, join(ROOT, "src", "main.ts")];
const EXECUTABLE = join(ROOT, "dist", process.platform === "win32" ? "ctxrepo.exe" : "ctxrepo");
export const executable = (): Program | undefined => (existsSync(EXECUTABLE) ? [EXECUTABLE] : undefined);

export interface Health {
  jobs: { queued: number; running: number; failed: number };
  embedder: "loading" | "ok" | "degraded";
  problems?: string[];
}

export interface ChildServer {
  url: string;
  pid: number;
  /** Time from spawn to the line that says it listens. */
  readyMs: number;
  /** Value of performance.now() when it was spawned. */
  spawnedAt: number;
  health(): Promise<Health>;
  /** Resolves when no job is queued or running and the model is loaded. Throws if a job failed. */
  idle(): Promise<void>;
  /** Stops it gracefully: the database file is complete afterwards. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** The end of what it wrote to stderr. */
  output(): string;
}

export interface ChildOptions {
  program?: Program;
  /** Further flags of `serve`; a flag that is already set is replaced. */
  flags?: readonly string[];
  /** Further environment variables. */
  env?: Record<string, string>;
  /** Called with the process before it is ready. */
  spawned?: (child: Subprocess) => void;
}

/** Starts `serve` on a free port and waits until it listens. Throws with its last output if it exits instead. */
export async function startChild(
  bench: Bench,
  dataDir: string,
  { program = REPOSITORY, flags: further = [], env: variables = {}, spawned }: ChildOptions = {},
): Promise<ChildServer> {
  const flags = ["--port", "0", "--data-dir", dataDir, "--log-level", "warn", ...UNLIMITED, ...further];
  const env = { ...cleanEnvironment(await cacheFolder(bench)), ...variables };
  const spawnedAt = performance.now();
  const child = bench.own(
    Bun.spawn([...program, "serve", ...flags], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" }),
  );
  spawned?.(child);
  const output = gather(child.stderr);
  const url = await readyLine(child, output);
  const readyMs = performance.now() - spawnedAt;
  const health = async () => (await (await fetch(`${url}/health`)).json()) as Health;
  return {
    url,
    pid: child.pid,
    readyMs,
    spawnedAt,
    health,
    async idle() {
      const deadline = performance.now() + IDLE_WAIT_MS;
      while (performance.now() < deadline) {
        const { jobs, embedder } = await health();
        if (jobs.failed > 0) throw new Error(`${jobs.failed} jobs failed: ${output.text.slice(-500)}`);
        if (jobs.queued + jobs.running === 0 && embedder === "ok") return;
        await Bun.sleep(IDLE_POLL_MS);
      }
      throw new Error("the server is still indexing after ten minutes");
    },
    async stop() {
      // A server that has responded handles signals, too.
      await health();
      child.kill("SIGTERM");
      const ended = await Promise.race([child.exited, Bun.sleep(STOP_WAIT_MS).then(() => "late")]);
      if (ended === 0) return;
      child.kill("SIGKILL");
      throw new Error(`the server did not stop properly (${ended}): ${output.text.slice(-500)}`);
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    output: () => output.text,
  };
}

async function readyLine(
  child: Subprocess<"ignore", "pipe", "pipe">,
  output: { text: string },
): Promise<string> {
  const printed = gather(child.stdout);
  const deadline = performance.now() + START_WAIT_MS;
  while (performance.now() < deadline) {
    const url = READY.exec(printed.text)?.[1];
    if (url) return url;
    await Promise.race([printed.more(), child.exited, Bun.sleep(100)]);
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new Error(`the server did not start: ${output.text.slice(-500)}`);
}

/** Collects the end of a stream's text; `more` resolves when text arrives. */
function gather(stream: ReadableStream<Uint8Array>): { text: string; more(): Promise<void> } {
  let arrived = Promise.withResolvers<void>();
  const gathered = { text: "", more: () => arrived.promise };
  const decoder = new TextDecoder();
  (async () => {
    for await (const bytes of stream) {
      gathered.text = (gathered.text + decoder.decode(bytes, { stream: true })).slice(-16_384);
      arrived.resolve();
      arrived = Promise.withResolvers();
    }
  })();
  return gathered;
}

/** The cache directory of all programs of this run, in which they also find each other. */
export const cacheFolder = (bench: Bench) => bench.once("cache folder", async () => bench.folder());

/** Creates a key of this user through the command line; works whether a server runs or not. */
export async function createKey(bench: Bench, dataDir: string, user = "owner@localhost"): Promise<string> {
  const env = cleanEnvironment(await cacheFolder(bench));
  const created = await Bun.$`${REPOSITORY} keys create --user ${user} --data-dir ${dataDir} --json`
    .env(env)
    .json();
  return created.key;
}

/** Sends one request with a key and returns the parsed body. Throws for a status of 400 and above. */
export type Client = <Body>(method: string, path: string, body?: unknown) => Promise<Body>;

/** A client of a server with this key. */
export function clientOf({ url }: { url: string }, key: string): Client {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headersOf(key), ...(body !== undefined && { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
}

export const headersOf = (key: string) => ({ "User-Agent": USER_AGENT, Authorization: `API-Key ${key}` });

/** Resident memory in MB (10^6 bytes). */
export interface ResidentMemory {
  nowMb: number;
  peakMb: number;
  /**
   * The part that belongs to the process, and the part that is pages of files, which the system can drop at any time.
   */
  anonMb: number;
  fileMb: number;
}

/** Resident memory of a process. Throws Missing on systems without /proc. */
export function residentMemory(pid: number): ResidentMemory {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path))
    throw new Missing("resident memory is read from /proc, which does not exist on this system");
  const status = readFileSync(path, "utf8");
  const field = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)![1]) * 1024) / 1e6;
  return {
    nowMb: field("VmRSS"),
    peakMb: field("VmHWM"),
    anonMb: field("RssAnon"),
    fileMb: field("RssFile"),
  };
}

/** CPU time of all threads of a process so far, in ms; resolution 10 ms. Throws Missing where there is no /proc. */
export function cpuMs(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) throw new Missing("CPU time is read from /proc, which this system does not have");
  // The name in parentheses may contain spaces; user and system time are fields 14 and 15, in ticks of 10 ms.
  const fields = readFileSync(path, "utf8").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
