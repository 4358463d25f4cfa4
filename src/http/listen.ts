// The socket: binds an address, passes each request to the edge, and stops without cutting off responses.

import http from "node:http";
import { messageOf } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Log } from "../kernel/log.ts";
import { errorReply } from "./errors.ts";
import { plainResponse } from "./respond.ts";
import { type Target, targetRoutes } from "./target.ts";

/** Maximum time for one response: a refresh or a cited answer may take a minute. */
const RESPONSE_TIMEOUT_S = 240;
/** A connection without a request is closed after this. */
const IDLE_TIMEOUT_S = 30;

/** A server that is bound to an address. */
export interface RunningServer {
  port: number;
  url: string;
  /** Stops accepting, waits at most `graceMs` for the requests in flight, then closes all connections. */
  stop(graceMs: number): Promise<void>;
}

/** The address to bind; port 0 selects any free port. */
export interface Address {
  host: string;
  port: number;
}

type RequestHandler = (request: Request, target: Target) => Promise<Response>;

/** Binds and serves. `createHandler` receives the bound port. Throws if the address cannot be bound. */
export function listen(
  { host, port }: Address,
  log: Log,
  createHandler: (port: number) => RequestHandler,
): RunningServer {
  // The runtime's limit of 16 kB would reject a long query in a non-Latin script. Bun.serve reads this value.
  (http as { maxHeaderSize: number }).maxHeaderSize = LIMITS.headers.bytes;
  let handle: RequestHandler;
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_TIMEOUT_S,
    // In development mode the runtime prints errors of streamed bodies, which are logged already.
    development: false,
    // Otherwise `development: false` would let a second server bind the same port.
    reusePort: false,
    // Our limit is checked after authentication; the runtime would send a 413 without a body before it.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: targetRoutes((request, target, self) => {
      self.timeout(request, RESPONSE_TIMEOUT_S);
      return handle(request, target);
    }),
    error(error) {
      log.error("request failed", { reason: messageOf(error) });
      return plainResponse(undefined, errorReply(error));
    },
  });
  const boundPort = server.port!;
  handle = createHandler(boundPort);
  return {
    port: boundPort,
    url: urlOf({ host, port: boundPort }),
    async stop(graceMs) {
      const drained = server.stop();
      await Promise.race([drained, Bun.sleep(graceMs)]);
      await server.stop(true);
    },
  };
}

/** The URL of an address; an IPv6 address is put in brackets. */
export function urlOf({ host, port }: Address): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}
