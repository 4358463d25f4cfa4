// What a call of a worker may take, and the failures of calls that take more.

import { Failure } from "../kernel/errors.ts";

/** The limits of a worker that is a process. */
export interface ProcessLimits {
  /** Memory in use (resident set size) of the whole process, in bytes. */
  memoryBytes: number;
  /** Processor time of one call. Unlike time that passes, other programs do not use it up. */
  cpuMs: number;
}

/** A call took longer than it may; its worker was terminated. */
export class DeadlineExceeded extends Failure {
  constructor(readonly deadlineMs: number) {
    super("unavailable", `the call took longer than ${deadlineMs} ms`);
  }
}

/** A call needed more memory than its process may have; the process has ended. */
export class MemoryExceeded extends Failure {
  constructor(readonly memoryBytes: number) {
    super("unavailable", `the call needed more than ${memoryBytes / 1024 ** 2} MB of memory`);
  }
}
