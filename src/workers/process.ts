// A worker as a process of its own, for input that others made: when a call exceeds a limit or crashes the process,
// this process loses neither memory nor time. It runs the same program (see process-entry.ts) and is used like a
// thread.

import { parse, resolve } from "node:path";
import { Failure, messageOf } from "../kernel/errors.ts";
import { DeadlineExceeded, MemoryExceeded, type ProcessLimits } from "./limits.ts";
import type { WorkerPort } from "./rpc.ts";

/** The first argument of the program when it is to be such a process. */
export const PROCESS_COMMAND = "worker";

/** The exit codes of a process that exceeds a limit. */
export const EXIT_CODES = { memory: 77, time: 78 } as const;

/**
 * Variables that the operating system needs. Secrets, and variables that change the runtime, do not reach the process.
 */
const PASSED_VARIABLES = ["SystemRoot", "TEMP", "TMP", "TMPDIR"];

/**
 * Starts a process. It ends when it exceeds a limit, when `terminate` is called, and when this process ends. All ends
 * of the first kind, crashes and failures to start are reported to `onerror`, once.
 */
export function spawnProcess(limits: ProcessLimits): WorkerPort {
  const port: WorkerPort = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => child?.send(message),
    terminate: () => child?.kill("SIGKILL"),
    addEventListener() {},
  };
  const fail = (error: Failure) => port.onerror?.(new ErrorEvent("error", { error }));
  const program = Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, resolve(import.meta.dir, "../main.ts")];
  let child: Bun.Subprocess | undefined;
  try {
    child = Bun.spawn([...program, PROCESS_COMMAND, JSON.stringify(limits)], {
      stdio: ["ignore", "ignore", "ignore"],
      // Not a folder whose files the runtime would read, and one that stays.
      cwd: parse(process.execPath).root,
      env: environment(limits),
      serialization: "advanced",
      ipc: (data) => port.onmessage?.(new MessageEvent("message", { data })),
      onExit: (_child, exitCode, signalCode) => fail(failureOf(limits, exitCode ?? signalCode)),
    });
  } catch (error) {
    queueMicrotask(() =>
      fail(new Failure("unavailable", `a process cannot be started: ${messageOf(error)}`)),
    );
  }
  return port;
}

function environment({ memoryBytes }: ProcessLimits): Record<string, string> {
  const passed = PASSED_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  // The engine collects garbage as if the machine had this much memory.
  return { ...Object.fromEntries(passed), BUN_JSC_forceRAMSize: String(memoryBytes / 2) };
}

function failureOf({ memoryBytes, cpuMs }: ProcessLimits, code: number | string | null): Failure {
  if (code === EXIT_CODES.memory) return new MemoryExceeded(memoryBytes);
  if (code === EXIT_CODES.time) return new DeadlineExceeded(cpuMs);
  return new Failure("unavailable", `the process ended unexpectedly (${code})`);
}
