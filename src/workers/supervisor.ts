// Keeps one worker thread available: starts it on demand, restarts it with back-off after a crash, terminates it when a call
// exceeds its deadline, and shuts it down gracefully. All workers are created here. It must not know what a worker does.

import { type Clock, systemClock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import { createRestartLimit } from "./restart-limit.ts";
import { type Connection, connect, type Remote, remoteOf, type WorkerApi } from "./rpc.ts";

export interface WorkerOptions<Api extends WorkerApi> {
  /** The API that the worker serves: a name of the table in entry.ts. */
  role: string;
  /** The options of that API; must survive structured clone. */
  options?: unknown;
  /** Creates the thread; tests pass workers of their own. */
  spawn?: () => Worker;
  /** Called on each new worker; if it rejects, the worker is shut down and counts as crashed. */
  ready?: (call: Remote<Api>) => Promise<unknown>;
  /** Called before the worker is terminated, so that it can release what it holds. It gets MAX_SHUT_DOWN_MS. */
  shutDown?: (call: Remote<Api>) => Promise<unknown>;
  /** Called with the reason when a worker crashed or did not get ready; not after `close` or a missed deadline. */
  onCrash?: (reason: string) => void;
  /** Measures the back-off and MAX_SHUT_DOWN_MS; deadlines are measured in real time. */
  clock?: Clock;
}

export interface SupervisedWorker<Api extends WorkerApi> {
  /** Starts the worker if necessary. Calls in flight when it ends are rejected with `unavailable`. */
  readonly call: Remote<Api>;
  /** The same with a deadline per call. After it the worker is terminated and the call rejects with DeadlineExceeded. */
  within(deadlineMs: number): Remote<Api>;
  /** Starts the worker if it does not run and the back-off allows it. False if it does not run afterwards. */
  start(): boolean;
  /** Shuts the worker down and terminates it. All further calls are rejected with `unavailable`. */
  close(): Promise<void>;
}

/** A call did not return before its deadline; its worker was terminated. */
export class DeadlineExceeded extends Failure {
  constructor(deadlineMs: number) {
    super("unavailable", `the call took longer than ${deadlineMs} ms`);
  }
}

/** Longer than one run of the embedding model, because terminating the thread during a run aborts the process. @testOnly */
export const MAX_SHUT_DOWN_MS = 10_000;

/** Opens a supervised worker. It starts with the first call or with `start`. */
export function superviseWorker<Api extends WorkerApi>(settings: WorkerOptions<Api>): SupervisedWorker<Api> {
  const {
    role,
    options = null,
    spawn = spawnWorker,
    ready,
    shutDown,
    onCrash,
    clock = systemClock,
  } = settings;
  const restartLimit = createRestartLimit();
  let connection: Connection<Api> | undefined;
  let closed = false;
  /** Resolves when the latest worker that did not get ready has been terminated. */
  let discarded: Promise<void> = Promise.resolve();
  /** Why no worker runs. */
  let lastFailure = `the ${role} worker is not started`;
  /** A worker that was terminated after a deadline is replaced without back-off. */
  let missedDeadline = false;

  const crashed = (reason: string) => {
    lastFailure = reason;
    onCrash?.(reason);
  };

  const open = () => {
    const opened = connect<Api>(spawn(), { role, options }, crashed);
    connection = opened;
    ready?.(opened.call).catch((error: Failure) => {
      if (opened.ended) return;
      if (connection === opened) connection = undefined;
      discarded = end(opened, error.message);
      crashed(error.message);
    });
  };

  const running = () => connection !== undefined && !connection.ended;

  const start = (): boolean => {
    if (closed || running()) return !closed;
    if (!missedDeadline && !restartLimit.allows(clock.monotonic())) return false;
    missedDeadline = false;
    open();
    return true;
  };

  const current = (): Connection<Api> => {
    if (closed) throw new Failure("unavailable", `the ${role} worker is closed`);
    if (!start() || !connection) throw new Failure("unavailable", lastFailure);
    return connection;
  };

  const end = async (ending: Connection<Api>, reason: string) => {
    if (shutDown && !ending.ended) {
      const finished = new AbortController();
      const bound = clock.sleep(MAX_SHUT_DOWN_MS, finished.signal);
      await Promise.race([shutDown(ending.call), bound]).catch(() => {});
      finished.abort();
      await bound.catch(() => {});
    }
    ending.end(reason);
  };

  return {
    call: remoteOf<Api>(async (name, input) => current().call[name as keyof Api](input as never)),
    within: (deadlineMs) =>
      remoteOf<Api>(async (name, input) => {
        const serving = current();
        const call = serving.call[name as keyof Api](input as never);
        let timer: Timer | undefined;
        const deadline = new Promise<never>((_resolve, reject) => {
          timer = setTimeout(() => {
            reject(new DeadlineExceeded(deadlineMs));
            if (serving.ended) return;
            missedDeadline = true;
            serving.end(`the ${role} worker was terminated: a call took longer than ${deadlineMs} ms`);
          }, deadlineMs);
        });
        try {
          return await Promise.race([call, deadline]);
        } finally {
          clearTimeout(timer);
        }
      }),
    start,
    async close() {
      closed = true;
      if (connection) await end(connection, `the ${role} worker is closed`);
      await discarded;
    },
  };
}

/** An executable contains all modules in one file at the root of src, and the entry point beside it. */
const ENTRY = Bun.isStandaloneExecutable ? "./workers/entry.ts" : "./entry.ts";

function spawnWorker(): Worker {
  return new Worker(new URL(ENTRY, import.meta.url).href);
}
