// Typed calls into a worker thread: one request, one answer, failures carried across by message. It knows no room; each
// room says what its thread offers as an object of async functions, and src/thread.ts hands the role to the room.

import { Failure, type FailureKind, messageOf } from "./errors.ts";

/** What a thread offers: named functions of one argument. Arguments and results must survive structured clone. */
export type ThreadApi = Record<string, (input: never) => unknown>;

/** The same functions seen from outside: every one answers with a promise. */
export type Remote<Api extends ThreadApi> = {
  [Name in keyof Api]: (input: Parameters<Api[Name]>[0]) => Promise<Awaited<ReturnType<Api[Name]>>>;
};

export interface Thread<Api extends ThreadApi> {
  readonly call: Remote<Api>;
  /** Calls sent and not answered yet. */
  readonly pending: number;
  /** True once the thread is gone: every further call fails. */
  readonly ended: boolean;
  /** Ends the thread at once; calls in flight fail with `unavailable`. */
  close(): void;
}

interface Request {
  id: number;
  name: string;
  input: unknown;
}

interface Answer {
  id: number;
  value?: unknown;
  failure?: { kind: FailureKind; message: string };
}

/** What openThread sends first: which room shall serve in there, and with what. */
export interface ThreadStart {
  role: string;
  options: unknown;
}

/** Calls that one thread may owe an answer to; beyond it the caller is told at once. */
const MAX_WAITING = 2_000;

/**
 * Wraps a worker that was just made. `onExit` is told once when the thread is gone without having been closed.
 */
export function openThread<Api extends ThreadApi>(
  worker: Worker,
  start: ThreadStart,
  onExit: (reason: string) => void = () => {},
): Thread<Api> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Failure): void }>();
  let nextId = 1;
  let ended: string | undefined;

  const end = (reason: string) => {
    if (ended !== undefined) return;
    ended = reason;
    for (const call of waiting.values()) call.reject(new Failure("unavailable", reason));
    waiting.clear();
    worker.terminate();
  };
  const fail = (reason: string) => {
    if (ended !== undefined) return;
    end(reason);
    onExit(reason);
  };
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const call = waiting.get(data.id);
    if (!call) return;
    waiting.delete(data.id);
    if (data.failure) call.reject(new Failure(data.failure.kind, data.failure.message));
    else call.resolve(data.value);
  };
  worker.onerror = (event) => fail(`thread ${start.role} failed: ${event.message}`);
  worker.addEventListener("close", () => fail(`thread ${start.role} ended`));
  worker.postMessage(start);

  const call = new Proxy({} as Remote<Api>, {
    get: (_target, name: string) => (input: unknown) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(new Failure("unavailable", ended));
        if (waiting.size >= MAX_WAITING)
          return reject(new Failure("unavailable", "too much work is waiting"));
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, name, input } satisfies Request);
      }),
  });
  return {
    call,
    get pending() {
      return waiting.size;
    },
    get ended() {
      return ended !== undefined;
    },
    close: () => end(`thread ${start.role} is closed`),
  };
}

/** Inside a worker: answers every request with the function of that name, in the order in which they settle. */
export function serveThread(api: ThreadApi): (request: Request) => Promise<void> {
  return async ({ id, name, input }) => {
    try {
      const value = await (api[name] as (input: unknown) => unknown)(input);
      postMessage({ id, value } satisfies Answer);
    } catch (error) {
      const kind = error instanceof Failure ? error.kind : "internal";
      postMessage({ id, failure: { kind, message: messageOf(error) } } satisfies Answer);
    }
  };
}
