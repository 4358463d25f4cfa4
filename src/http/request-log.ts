// The log line of each request. Its fields are described in docs/operations.md.

import type { Log } from "../kernel/log.ts";
import { roundedMs, stepFacts } from "../kernel/step-times.ts";
import type { Exchange } from "./exchange.ts";

/** A request that takes this long is logged with the time that each of its steps took. @testOnly */
export const SLOW_MS = 1_000;

/** Paths that monitoring requests all day. */
const QUIET = new Set(["/health", "/metrics"]);

/**
 * Logs a request that has ended: `warn` if it was slow or failed with a 5xx, `debug` for monitoring, otherwise `info`.
 */
export function logRequest(log: Log, exchange: Exchange): void {
  const { id, method, route, status, ms, bytes, caller, isBrokenOff } = exchange;
  const isSlow = ms >= SLOW_MS;
  const facts = {
    method,
    route,
    status,
    ms: roundedMs(ms),
    bytes,
    caller,
    requestId: id,
    ...(isBrokenOff && { brokenOff: true }),
  };
  if (isSlow)
    log.warn("slow request", { ...facts, ...stepFacts(exchange.steps), ...stepFacts(exchange.workers) });
  else if (status >= 500) log.warn("request", facts);
  else if (QUIET.has(route)) log.debug("request", facts);
  else log.info("request", facts);
}
