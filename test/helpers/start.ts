// A whole program for tests: its own data directory, one key, a fake embedder, and a client that calls the edge without
// a socket. Only clock, log, embedder and fetcher can be replaced.

import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, openApp, type Replacements, warmUp } from "../../src/app.ts";
import type { Identity } from "../../src/auth/identity.ts";
import { type CreatedKey, createKey } from "../../src/auth/keys.ts";
import { type Scope, USER_SCOPES } from "../../src/auth/scopes.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { answerLocalCall } from "../../src/cli/local-calls.ts";
import { readSettings, type Settings } from "../../src/base/config.ts";
import { waitBriefly } from "../../src/db/open.ts";
import type { RunningServer } from "../../src/http/listen.ts";
import { startJobs } from "../../src/job-handlers.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLog } from "../../src/kernel/log.ts";
import { createEdge, serve } from "../../src/server.ts";
import { fakeEmbedder, sharedRealEmbedder } from "./embedder.ts";

export const USER_AGENT = "ctxrepo-tests/1.0";

/** The port that requests without a socket name in their Host header. */
const EDGE_PORT = 4817;

export interface Reply {
  status: number;
  headers: Headers;
  // The shape of a reply is what the tests are about.
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON
  body: any;
}

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

/** Sends a request: over a socket, or straight to the edge. */
export type Send = (request: Request) => Promise<Response>;

export interface Started {
  app: App;
  key: CreatedKey;
  /** The first user, signed in on this machine: for the console. */
  owner: Identity;
  /** The address that requests name. */
  url: string;
  /** Sends a request without a default User-Agent or credentials. */
  send: Send;
  /** Requests as the first user with all scopes. */
  client: Client;
  /** Creates a record as the first user and returns its id. */
  create: Create;
  /** Requests with a new key. */
  clientOf(email: string, scopes?: Scope[]): Client;
  /**
   * A write that waits for the worker that copies the log, as `writeWhenFree` does, and blocks the thread meanwhile.
   */
  write: App["store"]["write"];
  /** Writes the entries of the activity log that are in memory. */
  writeActivity(): void;
  /** Resolves when no job is runnable. */
  settle(): Promise<void>;
  /**
   * Ends the job loop for good. Unlike in a server that stops, writes still wait for the worker that copies the log.
   */
  stopJobs(): Promise<void>;
  /** Lines logged so far. */
  log: string[];
  /** The bound port. Throws without `socket: true`. */
  readonly port: number;
  stop(): Promise<void>;
}

export interface StartOptions extends Replacements {
  settings?: Partial<Settings>;
  /** Uses this data directory and does not delete it. */
  dataDir?: string;
  /** Uses the shipped model instead of the fake embedder. */
  realModel?: boolean;
  /**
   * Binds a socket: for tests of framing, raw bytes and other processes. Otherwise requests go straight to the edge.
   */
  socket?: boolean;
}

export function makeTempDir(prefix = "ctxrepo-test-"): string {
  return mkdtempSync(join(tmpdir(), prefix));
}

/** A program for all tests of the calling file or `describe` block; it is stopped after them. */
export function useServer(options: StartOptions = {}): Started {
  const started = startServer(options);
  afterAll(() => started.stop());
  return started;
}

/** A program that the test stops itself. */
export function startServer(options: StartOptions = {}): Started {
  const dataDir = options.dataDir ?? makeTempDir();
  const log: string[] = [];
  const clock = options.clock ?? systemClock;
  const settings: Settings = {
    ...readSettings(
      { dataDir, port: "0", rateLimitRead: "0", rateLimitWrite: "0", rateLimitScrape: "0" },
      {},
    ),
    ...options.settings,
  };
  const app = openApp(settings, {
    clock,
    log: createLog({ level: "debug", format: "json", clock, write: (line) => log.push(line) }),
    ...options,
    embedder: options.embedder ?? (options.realModel ? sharedRealEmbedder() : fakeEmbedder()),
  });
  const server: RunningServer | undefined = options.socket
    ? serve(app, (request, target) =>
        answerLocalCall(request, target, { secret: app.credentials.localSecret, calls: { check: () => {} } }),
      )
    : undefined;
  warmUp(app);
  startJobs(app);
  const url = server?.url ?? `http://127.0.0.1:${EDGE_PORT}`;
  const send: Send = server ? fetch : edgeOf(app);
  const waiting = <Value>(action: () => Value): Value => {
    app.store.sql.run("PRAGMA busy_timeout = 10000");
    try {
      return action();
    } finally {
      waitBriefly(app.store.sql);
    }
  };
  const write: Started["write"] = (action, options) => waiting(() => app.store.write(action, options));
  const makeKey = (email: string, scopes: Scope[]) =>
    write((write) => createKey(write, ensureUser(write, email), { name: null, scopes }));
  const everything: Scope[] = ["prompts.write", "documents.write"];
  const key = makeKey("owner@localhost", everything);
  const client = createClient(url, key.key, send);
  return {
    app,
    key,
    owner: {
      kind: "session",
      userId: key.userId,
      email: key.email,
      name: null,
      scopes: USER_SCOPES,
      credentialId: "console",
      isLocal: true,
    },
    url,
    log,
    send,
    client,
    create: createWith(client),
    clientOf: (email, scopes = everything) => createClient(url, makeKey(email, scopes).key, send),
    write,
    writeActivity: () => waiting(() => app.activityLog.flush()),
    settle: () => app.jobs.idle(),
    stopJobs() {
      app.store.shortenWaits = () => {};
      return app.jobs.stop();
    },
    get port() {
      if (!server) throw new Error("this server has no socket: start it with { socket: true }");
      return server.port;
    },
    async stop() {
      await server?.stop(0);
      await app.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true });
    },
  };
}

/** Calls the edge with the requests of a client, and adds the Host header, which fetch adds only on a socket. */
function edgeOf(app: App): Send {
  const edge = createEdge(app, EDGE_PORT);
  return async (request) => {
    if (!request.headers.has("host")) request.headers.set("host", `127.0.0.1:${EDGE_PORT}`);
    // A turn of the event loop, as with a socket: a test that polls must not block timers and threads.
    await new Promise((resolve) => setImmediate(resolve));
    return edge(request);
  };
}

/** A client with an API key of the server at `url`. */
export function createClient(url: string, key: string, send: Send = fetch): Client {
  return async (method, path, body, headers = {}) => {
    const request = new Request(url + path, {
      method,
      headers: {
        "User-Agent": USER_AGENT,
        Authorization: `API-Key ${key}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const response = await send(request);
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && text !== "";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}

/** Creates a record with the body of a POST request and returns its id. Throws unless the status is 201. */
export type Create = (path: string, body: object) => Promise<string>;

/** Creates records as the user of a client. */
export function createWith(client: Client): Create {
  return async (path, body) => {
    const { status, body: reply } = await client("POST", path, body);
    if (status !== 201) throw new Error(`POST ${path} returned ${status}: ${JSON.stringify(reply)}`);
    return reply.data.id;
  };
}
