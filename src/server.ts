// The HTTP server on one page: the order of the edge, then one line for each feature.

import http from "node:http";
import type { Server } from "bun";
import { Elysia } from "elysia";
import type { App } from "./app.ts";
import { chunkOperations } from "./features/chunks/routes.ts";
import { collectionOperations } from "./features/collections/routes.ts";
import { coordinationOperations } from "./features/documents/coordination/routes.ts";
import { documentOperations } from "./features/documents/routes.ts";
import { scrapingOperations } from "./features/documents/scraping/routes.ts";
import { healthAnswer } from "./features/health/routes.ts";
import { identityOperations } from "./features/identity/routes.ts";
import { wellKnownAnswers } from "./features/identity/well-known.ts";
import { manifestOperations } from "./features/manifest/routes.ts";
import { openApiAnswers } from "./features/openapi/routes.ts";
import { promptOperations } from "./features/prompts/routes.ts";
import { reasonOperations } from "./features/reason/routes.ts";
import { searchOperations } from "./features/search/routes.ts";
import { dispatch, type Edge, failureAnswer, unrouted } from "./http/dispatch.ts";
import { errorAnswer } from "./http/errors.ts";
import { createHostCheck } from "./http/host.ts";
import type { Operation } from "./http/operation.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { purgeReceipts } from "./http/receipts.ts";
import { type Answer, plainResponse, v1Response } from "./http/respond.ts";
import { isRefusedUserAgent, userAgentRefusal } from "./http/user-agent.ts";
import { messageOf } from "./kernel/errors.ts";
import { LIMITS } from "./kernel/limits.ts";

/** Every operation of the API. */
export const OPERATIONS: readonly Operation[] = [
  ...manifestOperations,
  ...identityOperations,
  ...promptOperations,
  ...collectionOperations,
  ...documentOperations,
  ...scrapingOperations,
  ...coordinationOperations,
  ...chunkOperations,
  ...searchOperations,
  ...reasonOperations,
];

/** No answer of ours is cut while it is being made: a refresh or a cited answer may take a minute. */
const ANSWER_TIMEOUT_S = 240;
/** A connection that says nothing is closed after this. */
const IDLE_TIMEOUT_S = 30;
/** How often a bounded number of expired receipts is deleted. */
const PURGE_MS = 60_000;

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
  const { host, port: wantedPort } = app.settings;
  let edge: (request: Request) => Promise<Response>;
  const server: Server<undefined> = Bun.serve({
    hostname: host,
    port: wantedPort,
    idleTimeout: IDLE_TIMEOUT_S,
    // Otherwise the runtime prints the source around a failure in a streamed body, which is logged already.
    development: false,
    // The setting above would otherwise let a second server share the port.
    reusePort: false,
    // Ours is checked after authentication; the runtime's would answer a bare 413 before it.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch(request, self) {
      self.timeout(request, ANSWER_TIMEOUT_S);
      return edge(request);
    },
    error(error) {
      app.log.error("request failed", { reason: messageOf(error) });
      return plainResponse(errorAnswer(error), {});
    },
  });
  const port = server.port!;
  edge = createEdge(app, port);
  app.fetcher.avoid(port);
  const upkeep = setInterval(() => purgeExpired(app), PURGE_MS);
  upkeep.unref();
  purgeExpired(app);
  return {
    port,
    url: urlOf(host, port),
    async stop(graceMs) {
      clearInterval(upkeep);
      const drained = server.stop();
      await Promise.race([drained, Bun.sleep(graceMs)]);
      await server.stop(true);
    },
  };
}

function purgeExpired(app: App): void {
  try {
    purgeReceipts(app.store);
  } catch (error) {
    app.log.warn("expired receipts could not be purged", { reason: messageOf(error) });
  }
}

/** The edge of a server bound to `port`: Host, User-Agent, path, method; then the operation's own checks. */
export function createEdge(app: App, port: number): (request: Request) => Promise<Response> {
  const { settings, clock } = app;
  const limits = {
    read: settings.rateLimitRead,
    write: settings.rateLimitWrite,
    scrape: settings.rateLimitScrape,
  };
  const edge: Edge = {
    app,
    baseUrl: settings.baseUrl ?? urlOf(settings.host, port),
    limiter: createRateLimiter(limits, clock),
    inFlight: new Set(),
  };
  const checkHost = createHostCheck({ ...settings, port });
  const router = createRouter(edge);
  return async (request) => {
    const path = pathOf(request);
    const startedAt = clock.monotonic();
    let response: Response;
    try {
      checkHost(request.headers);
      if (
        isV1(path) &&
        settings.userAgentPolicy === "strict" &&
        isRefusedUserAgent(request.headers.get("user-agent"))
      ) {
        app.log.warn("refused a User-Agent: send a descriptive one, such as my-agent/1.0", { path });
        response = userAgentRefusal();
      } else {
        response = await router.handle(withLongHost(request));
      }
    } catch (error) {
      response = respondTo(request, failureAnswer(edge, error, "edge"));
    }
    const ms = Math.round(clock.monotonic() - startedAt);
    app.log.debug("request", { method: request.method, path, status: response.status, ms });
    return response;
  };
}

const isV1 = (path: string) => path.startsWith("/v1/") || path === "/v1";

/** An answer made outside an operation, in the form that its path asks for. */
function respondTo(request: Request, answer: Answer): Response {
  const respond = isV1(pathOf(request)) ? v1Response : plainResponse;
  return respond(answer, {});
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
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

/** Paths outside the API: public, without its headers. */
function outsideOperations(edge: Edge): Record<string, () => Answer | Promise<Answer>> {
  return {
    "/health": () => healthAnswer(edge.app),
    ...wellKnownAnswers(edge.app, edge.baseUrl),
    ...openApiAnswers(OPERATIONS, edge.baseUrl),
  };
}

function createRouter(edge: Edge) {
  const router = new Elysia({ strictPath: true });
  const paths = new Map<string, string[]>();
  for (const [path, answer] of Object.entries(outsideOperations(edge))) {
    paths.set(path, ["GET", "HEAD"]);
    for (const method of ["GET", "HEAD"]) {
      router.route(method, path, async ({ request }) => respondTo(request, await answer()));
    }
  }
  for (const operation of OPERATIONS) {
    const methods = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
    const idAt = operation.path.split("/").indexOf(":id");
    paths.set(operation.path, [...(paths.get(operation.path) ?? []), ...methods]);
    for (const method of methods) {
      router.route(
        method,
        operation.path,
        ({ request }) => {
          const [path, ...query] = targetOf(request).split("?");
          // As it was sent: an escaped letter is another shape.
          const pathId = idAt < 0 ? undefined : path.split("/")[idAt];
          return dispatch(edge, { operation, request, path, rawQuery: query.join("?"), pathId });
        },
        { parse: "none" },
      );
    }
  }
  // A path without an id stands before one with an id that it would fit.
  const patterns = [...paths]
    .sort(([one], [other]) => Number(one.includes(":")) - Number(other.includes(":")))
    .map(([path, methods]) => ({
      path,
      pattern: new RegExp(`^${path.replace(/:\w+/, "[^/]+")}$`),
      methods,
    }));
  const answerUnrouted = ({ request }: { request: Request }) => {
    const path = pathOf(request);
    const allowed = patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [];
    const answer = failureAnswer(edge, unrouted(allowed), "router");
    if (allowed.length > 0) answer.headers = { Allow: allowed.join(", ") };
    return respondTo(request, answer);
  };
  for (const { path, methods } of patterns) {
    const others = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((other) => other.methods);
    for (const method of new Set(others)) {
      if (!methods.includes(method)) router.route(method, path, answerUnrouted, { parse: "none" });
    }
  }
  return router
    .all("/*", answerUnrouted, { parse: "none" })
    .onError(({ error, request }) => respondTo(request, failureAnswer(edge, error, "router")));
}
