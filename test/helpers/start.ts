// A real server in this process: its own data directory, a free port, one key. Only clock and embedder may be replaced.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, openApp, type Replacements } from "../../src/app.ts";
import { type CreatedKey, createKey } from "../../src/auth/keys.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { readSettings, type Settings } from "../../src/config.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLog } from "../../src/kernel/log.ts";
import type { RunningServer } from "../../src/http/listen.ts";
import { startJobs } from "../../src/job-handlers.ts";
import { serve } from "../../src/server.ts";
import { fakeEmbedder } from "./embedder.ts";

export const USER_AGENT = "ctxrepo-tests/1.0";

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

export interface Started {
  app: App;
  server: RunningServer;
  key: CreatedKey;
  /** Requests as the first user with all scopes. */
  client: Client;
  /** Requests with another key, made on the spot. */
  clientOf(email: string, scopes?: Scope[]): Client;
  /** Resolves when no job is runnable. */
  settle(): Promise<void>;
  /** Lines logged so far. */
  log: string[];
  stop(): Promise<void>;
}

export interface StartOptions extends Replacements {
  settings?: Partial<Settings>;
  /** Uses this data directory and leaves it behind. */
  dataDir?: string;
  /** Loads the shipped model instead of the fake embedder. */
  realModel?: boolean;
}

export function makeTempDir(prefix = "ctxrepo-test-"): string {
  return mkdtempSync(join(tmpdir(), prefix));
}

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
    log: createLog("debug", "json", clock, (line) => log.push(line)),
    ...options,
    embedder: options.embedder ?? (options.realModel ? undefined : fakeEmbedder()),
  });
  const server = serve(app);
  startJobs(app);
  const makeKey = (email: string, scopes: Scope[]) =>
    app.store.write((write) => createKey(write, ensureUser(write, email), null, scopes));
  const everything: Scope[] = ["prompts.write", "documents.write"];
  const key = makeKey("owner@localhost", everything);
  return {
    app,
    server,
    key,
    log,
    client: createClient(server.url, key.key),
    clientOf: (email, scopes = everything) => createClient(server.url, makeKey(email, scopes).key),
    settle: () => app.jobs.idle(),
    async stop() {
      await server.stop(0);
      await app.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true });
    },
  };
}

export function createClient(url: string, key: string): Client {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        "User-Agent": USER_AGENT,
        Authorization: `API-Key ${key}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && text !== "";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}
