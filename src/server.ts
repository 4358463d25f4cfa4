// The HTTP server on one page: the order of the edge, then one line for each feature.

import http from "node:http";
import type { Server } from "bun";
import { Elysia } from "elysia";
import type { App } from "./app.ts";
import { chunkOperations } from "./features/chunks/routes.ts";
import { documentOperations } from "./features/documents/routes.ts";
import { healthAnswer } from "./features/health/routes.ts";
import { identityOperations } from "./features/identity/routes.ts";
import { manifestOperations } from "./features/manifest/routes.ts";
import { searchOperations } from "./features/search/routes.ts";
import { dispatch, failureAnswer, unrouted } from "./http/dispatch.ts";
import { createHostCheck } from "./http/host.ts";
import type { Operation } from "./http/operation.ts";
import { plainResponse, v1Response } from "./http/respond.ts";
import { isRefusedUserAgent, userAgentRefusal } from "./http/user-agent.ts";
import { messageOf } from "./kernel/errors.ts";
import { LIMITS } from "./kernel/limits.ts";

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = [
  ...manifestOperations,
  ...identityOperations,
  ...documentOperations,
  ...chunkOperations,
  ...searchOperations,
];

/** No answer of ours is cut while it is being made: a refresh or a cited answer may take a minute. */
const ANSWER_TIMEOUT_S = 240;
/** A connection that says nothing is closed after this. */
const IDLE_TIMEOUT_S = 30;

export interface RunningServer {
  port: number;
  url: string;
  /** Stops accepting, lets requests in flight finish for at most `graceMs`, then closes what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Binds and serves. Throws when the address is taken. */
export function serve(app: App): RunningServer {
  // The runtime's own limit of 16 kB would cut a long query in a non-Latin script. It is read when serving starts.
  (http as { maxHeaderSize: number }).maxHeaderSize = LIMITS.headers.bytes;
  let edge: (request: Request) => Promise<Response>;
  const server: Server<undefined> = Bun.serve({
    hostname: app.settings.host,
    port: app.settings.port,
    idleTimeout: IDLE_TIMEOUT_S,
    // Ours is checked after authentication; the runtime's would answer a bare 413 before it.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch(request, self) {
      self.timeout(request, ANSWER_TIMEOUT_S);
      return edge(request);
    },
    error(error) {
      app.log.error("request failed", { reason: messageOf(error) });
      return plainResponse(failureAnswer(app, error, "edge"), {}, false);
    },
  });
  const port = server.port!;
  edge = createEdge(app, port);
  const host = app.settings.host.includes(":") ? `[${app.settings.host}]` : app.settings.host;
  return {
    port,
    url: `http://${host}:${port}`,
    async stop(graceMs) {
      const drained = server.stop();
      await Promise.race([drained, Bun.sleep(graceMs)]);
      await server.stop(true);
    },
  };
}

/** The edge of a server bound to `port`: Host, User-Agent, path, method; then the operation's own checks. */
export function createEdge(app: App, port: number): (request: Request) => Promise<Response> {
  const checkHost = createHostCheck({ ...app.settings, port });
  const router = createRouter(app);
  return async (request) => {
    const path = pathOf(request);
    const isV1 = path.startsWith("/v1/") || path === "/v1";
    try {
      checkHost(request.headers);
      if (isV1 && app.settings.userAgentPolicy === "strict") {
        if (isRefusedUserAgent(request.headers.get("user-agent"))) {
          app.log.warn("refused a User-Agent: send a descriptive one, such as my-agent/1.0", { path });
          return userAgentRefusal();
        }
      }
      return await router.handle(withLongHost(request));
    } catch (error) {
      const respond = isV1 ? v1Response : plainResponse;
      return respond(failureAnswer(app, error, "edge"), {}, request.method === "HEAD");
    }
  };
}

/** The request target as it was sent: path and query, found without asking a URL parser. */
function targetOf({ url, headers }: Request): string {
  const authority = `http://${headers.get("host") ?? ""}`;
  if (url.startsWith(authority)) return url.slice(authority.length);
  // A Host that makes no URL leaves the bare target.
  return url.startsWith("/") ? url : url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

function pathOf(request: Request): string {
  return targetOf(request).split("?", 1)[0];
}

/** Elysia finds a path from the 12th character on, so it misreads hosts of under four letters. */
function withLongHost(request: Request): Request {
  const target = targetOf(request);
  if (request.url.length - target.length >= "http://".length + 4) return request;
  return new Request(`http://localhost${target}`, request);
}

function createRouter(app: App) {
  const router = new Elysia({ strictPath: true });
  const paths = new Map<string, string[]>([["/health", ["GET", "HEAD"]]]);
  for (const method of ["GET", "HEAD"]) {
    router.route(method, "/health", ({ request }) =>
      plainResponse(healthAnswer(app), {}, request.method === "HEAD"),
    );
  }
  for (const operation of OPERATIONS) {
    const methods = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
    paths.set(operation.path, [...(paths.get(operation.path) ?? []), ...methods]);
    for (const method of methods) {
      router.route(
        method,
        operation.path,
        ({ request, params }) =>
          dispatch(app, operation, request, (params as { id?: string } | undefined)?.id),
        { parse: "none" },
      );
    }
  }
  const patterns = [...paths].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/:\w+/, "[^/]+")}$`),
    methods,
  }));
  return router.all(
    "/*",
    ({ request }) => {
      const path = pathOf(request);
      const allowed = patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [];
      const answer = failureAnswer(app, unrouted(allowed), "router");
      if (allowed.length > 0) answer.headers = { Allow: allowed.join(", ") };
      const respond = path.startsWith("/v1/") || path === "/v1" ? v1Response : plainResponse;
      return respond(answer, {}, request.method === "HEAD");
    },
    { parse: "none" },
  );
}
