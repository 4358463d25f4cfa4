// Keeps one worker thread available: started on demand, restarted with back-off after a crash, terminated when a call passes
// its deadline, shut down gracefully. Every worker of the program is opened here. It must not know what a worker does.

import { type Clock, systemClock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import { createRestartLimit } from "./restart-limit.ts";
import { type Connection, connect, type Remote, remoteOf, type WorkerApi } from "./rpc.ts";

export interface WorkerOptions<Api extends WorkerApi> {
  /** Which API the worker serves: a name of the table in entry.ts. */
  role: string;
  /** The options of that API; must survive structured clone. */
  options?: unknown;
  /** Creates the thread; tests pass workers of their own. */
  spawn?: () => Worker;
  /** Called on each new worker; when it rejects, the worker is shut down and counts as crashed. */
  ready?: (call: Remote<Api>) => Promise<unknown>;
  /** Called before the worker is terminated: the last chance to release what it holds. */
  shutDown?: (call: Remote<Api>) => Promise<unknown>;
  /** Told why a worker crashed or did not get ready. Not called on `close` or on a deadline. */
  onCrash?: (reason: string) => void;
  /** Measures the back-off only. */
  clock?: Clock;
}

export interface SupervisedWorker<Api extends WorkerApi> {
  /** Starts the worker if necessary. Calls in flight when it ends are rejected with `unavailable`. */
  readonly call: Remote<Api>;
  /** The same with a deadline per call. Past it the worker is terminated and the call rejects with DeadlineExceeded. */
  within(deadlineMs: number): Remote<Api>;
  /** Starts the worker if it does not run and the back-off allows it. False if it does not run afterwards. */
  start(): boolean;
  /** Shuts the worker down; resolves when it has ended. All calls from now on are rejected. */
  close(): Promise<void>;
}

/** A call did not return before its deadline; its worker was terminated. */
export class DeadlineExceeded extends Failure {
  constructor(deadlineMs: number) {
    super("unavailable", `the call took longer than ${deadlineMs} ms`);
  }
}

/** Opens a supervised worker. It starts with the first call or with `start`. */
export function superviseWorker<Api extends WorkerApi>(given: WorkerOptions<Api>): SupervisedWorker<Api> {
  const { role, options = null, spawn = spawnWorker, ready, shutDown, onCrash, clock = systemClock } = given;
  const restartLimit = createRestartLimit();
  let connection: Connection<Api> | undefined;
  let closed = false;
  /** Why no worker runs. */
  let lastFailure = `the ${role} worker is not started`;
  /** A worker that this file terminated is replaced without back-off. */
  let endedOnPurpose = false;

  const crashed = (reason: string) => {
    lastFailure = reason;
    onCrash?.(reason);
  };

  const open = () => {
    const opened = connect<Api>(spawn(), { role, options }, crashed);
    connection = opened;
    ready?.(opened.call).catch(async (error: Failure) => {
      if (opened.ended) return;
      if (connection === opened) connection = undefined;
      crashed(error.message);
      await end(opened, error.message);
    });
  };

  const running = () => connection !== undefined && !connection.ended;

  const start = (): boolean => {
    if (closed || running()) return !closed;
    if (!endedOnPurpose && !restartLimit.allows(clock.monotonic())) return false;
    endedOnPurpose = false;
    open();
    return true;
  };

  const current = (): Connection<Api> => {
    if (closed) throw new Failure("unavailable", `the ${role} worker is closed`);
    if (!start() || !connection) throw new Failure("unavailable", lastFailure);
    return connection;
  };

  const end = async (ending: Connection<Api>, reason: string) => {
    if (shutDown && !ending.ended) await shutDown(ending.call).catch(() => {});
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
            endedOnPurpose = true;
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
    },
  };
}

/** An executable contains all modules in one file at the root of src, and the entry point beside it. */
const ENTRY = Bun.isStandaloneExecutable ? "./workers/entry.ts" : "./entry.ts";

function spawnWorker(): Worker {
  return new Worker(new URL(ENTRY, import.meta.url).href);
}
