// Rate limits: an exact sliding window for each user and tier. No span of 60 seconds contains more requests than the
// limit. Time is monotonic; the log of each user is bounded by the limit and deleted when it is empty.

import type { Identity } from "../auth/identity.ts";
import type { Clock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";

const TIERS = ["read", "write", "scrape"] as const;
export type Tier = (typeof TIERS)[number];

/** @testOnly */
export const WINDOW_MS = 60_000;
/** The limit in the headers when a tier is not limited. */
const UNLIMITED = 1_000_000;
/** Number of requests after which the logs of users without recent requests are deleted. */
const SWEEP_INTERVAL = 1_000;

/** A user's window in a tier. */
export interface RateWindow {
  limit: number;
  remaining: number;
  /** Until the oldest counted request leaves the window; 0 when none is counted. */
  resetInMs: number;
}

/** Whose requests are counted. */
type Counted = Pick<Identity, "userId" | "isLocal">;

export interface RateLimiter {
  /**
   * Counts a request, unless the caller is not limited. Throws `rate-limited`, counting nothing, when the window is
   * full.
   */
  take(caller: Counted, tier: Tier): void;
  /** The current window; counts nothing. */
  window(caller: Counted, tier: Tier): RateWindow;
  /** The number of logs in memory: at most one per tier and user with a request in the last minute. */
  readonly size: number;
}

/** Creates the limiter of one server. A limit of 0 turns a tier off. */
export function createRateLimiter(limits: Record<Tier, number>, clock: Clock): RateLimiter {
  /** The monotonic times of counted requests by tier and user, oldest first. */
  const logs = new Map<string, number[]>();
  let requests = 0;

  const trim = (key: string): number[] => {
    const log = logs.get(key);
    if (!log) return [];
    const since = clock.monotonic() - WINDOW_MS;
    const firstInWindow = log.findIndex((at) => at > since);
    if (firstInWindow === -1) {
      logs.delete(key);
      return [];
    }
    log.splice(0, firstInWindow);
    return log;
  };

  const window = ({ userId, isLocal }: Counted, tier: Tier): RateWindow => {
    const limit = limits[tier];
    if (limit === 0 || isLocal) return { limit: UNLIMITED, remaining: UNLIMITED, resetInMs: 0 };
    const log = trim(`${tier} ${userId}`);
    const [oldest] = log;
    const resetInMs = oldest === undefined ? 0 : oldest + WINDOW_MS - clock.monotonic();
    return { limit, remaining: limit - log.length, resetInMs };
  };

  return {
    take({ userId, isLocal }, tier) {
      if (limits[tier] === 0 || isLocal) return;
      if (++requests % SWEEP_INTERVAL === 0) for (const key of [...logs.keys()]) trim(key);
      const key = `${tier} ${userId}`;
      const log = trim(key);
      if (log.length >= limits[tier]) {
        throw new Failure("rate-limited", `more than ${limits[tier]} ${tier} requests in a minute`);
      }
      if (log.length === 0) logs.set(key, [clock.monotonic()]);
      else log.push(clock.monotonic());
    },
    window,
    get size() {
      return logs.size;
    },
  };
}

/** The six headers of every response after authentication; times are ISO 8601. */
export function rateLimitHeaders(
  { limit, remaining, resetInMs }: RateWindow,
  now: number,
): Record<string, string> {
  const values = {
    Limit: String(limit),
    Remaining: String(remaining),
    Reset: new Date(now + Math.ceil(resetInMs)).toISOString(),
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    headers[`RateLimit-${name}`] = value;
    headers[`X-RateLimit-${name}`] = value;
  }
  return headers;
}

/** The value of `Retry-After`: seconds until a request leaves the window, rounded up, at least 1. */
export function retryAfter({ resetInMs }: RateWindow): string {
  return String(Math.max(1, Math.ceil(resetInMs / 1000)));
}
