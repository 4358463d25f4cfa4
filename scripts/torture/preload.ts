// The library of preload.c: compiled once per run, loaded into a server, and controlled while that runs.

import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type Bench, Missing } from "../bench/bench.ts";

const SOURCE = join(import.meta.dir, "preload.c");
const CONTROL_BYTES = 4096;

/** Calls that can fail, as bits of `enum call` in preload.c. */
export const CALLS = { write: 1, sync: 2, read: 4, truncate: 8, open: 16, unlink: 32 } as const;
export type Call = keyof typeof CALLS;
export const ERRORS = { EIO: 5, ENOSPC: 28, EROFS: 30, EDQUOT: 122 } as const;
export type ErrorName = keyof typeof ERRORS;

/** Offsets of `struct control` in preload.c. */
const AT = { clock: 0, calls: 8, error: 12, skip: 16, length: 20, failed: 24, made: 32 };

export interface Failing {
  calls: readonly Call[];
  error: ErrorName;
  /** This many calls succeed before the first that fails; default 0. */
  skip?: number;
  /** This many calls fail; default 1. */
  length?: number;
}

export interface Preload {
  /** The variables for the process that is to be controlled. */
  env: Record<string, string>;
  /** Shifts the wall clock of the process. */
  setClock(offsetMs: number): void;
  /** Lets calls on files of the data directory fail from now on. */
  fail(failing: Failing): void;
  /** No call fails any more. Returns how many did since `fail`. */
  heal(): number;
  /** Calls of each kind so far. */
  made(): Record<Call, number>;
  /** The number of bytes that are recorded; 0 without a recording. */
  recorded(): number;
}

/** Compiles the library. Throws Missing where that is impossible. */
function library(bench: Bench): Promise<string> {
  return bench.once("preload library", async () => {
    if (process.platform !== "linux")
      throw new Missing("calls are intercepted with LD_PRELOAD, which needs Linux");
    const compiler = Bun.which("cc");
    if (!compiler)
      throw new Missing("calls are intercepted by a library in C, and there is no compiler (cc)");
    const path = join(bench.folder(), "preload.so");
    const built = Bun.spawnSync([
      compiler,
      "-shared",
      "-fPIC",
      "-O2",
      "-o",
      path,
      SOURCE,
      "-ldl",
      "-lpthread",
    ]);
    if (built.exitCode !== 0) throw new Error(`preload.c cannot be compiled: ${built.stderr}`);
    return path;
  });
}

/** Prepares the control of a process that uses this data directory. `recordPath` records what is written. */
export async function openPreload(bench: Bench, dataDir: string, recordPath?: string): Promise<Preload> {
  const controlPath = join(bench.folder(), "control");
  writeFileSync(controlPath, "");
  truncateSync(controlPath, CONTROL_BYTES);
  const put = (at: number, bytes: Uint8Array) => {
    const descriptor = openSync(controlPath, "r+");
    writeSync(descriptor, bytes, 0, bytes.length, at);
    closeSync(descriptor);
  };
  const read = (at: number) => {
    const bytes = Buffer.alloc(8);
    const descriptor = openSync(controlPath, "r");
    readSync(descriptor, bytes, 0, 8, at);
    closeSync(descriptor);
    return Number(bytes.readBigUInt64LE());
  };
  const int32 = (value: number) => new Uint8Array(Int32Array.of(value).buffer);
  let failedBefore = 0;
  return {
    env: {
      LD_PRELOAD: await library(bench),
      TORTURE_DIR: dataDir,
      TORTURE_CONTROL: controlPath,
      ...(recordPath !== undefined && { TORTURE_RECORD: recordPath }),
    },
    setClock(offsetMs) {
      put(AT.clock, new Uint8Array(BigInt64Array.of(BigInt(Math.round(offsetMs)) * 1_000_000n).buffer));
    },
    fail({ calls, error, skip = 0, length = 1 }) {
      failedBefore = read(AT.failed);
      put(AT.error, int32(ERRORS[error]));
      put(AT.skip, int32(skip));
      put(AT.length, int32(length));
      // Last: the others must be set when the first call looks.
      put(AT.calls, int32(calls.reduce((bits, call) => bits | CALLS[call], 0)));
    },
    heal() {
      put(AT.calls, int32(0));
      return read(AT.failed) - failedBefore;
    },
    made: () =>
      Object.fromEntries(
        Object.keys(CALLS).map((call, index) => [call, read(AT.made + 8 * index)]),
      ) as Record<Call, number>,
    recorded: () => (recordPath !== undefined && existsSync(recordPath) ? statSync(recordPath).size : 0),
  };
}
