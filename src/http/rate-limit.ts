// Rate limits: an exact sliding window for each user and tier. No span of 60 seconds holds more than the limit. Time is
// monotonic; the log of each user is bounded by the limit, and dropped when it is empty.

import type { Clock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";

const TIERS = ["read", "write", "scrape"] as const;
export type Tier = (typeof TIERS)[number];

/** @testOnly */
export const WINDOW_MS = 60_000;
/** What the headers say when a limit is off. */
const UNLIMITED = 1_000_000;
/** How often users who have gone quiet are forgotten. */
const SWEEP_EVERY = 1_000;

/** How a user stands in a tier. */
export interface Standing {
  limit: number;
  remaining: number;
  /** Until the oldest counted request leaves the window; 0 when none is counted. */
  resetInMs: number;
}

export interface RateLimiter {
  /** Counts a request. Throws `rate-limited`, counting nothing, when the window is full. */
  take(userId: string, tier: Tier): void;
  /** How things stand, counting nothing. */
  standing(userId: string, tier: Tier): Standing;
  /** Users remembered now: bounded by those who called in the last minute. */
  readonly size: number;
}

export function createRateLimiter(limits: Record<Tier, number>, clock: Clock): RateLimiter {
  /** Monotonic moments of counted requests, oldest first. */
  const logs = new Map<string, number[]>();
  let takes = 0;

  const trim = (key: string): number[] => {
    const log = logs.get(key);
    if (!log) return [];
    const since = clock.monotonic() - WINDOW_MS;
    const gone = log.findIndex((at) => at > since);
    if (gone === -1) logs.delete(key);
    else if (gone > 0) log.splice(0, gone);
    return gone === -1 ? [] : log;
  };

  const standing = (userId: string, tier: Tier): Standing => {
    const limit = limits[tier];
    if (limit === 0) return { limit: UNLIMITED, remaining: UNLIMITED, resetInMs: 0 };
    const log = trim(`${tier} ${userId}`);
    const resetInMs = log.length === 0 ? 0 : log[0] + WINDOW_MS - clock.monotonic();
    return { limit, remaining: limit - log.length, resetInMs };
  };

  return {
    take(userId, tier) {
      if (limits[tier] === 0) return;
      if (++takes % SWEEP_EVERY === 0) for (const key of [...logs.keys()]) trim(key);
      const key = `${tier} ${userId}`;
      const log = trim(key);
      if (log.length >= limits[tier]) {
        throw new Failure("rate-limited", `more than ${limits[tier]} ${tier} requests in a minute`);
      }
      if (log.length === 0) logs.set(key, [clock.monotonic()]);
      else log.push(clock.monotonic());
    },
    standing,
    get size() {
      return logs.size;
    },
  };
}

/** The six headers of every answer after authentication; times are ISO 8601. */
export function rateLimitHeaders(
  { limit, remaining, resetInMs }: Standing,
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

/** Seconds until a slot is free: at least 1. */
export function retryAfter({ resetInMs }: Standing): string {
  return String(Math.max(1, Math.ceil(resetInMs / 1000)));
}
