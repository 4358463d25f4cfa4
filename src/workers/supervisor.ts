// Keeps one worker available, a thread or a process: starts it on demand, restarts it with back-off after a crash,
// terminates it when a call exceeds its deadline, and shuts it down gracefully.

import { type Clock, systemClock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import { measureStep } from "../kernel/step-times.ts";
import { DeadlineExceeded, type ProcessLimits } from "./limits.ts";
import { spawnProcess } from "./process.ts";
import { createRestartLimit } from "./restart-limit.ts";
import { type Connection, connect, type Remote, remoteOf, type WorkerApi, type WorkerPort } from "./rpc.ts";

export interface WorkerOptions<Api extends WorkerApi> {
  /** The API that the worker serves: a name of the table in entry.ts. */
  role: string;
  /** The options of that API; must survive structured clone. */
  options?: unknown;
  /**
   * Runs the worker as a process of its own with these limits, not as a thread. If it ends, the next call starts it
   * without back-off: what ends it is the input of one call.
   */
  process?: ProcessLimits;
  /** Creates the thread or process; replaced in tests. */
  spawn?: () => WorkerPort;
  /** Called on each new worker; if it rejects, the worker is shut down and counts as crashed. */
  ready?: (call: Remote<Api>) => Promise<unknown>;
  /** Called before the worker is terminated, so that it can release its resources. It has MAX_SHUT_DOWN_MS. */
  shutDown?: (call: Remote<Api>) => Promise<unknown>;
  /** Called when a worker crashed or `ready` rejected; not after `close` or a missed deadline. */
  onCrash?: (failure: Failure) => void;
  /** Called with a problem that the worker reports and that does not end a call. */
  onNotice?: (message: string) => void;
  /** Measures the back-off and MAX_SHUT_DOWN_MS; deadlines are measured in real time. */
  clock?: Clock;
}

export interface SupervisedWorker<Api extends WorkerApi> {
  /** Starts the worker if necessary. Calls in flight when it stops are rejected with `unavailable`. */
  readonly call: Remote<Api>;
  /**
   * The same with a deadline per call. After it the worker is terminated and the call rejects with DeadlineExceeded.
   */
  within(deadlineMs: number): Remote<Api>;
  /** Starts the worker if it does not run and the back-off allows it. False if it does not run afterwards. */
  start(): boolean;
  /** Terminates the worker; the next call starts a new one, without back-off. Calls in flight are rejected. */
  replace(): void;
  /** Shuts the worker down and terminates it. All further calls are rejected with `unavailable`. */
  close(): Promise<void>;
}

/** Longer than one run of a model, because terminating the thread during a run aborts the process. @testOnly */
export const MAX_SHUT_DOWN_MS = 10_000;

/** Opens a supervised worker. It starts with the first call or with `start`. */
export function superviseWorker<Api extends WorkerApi>(settings: WorkerOptions<Api>): SupervisedWorker<Api> {
  const {
    role,
    options = null,
    spawn = settings.process ? () => spawnProcess(settings.process!) : spawnThread,
    ready,
    shutDown,
    onCrash,
    onNotice,
    clock = systemClock,
  } = settings;
  const restartLimit = createRestartLimit();
  let connection: Connection<Api> | undefined;
  let isClosed = false;
  /** Resolves when the latest worker whose `ready` rejected has been terminated. */
  let discarded: Promise<void> = Promise.resolve();
  /** Why no worker runs. */
  let lastFailure = new Failure("unavailable", `the ${role} worker is not started`);
  /** A worker that was terminated on purpose, or is a process, is replaced without back-off. */
  let isReplaced = false;

  const crashed = (failure: Failure) => {
    const { message, publicMessage } = failure;
    lastFailure = new Failure("unavailable", message, { publicMessage, cause: failure });
    if (settings.process) isReplaced = true;
    onCrash?.(lastFailure);
  };

  const open = () => {
    const opened = connect<Api>(spawn(), { role, options }, crashed, onNotice);
    connection = opened;
    ready?.(opened.call).catch((error: Failure) => {
      if (opened.isTerminated) return;
      if (connection === opened) connection = undefined;
      discarded = shutDownAndTerminate(opened, error.message);
      crashed(error);
    });
  };

  const isRunning = () => connection !== undefined && !connection.isTerminated;

  const start = (): boolean => {
    if (isClosed || isRunning()) return !isClosed;
    if (!isReplaced && !restartLimit.allows(clock.monotonic())) return false;
    isReplaced = false;
    open();
    return true;
  };

  const current = (): Connection<Api> => {
    if (isClosed) throw new Failure("unavailable", `the ${role} worker is closed`);
    if (!start() || !connection) throw lastFailure;
    return connection;
  };

  const shutDownAndTerminate = async (stopping: Connection<Api>, reason: string) => {
    if (shutDown && !stopping.isTerminated) {
      const finished = new AbortController();
      const timeout = clock.sleep(MAX_SHUT_DOWN_MS, finished.signal);
      await Promise.race([shutDown(stopping.call), timeout]).catch(() => {});
      finished.abort();
      await timeout.catch(() => {});
    }
    stopping.terminate(reason);
  };

  return {
    call: remoteOf<Api>(async (name, input) =>
      measureStep(role, current().call[name as keyof Api](input as never)),
    ),
    within: (deadlineMs) =>
      remoteOf<Api>(async (name, input) => {
        const serving = current();
        const call = measureStep(role, serving.call[name as keyof Api](input as never));
        let timer: Timer | undefined;
        const deadline = new Promise<never>((_resolve, reject) => {
          timer = setTimeout(() => {
            reject(new DeadlineExceeded(deadlineMs));
            if (serving.isTerminated) return;
            isReplaced = true;
            serving.terminate(`the ${role} worker was terminated: a call took longer than ${deadlineMs} ms`);
          }, deadlineMs);
        });
        try {
          return await Promise.race([call, deadline]);
        } finally {
          clearTimeout(timer);
        }
      }),
    start,
    replace() {
      if (!connection || connection.isTerminated) return;
      isReplaced = true;
      connection.terminate(`the ${role} worker is replaced`);
    },
    async close() {
      isClosed = true;
      if (connection) await shutDownAndTerminate(connection, `the ${role} worker is closed`);
      await discarded;
    },
  };
}

/** In an executable, this module is part of the bundle of main.ts, which is in the folder above workers/. */
const ENTRY = Bun.isStandaloneExecutable ? "./workers/entry.js" : "./entry.ts";

/** Starts a thread that serves the API that its first message names. */
export function spawnThread(): Worker {
  return new Worker(new URL(ENTRY, import.meta.url).href);
}
