// Calls between the main thread and a worker thread: each request has an id, its response has the same id; errors are
// sent as kind and message.

import { Failure, type FailureKind, messageOf } from "../kernel/errors.ts";
import { buffersMovedWith } from "../kernel/moved-buffers.ts";

/** What a worker offers: named functions of one argument. Arguments and results must survive structured clone. */
export type WorkerApi = Record<string, (input: never) => unknown>;

/** The same functions called from another thread: each returns a promise. */
export type Remote<Api extends WorkerApi> = {
  [Name in keyof Api]: (input: Parameters<Api[Name]>[0]) => Promise<Awaited<ReturnType<Api[Name]>>>;
};

/** The first message to a worker: which API it serves (see entry.ts), and the options of that API. */
export interface WorkerStart {
  role: string;
  options: unknown;
}

export interface RpcRequest {
  id: number;
  name: string;
  input: unknown;
}

export interface RpcResponse {
  /** Of the request; STARTING if the worker cannot serve any. */
  id: number;
  value?: unknown;
  failure?: SentFailure;
  /** Only with the id NOTICE. */
  notice?: string;
}

/** `code` is that of the error, such as the code of SQLite. */
interface SentFailure {
  kind: FailureKind;
  message: string;
  publicMessage?: string | undefined;
  code?: string | undefined;
}

/** In place of the id of a request, which is at least 1. */
export const STARTING = 0;

/** What a connection uses of a thread. A process offers the same. */
export interface WorkerPort {
  /** A thread gets the memory of `moved` instead of a copy; a process gets copies. */
  postMessage(message: unknown, moved: ArrayBuffer[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  /** The event's `error` is a Failure if it is known why the worker ended. */
  onerror: ((event: ErrorEvent) => void) | null;
  addEventListener(type: "close", listener: () => void): void;
}
const NOTICE = -1;

/** The main thread's end of a connection to one worker. */
export interface Connection<Api extends WorkerApi> {
  readonly call: Remote<Api>;
  /** True once the worker has stopped: every further call fails. */
  readonly isTerminated: boolean;
  /** Terminates the worker; calls in flight fail with `unavailable` and this reason. */
  terminate(reason: string): void;
}

/** Maximum number of calls in flight per worker; further calls are rejected with `unavailable`. */
const MAX_IN_FLIGHT = 2_000;

/**
 * Connects to a new worker. `onExit` is called once if the worker stops, or cannot open its API, without `terminate`
 * being called. `onNotice` receives what the worker reports with sendNotice.
 */
export function connect<Api extends WorkerApi>(
  worker: WorkerPort,
  start: WorkerStart,
  onExit: (failure: Failure) => void,
  onNotice?: (message: string) => void,
): Connection<Api> {
  const inFlight = new Map<number, { resolve(value: unknown): void; reject(error: Failure): void }>();
  let nextId = 1;
  /** Why the worker was terminated; undefined while it runs. */
  let end: Failure | undefined;

  const stop = (failure: Failure) => {
    if (end) return;
    end = failure;
    for (const call of inFlight.values()) call.reject(failure);
    inFlight.clear();
    worker.terminate();
  };
  const fail = (failure: Failure) => {
    if (end) return;
    stop(failure);
    onExit(failure);
  };
  worker.onmessage = ({ data }: MessageEvent<RpcResponse>) => {
    if (data.id === STARTING) return fail(failureOf(data.failure!));
    if (data.id === NOTICE) return onNotice?.(data.notice!);
    const call = inFlight.get(data.id);
    if (!call) return;
    inFlight.delete(data.id);
    if (data.failure) call.reject(failureOf(data.failure));
    else call.resolve(data.value);
  };
  const unavailable = (reason: string) => new Failure("unavailable", `the ${start.role} worker ${reason}`);
  worker.onerror = ({ message, error }) =>
    fail(error instanceof Failure ? error : unavailable(`failed: ${message}`));
  worker.addEventListener("close", () => fail(unavailable("ended")));
  worker.postMessage(start, []);

  const send = (name: string, input: unknown) =>
    new Promise((resolve, reject) => {
      if (end) return reject(end);
      if (inFlight.size >= MAX_IN_FLIGHT)
        return reject(new Failure("unavailable", `too many calls wait for the ${start.role} worker`));
      const id = nextId++;
      inFlight.set(id, { resolve, reject });
      worker.postMessage({ id, name, input } satisfies RpcRequest, buffersMovedWith(input));
    });
  return {
    call: remoteOf<Api>(send),
    get isTerminated() {
      return end !== undefined;
    },
    terminate: (reason) => stop(new Failure("unavailable", reason)),
  };
}

/** A Remote that passes each call to `send`. */
export function remoteOf<Api extends WorkerApi>(
  send: (name: string, input: unknown) => Promise<unknown>,
): Remote<Api> {
  return new Proxy({} as Remote<Api>, {
    get: (_target, name: string) => (input: unknown) => send(name, input),
  });
}

/** In the worker: returns a function that runs one request and posts its result or failure. */
export function serveRpc(api: WorkerApi): (request: RpcRequest) => Promise<void> {
  return async ({ id, name, input }) => {
    try {
      const value = await (api[name] as (input: unknown) => unknown)(input);
      postMessage({ id, value } satisfies RpcResponse);
    } catch (error) {
      postMessage({ id, failure: sentFailure(error) } satisfies RpcResponse);
    }
  };
}

/** In the worker: reports a problem that does not end a call, for the log. */
export function sendNotice(message: string): void {
  postMessage({ id: NOTICE, notice: message } satisfies RpcResponse);
}

/** Between both ends: the message that the worker has failed, which ends the connection. */
export function workerFailed(reason: string): RpcResponse {
  return { id: STARTING, failure: { kind: "unavailable", message: reason } };
}

/** In the worker: says that the API cannot be opened. The other end terminates the worker. */
export function sendStartFailure({ role }: WorkerStart, error: unknown): void {
  const message = `the ${role} worker cannot start: ${messageOf(error)}`;
  const failure = { ...sentFailure(error), kind: "unavailable", message } as const;
  postMessage({ id: STARTING, failure } satisfies RpcResponse);
}

function sentFailure(error: unknown): SentFailure {
  const { kind, publicMessage } =
    error instanceof Failure ? error : ({ kind: "internal", publicMessage: undefined } as const);
  return { kind, message: messageOf(error), publicMessage, code: codeOf(error) };
}

/** The code of an error or of its cause. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return undefined;
}

function failureOf({ kind, message, publicMessage, code }: SentFailure): Failure {
  return Object.assign(new Failure(kind, message, { publicMessage }), code !== undefined && { code });
}
