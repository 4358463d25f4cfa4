// The main thread of a worker that is a process: passes calls and replies between the parent process and the thread
// that works on them, and ends the process when a call exceeds a limit or the parent is gone. It does no work itself,
// so nothing delays it.

import { writeFileSync } from "node:fs";
import type { ProcessLimits } from "./limits.ts";
import { EXIT_CODES } from "./process.ts";
import { type RpcRequest, type RpcResponse, STARTING, workerFailed, type WorkerStart } from "./rpc.ts";
import { spawnThread } from "./supervisor.ts";

/** In this time memory grows by some tens of megabytes at most. */
const CHECK_MS = 20;

/** Serves the parent process until one of the two ends. `limits` is a ProcessLimits as JSON. */
export function serveProcess(limits: string): void {
  const { memoryBytes, cpuMs }: ProcessLimits = JSON.parse(limits);
  offerToKernel();
  const thread = spawnThread();
  let calls = 0;
  let cpuAtStart: NodeJS.CpuUsage;
  let timer: Timer | undefined;
  const check = () => {
    if (process.memoryUsage.rss() > memoryBytes) process.exit(EXIT_CODES.memory);
    const { user, system } = process.cpuUsage(cpuAtStart);
    if ((user + system) / 1_000 > cpuMs) process.exit(EXIT_CODES.time);
  };
  process.on("message", (message: WorkerStart | RpcRequest) => {
    const input = "id" in message ? message.input : undefined;
    if ("id" in message && calls++ === 0) {
      cpuAtStart = process.cpuUsage();
      timer = setInterval(check, CHECK_MS);
    }
    thread.postMessage(message, buffersIn(input));
  });
  thread.onmessage = ({ data }: MessageEvent<RpcResponse>) => {
    if (data.id !== STARTING && --calls === 0) clearInterval(timer);
    process.send!(data);
  };
  thread.onerror = ({ message }) => process.send!(workerFailed(message));
  process.on("disconnect", () => process.exit());
}

/** On Linux: if memory runs out, the kernel ends this process before the server, which loses nothing by that. */
function offerToKernel(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems choose by themselves.
  }
}

/** The buffers of a call's input, which are moved to the thread and not copied. */
function buffersIn(input: unknown): ArrayBuffer[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.values(input).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}
