// The HTTP server: the checks of the edge in their order, then one line for each feature.

import { Elysia } from "elysia";
import type { Settings } from "./base/config.ts";
import type { Fetcher } from "./engine/fetching/fetch-page.ts";
import { chunkOperations } from "./features/chunks/routes.ts";
import { type CollectionDeps, collectionOperations } from "./features/collections/routes.ts";
import { consolePages } from "./site/console/pages.ts";
import { type ConsoleDeps, consoleApi } from "./features/console/routes.ts";
import { type CoordinationDeps, coordinationOperations } from "./features/documents/coordination/routes.ts";
import { type DocumentDeps, documentOperations } from "./features/documents/routes.ts";
import { type ScrapingDeps, scrapingOperations } from "./features/documents/scraping/routes.ts";
import { type HealthDeps, healthReply } from "./site/health/routes.ts";
import { identityOperations } from "./features/identity/routes.ts";
import { wellKnownPages } from "./features/identity/well-known.ts";
import { manifestOperations } from "./features/manifest/routes.ts";
import type { MetricsDeps } from "./site/metrics/state.ts";
import { metricsPages } from "./site/metrics/routes.ts";
import { openApiPages } from "./site/openapi/routes.ts";
import { type PromptDeps, promptOperations } from "./features/prompts/routes.ts";
import type { ReasonDeps } from "./features/reason/reason.ts";
import { reasonOperations } from "./features/reason/routes.ts";
import { type SearchDeps, searchOperations } from "./features/search/routes.ts";
import { openQueues } from "./http/admission.ts";
import { openBodyRoom } from "./http/body-room.ts";
import type { Edge } from "./http/edge.ts";
import { bindExchange, createExchanges, type Exchange } from "./http/exchange.ts";
import { createHostCheck } from "./http/host.ts";
import { listen, type RunningServer, urlOf } from "./http/listen.ts";
import {
  fallbackPlugin,
  operationsPlugin,
  pagesPlugin,
  postPlugin,
  redirectPlugin,
  rejectRequest,
  unknownPath,
} from "./http/plugin.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { logRequest } from "./http/request-log.ts";
import { isApiPath, routable, type Target, targetOf } from "./http/target.ts";
import { openTurns } from "./http/turns.ts";
import { isRejectedUserAgent, userAgentRejection } from "./http/user-agent.ts";
import { startUpkeep, type UpkeepDeps } from "./maintenance/upkeep.ts";
import { operationsOf } from "./mcp/calls.ts";
import { type McpReplacements, mcpEndpoint } from "./mcp/endpoint.ts";
import { rejectRegistration } from "./mcp/registration.ts";
import { DESCRIBED, OPERATIONS } from "./operations.ts";
import { VERSION } from "./base/version.ts";

/** What the server needs: the parts of the edge, and those of each feature. */
export type ServerDeps = Omit<Edge, "bodyRoom" | "baseUrl" | "limiter" | "inFlight" | "queues" | "turns"> & {
  settings: Settings;
  fetcher: Fetcher;
  mcp?: McpReplacements;
} & UpkeepDeps &
  HealthDeps &
  MetricsDeps &
  PromptDeps &
  CollectionDeps &
  DocumentDeps &
  ScrapingDeps &
  CoordinationDeps &
  SearchDeps &
  ReasonDeps &
  ConsoleDeps;

const LOOPBACK_OF: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1" };

const USER_AGENT_ADVICE =
  "rejected a User-Agent: send a descriptive one, such as my-agent/1.0, or start the server with --user-agent-policy off";

/** Responds to a request before the edge sees it; undefined leaves it to the edge. */
export type Intercept = (request: Request, target: Target) => Promise<Response> | undefined;

/** A server that also handles requests of its own process. */
export interface Serving extends RunningServer {
  /** The URL by which this machine reaches it, also if it listens on all addresses. */
  localUrl: string;
  /** Responds to a request without the socket. */
  handle(request: Request): Promise<Response>;
}

/** Binds the address of the settings and serves. Throws if it cannot be bound. */
export function serve(deps: ServerDeps, intercept?: Intercept): Serving {
  let edge: ReturnType<typeof createEdge>;
  const server = listen(deps.settings, deps.log, (port) => {
    edge = createEdge(deps, port);
    return async (request, target) => intercept?.(request, target) ?? edge(request, target);
  });
  deps.fetcher.setOwnPort(server.port);
  const stopUpkeep = startUpkeep(deps);
  deps.log.info("started", { version: VERSION, url: server.url });
  return {
    ...server,
    localUrl: urlOf({ host: LOOPBACK_OF[deps.settings.host] ?? deps.settings.host, port: server.port }),
    handle(request) {
      request.headers.set("Host", new URL(server.url).host);
      return edge(request);
    },
    stop(graceMs) {
      deps.log.info("stopping");
      stopUpkeep();
      deps.changes.close();
      deps.promptRuns.close();
      return server.stop(graceMs);
    },
  };
}

/**
 * The edge of a server bound to `port`: Host, User-Agent, path, method; then the operation's own checks
 * (http/checks.ts).
 *
 * @testOnly
 */
export function createEdge(
  deps: ServerDeps,
  port: number,
): (request: Request, target?: Target) => Promise<Response> {
  const { settings, clock, log, metrics } = deps;
  const checkHost = createHostCheck({ ...settings, port });
  const checksUserAgent = settings.userAgentPolicy === "strict";
  const edge = edgeOf(deps, port);
  const router = createRouter(edge, deps);

  const startExchange = createExchanges(clock, (exchange) => {
    logRequest(log, exchange);
    metrics?.observeRequest(exchange);
  });

  const respond = async (request: Request, target: Target, exchange: Exchange): Promise<Response> => {
    const { path, isRewritten } = target;
    try {
      checkHost(request.headers);
      if (checksUserAgent && isApiPath(path) && isRejectedUserAgent(request.headers.get("user-agent"))) {
        log.warn(USER_AGENT_ADVICE, {
          // The name of a library; what follows it may be anything.
          userAgent: (request.headers.get("user-agent") ?? "").split(/[/ ]/, 1)[0],
          requestId: exchange.id,
        });
        return userAgentRejection(exchange);
      }
      if (isRewritten) throw unknownPath();
      return await router.handle(bindExchange(routable(request), exchange));
    } catch (error) {
      return rejectRequest(edge, { exchange, path }, error);
    }
  };
  return async (request, target = targetOf(request)) => {
    const exchange = startExchange(request);
    const response = await respond(request, target, exchange);
    response.headers.set("X-Request-Id", exchange.id);
    // The runtime sends Date with every response except those to HEAD.
    if (request.method === "HEAD") response.headers.set("Date", new Date(clock.now()).toUTCString());
    exchange.responded(response);
    return response;
  };
}

function edgeOf(deps: ServerDeps, port: number): Edge {
  const { settings, store, clock, log, credentials, consoleSessions, jobs, changes, storage } = deps;
  const { activityLog, bodyThread, following } = deps;
  const { rateLimitRead: read, rateLimitWrite: write, rateLimitScrape: scrape } = settings;
  return {
    store,
    clock,
    log,
    credentials,
    consoleSessions,
    jobs,
    changes,
    activityLog,
    storage,
    following,
    bodyThread,
    bodyRoom: openBodyRoom(),
    baseUrl: settings.baseUrl ?? urlOf({ ...settings, port }),
    limiter: createRateLimiter({ read, write, scrape }, clock),
    inFlight: new Set(),
    queues: openQueues(),
    turns: openTurns(clock),
  };
}

function createRouter(edge: Edge, deps: ServerDeps) {
  return new Elysia({ strictPath: true })
    .use(pagesPlugin(edge, "health", { "/health": () => healthReply(deps) }))
    .use(pagesPlugin(edge, "metrics", metricsPages(deps, edge.baseUrl)))
    .use(pagesPlugin(edge, "well-known", wellKnownPages(deps, edge.baseUrl)))
    .use(pagesPlugin(edge, "openapi", openApiPages(DESCRIBED, edge.baseUrl)))
    .use(redirectPlugin(edge, ["/", "/console"], "/console/"))
    .use(pagesPlugin(edge, "console", consolePages()))
    .use(operationsPlugin(edge, { name: "console-api", operations: consoleApi }, deps))
    .use(operationsPlugin(edge, { name: "manifest", operations: manifestOperations }, deps))
    .use(operationsPlugin(edge, { name: "identity", operations: identityOperations }, deps))
    .use(operationsPlugin(edge, { name: "prompts", operations: promptOperations }, deps))
    .use(operationsPlugin(edge, { name: "collections", operations: collectionOperations }, deps))
    .use(operationsPlugin(edge, { name: "documents", operations: documentOperations }, deps))
    .use(operationsPlugin(edge, { name: "scraping", operations: scrapingOperations }, deps))
    .use(operationsPlugin(edge, { name: "coordination", operations: coordinationOperations }, deps))
    .use(operationsPlugin(edge, { name: "chunks", operations: chunkOperations }, deps))
    .use(operationsPlugin(edge, { name: "search", operations: searchOperations }, deps))
    .use(operationsPlugin(edge, { name: "reason", operations: reasonOperations }, deps))
    .use(
      postPlugin(
        edge,
        "/mcp",
        mcpEndpoint(edge, operationsOf(edge, [...OPERATIONS, ...consoleApi], deps), deps.mcp),
      ),
    )
    .use(postPlugin(edge, "/register", async (_request, _query, exchange) => rejectRegistration(exchange)))
    .use(fallbackPlugin(edge));
}
