// Talks to bare-session.ts: a bare ONNX session in a process of its own, so that its threads and the program's never wait
// for one another.

import { cpus } from "node:os";
import { join } from "node:path";
import { findModelDirectory } from "../../src/models.ts";
import type { Bench } from "./bench.ts";

/** Token ids of one run: rows of equal length. */
export type TokenBatch = readonly (readonly number[])[];
export type BareRequest =
  | { kind: "open"; weights: string; threads: number }
  | { kind: "run"; batches: readonly TokenBatch[] };

export interface BareSession {
  pid: number;
  /** The time of each run, ms. */
  run(batches: readonly TokenBatch[]): Promise<number[]>;
  close(): void;
}

/** The embedder uses as many threads as there are cores, at most four. */
const THREADS = Math.min(4, cpus().length);

/** Loads the shipped weights in a new process. */
export async function openBareSession(bench: Bench): Promise<BareSession> {
  let answered = Promise.withResolvers<number[]>();
  const child = bench.own(
    Bun.spawn([process.execPath, join(import.meta.dir, "bare-session.ts")], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ipc: (durations: number[]) => answered.resolve(durations),
    }),
  );
  child.exited.then((code) => answered.reject(new Error(`the bare session ended with ${code}`)));
  const ask = (request: BareRequest) => {
    answered = Promise.withResolvers();
    child.send(request);
    return answered.promise;
  };
  await ask({
    kind: "open",
    weights: join(findModelDirectory(null), "onnx", "model_quantized.onnx"),
    threads: THREADS,
  });
  return {
    pid: child.pid,
    run: (batches) => ask({ kind: "run", batches }),
    close() {
      answered.promise.catch(() => {});
      child.kill("SIGKILL");
    },
  };
}
