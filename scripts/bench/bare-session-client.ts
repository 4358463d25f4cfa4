// Client of bare-session.ts: a bare ONNX session in its own process, so that its threads and those of the program do
// not wait for each other.

import { cpus } from "node:os";
import { join } from "node:path";
import { findModelDirectory } from "../../src/base/models.ts";
import type { Bench } from "./bench.ts";

/** Token ids of one run: rows of equal length. */
export type TokenBatch = readonly (readonly number[])[];
export type BareRequest =
  | { kind: "open"; weights: string; threads: number }
  | { kind: "run"; batches: readonly TokenBatch[] };

export interface BareSession {
  pid: number;
  /** Returns the duration of each run, ms. */
  run(batches: readonly TokenBatch[]): Promise<number[]>;
  close(): void;
}

/** All cores, maximum 4: the fastest configuration of one session. */
const THREADS = Math.min(4, cpus().length);

/** Loads the shipped weights in a new process; each run uses `threads` threads. */
export async function openBareSession(bench: Bench, threads = THREADS): Promise<BareSession> {
  let response = Promise.withResolvers<number[]>();
  const child = bench.own(
    Bun.spawn([process.execPath, join(import.meta.dir, "bare-session.ts")], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ipc: (durations: number[]) => response.resolve(durations),
    }),
  );
  child.exited.then((code) => response.reject(new Error(`the bare session ended with ${code}`)));
  const ask = (request: BareRequest) => {
    response = Promise.withResolvers();
    child.send(request);
    return response.promise;
  };
  await ask({
    kind: "open",
    weights: join(findModelDirectory(null), "onnx", "model_quantized.onnx"),
    threads,
  });
  return {
    pid: child.pid,
    run: (batches) => ask({ kind: "run", batches }),
    close() {
      response.promise.catch(() => {});
      child.kill("SIGKILL");
    },
  };
}
