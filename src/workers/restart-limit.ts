// Back-off for restarts: limits how often a worker that keeps crashing is started again.

/**
 * Minimum time since the previous start, by the number of starts in the last minute. There are at most five a minute.
 */
const BACK_OFF_MS = [0, 0, 1_000, 4_000, 16_000];
const WINDOW_MS = 60_000;

export interface RestartLimit {
  /** Whether a start is allowed at `nowMs` (monotonic). An allowed start is counted. */
  allows(nowMs: number): boolean;
}

/** A limit that has counted no start yet. */
export function createRestartLimit(): RestartLimit {
  let startedAt: number[] = [];
  return {
    allows(nowMs) {
      startedAt = startedAt.filter((at) => nowMs - at < WINDOW_MS);
      const backOffMs = BACK_OFF_MS[startedAt.length];
      const latest = startedAt.at(-1) ?? Number.NEGATIVE_INFINITY;
      if (backOffMs === undefined || nowMs - latest < backOffMs) return false;
      startedAt.push(nowMs);
      return true;
    },
  };
}
