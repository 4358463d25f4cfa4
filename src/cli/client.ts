// The only way in which commands send requests: over HTTP to the process that serves the data directory or, if there is
// none, to the same edge in this process. If that process ends, the client finds the next one or becomes it.

import { localAuthorization } from "../auth/local-access.ts";
import { readSettings, type Settings } from "../base/config.ts";
import { systemClock } from "../kernel/clock.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import {
  type RequestOptions as CommonOptions,
  queryText,
  type Reply,
  type Requests,
} from "../requests/reply.ts";
import { VERSION } from "../base/version.ts";
import { requireDatabase } from "./data-dir.ts";
import { type Holder, hold } from "./holder.ts";
import { findProcess } from "./local-calls.ts";
import { printMessage } from "./output.ts";
import { showProgress } from "./progress.ts";
import { parseUser } from "./user-options.ts";

export interface ClientOptions {
  dataDir: string;
  /** E-mail of the user to act as. */
  user: string;
  /** Whether a missing database is created; otherwise it is a failure. */
  creates?: boolean;
  /** Whether this process runs jobs if no server does. Without it, jobs stay queued until one runs. */
  indexes?: boolean;
  /** Settings that apply if no server runs. */
  flags?: Parameters<typeof readSettings>[0];
  /** How long to wait for a process that holds the lock but does not answer: it may be starting or ending. */
  maxWaitMs?: number;
}

/** Headers replace the defaults, also `Authorization`. */
interface RequestOptions extends CommonOptions {
  /** JSON text that is sent unchanged, instead of `body`. */
  text?: string;
  signal?: AbortSignal;
}

export interface Client extends Requests {
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** The response before its body is read. The caller must read or cancel the body. */
  stream(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** Whether the requests go to another process: the flags of this command do not apply there. */
  usesServer(): Promise<boolean>;
  /** If this process runs the jobs, waits until none is left; a server continues without this process. */
  finishJobs(): Promise<void>;
  /** Ends this process's work: requests and running jobs finish or are queued again, and the lock is released. */
  close(): Promise<void>;
}

/** Something that responds to requests. */
interface Connection {
  send(path: string, init: RequestInit): Promise<Response>;
  secret: string;
  holder?: Holder;
}

/** @testOnly */
export const DEFAULT_MAX_WAIT_MS = 15_000;
const POLL_MS = 50;
/** How long a client that lost its server leaves the lock to others; a starting server needs less. */
const LOST_MS = 250;
/** The same after a server has taken over from this process: that server is starting. */
const TAKEN_OVER_MS = 10_000;
const MAX_ATTEMPTS = 5;
/** How often waiting jobs are counted for the progress bar. */
const REDRAW_MS = 250;

/**
 * Connects to the process that serves the data directory, or holds the directory. Throws `not-found` if there is no
 * database and none may be created, `bad-request` for invalid settings, and `conflict` if a process holds the lock but
 * does not answer.
 */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { dataDir, indexes = false, creates = false, flags } = options;
  const { maxWaitMs = DEFAULT_MAX_WAIT_MS } = options;
  const user = parseUser(options.user);
  const quiet = { logLevel: process.env.CTXREPO_LOG_LEVEL ?? "error" };
  const local = { host: "127.0.0.1", port: "0", ...quiet, ...flags, dataDir };
  const settings = readSettings(local, process.env);

  const start = (letOthersFirstMs: number) =>
    connect(settings, { letOthersFirstMs, maxWaitMs, creates, indexes });
  /**
   * All requests share it. The first one that fails replaces it; if there is no connection, the next request tries
   * again.
   */
  let current: Promise<Connection> | undefined = start(0);
  await current;

  const connected = () => {
    current ??= start(0);
    return current;
  };
  const reconnect = async ({ holder }: Connection): Promise<Connection> => {
    await holder?.released;
    return start(holder ? TAKEN_OVER_MS : LOST_MS);
  };

  /**
   * Sends a request and reads what `read` wants of the response; repeats both with the next connection if they fail.
   */
  const exchange = async <Value>(
    method: string,
    path: string,
    { options = {}, read }: { options?: RequestOptions; read: (response: Response) => Promise<Value> },
  ): Promise<Value> => {
    const { body, query, headers, signal } = options;
    const text = options.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const init = (secret: string): RequestInit => ({
      method,
      body: text,
      headers: {
        "User-Agent": `ctxrepo-command/${VERSION}`,
        Authorization: localAuthorization(secret, user),
        // So that a request whose response was lost is not executed twice.
        ...(method !== "GET" && { "Idempotency-Key": idempotencyKey }),
        ...(text !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      signal,
      redirect: "manual",
    });
    const idempotencyKey = crypto.randomUUID();
    for (let attempt = 1; ; attempt++) {
      const used = connected();
      let connection: Connection | undefined;
      try {
        connection = await used;
        return await read(await connection.send(path + queryText(query), init(connection.secret)));
      } catch (error) {
        signal?.throwIfAborted();
        if (current === used) current = connection && reconnect(connection);
        if (!connection) throw error;
        if (attempt === MAX_ATTEMPTS) throw cannotReach(error);
      }
    }
  };

  return {
    request: (method, path, requestOptions) =>
      exchange(method, path, { options: requestOptions, read: readReply }),
    stream: (method, path, requestOptions) =>
      exchange(method, path, { options: requestOptions, read: async (response) => response }),
    usesServer: async () => (await connected()).holder === undefined,
    async finishJobs() {
      const { holder } = await connected();
      if (holder && indexes) await showWaiting(holder);
    },
    async close() {
      const connection = await current?.catch(() => undefined);
      await connection?.holder?.release();
    },
  };
}

/**
 * Opens a client for one action and closes it afterwards. Says on stderr if settings of the command do not apply
 * because a server runs. Throws what openClient throws.
 */
export async function withClient<Value>(
  options: ClientOptions,
  action: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = await openClient(options);
  try {
    const hasFlags = Object.values(options.flags ?? {}).some((flag) => flag !== undefined);
    if (hasFlags && (await client.usesServer())) {
      printMessage("a server is running: its settings apply, not those of this command");
    }
    return await action(client);
  } finally {
    await client.close();
  }
}

interface ConnectOptions {
  letOthersFirstMs: number;
  maxWaitMs: number;
  creates: boolean;
  indexes: boolean;
}

async function connect(
  settings: Settings,
  { letOthersFirstMs, maxWaitMs, creates, indexes }: ConnectOptions,
): Promise<Connection> {
  const startedAt = systemClock.monotonic();
  for (;;) {
    const address = await findProcess(settings.dataDir);
    if (address) return { secret: address.secret, send: (path, init) => fetch(address.url + path, init) };
    const waited = systemClock.monotonic() - startedAt;
    if (waited >= letOthersFirstMs) {
      if (!creates) requireDatabase(settings.dataDir);
      try {
        return ownConnection(hold(settings), indexes);
      } catch (error) {
        if (!(error instanceof Failure && error.kind === "conflict")) throw error;
        if (waited >= letOthersFirstMs + maxWaitMs) throw doesNotAnswer(settings.dataDir, error);
      }
    }
    await systemClock.sleep(POLL_MS);
  }
}

function ownConnection(holder: Holder, indexes: boolean): Connection {
  if (indexes) holder.startWork();
  return {
    holder,
    secret: holder.secret,
    send(path, init) {
      if (holder.isReleasing) return Promise.reject(new Error("a server takes over"));
      return holder.handle(new Request(`http://127.0.0.1${path}`, init));
    },
  };
}

/** Waits for the jobs of this process, with a progress bar on a terminal. */
async function showWaiting(holder: Holder): Promise<void> {
  const total = holder.countOpenJobs();
  const progress = showProgress("records indexed", total);
  const draw = () => progress.set(Math.max(0, total - holder.countOpenJobs()), total);
  draw();
  const redraw = setInterval(draw, REDRAW_MS);
  try {
    await holder.idle();
  } finally {
    clearInterval(redraw);
    progress.end();
  }
}

const doesNotAnswer = (dataDir: string, cause: Failure) =>
  new Failure(
    "conflict",
    `another ctxrepo process uses ${dataDir} but does not answer: try again, or stop that process`,
    { cause },
  );

const cannotReach = (cause: unknown) =>
  new Failure("unavailable", `the server cannot be reached: ${messageOf(cause)}`, { cause });

async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status, headers, body: text === "" ? null : isJson ? JSON.parse(text) : text };
}
