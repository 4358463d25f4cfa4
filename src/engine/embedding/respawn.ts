// How often a thread that dies may be started again: at once the first time, then later and later, never more than a few
// times a minute. It knows only instants.

/** How long after the latest start the next one may follow, by how many starts the last minute has seen. */
const WAIT_MS = [0, 0, 1_000, 4_000, 16_000];
const WINDOW_MS = 60_000;

export interface RespawnLimit {
  /** True when a start is allowed at this instant (monotonic ms); it is then counted. */
  allows(nowMs: number): boolean;
}

export function createRespawnLimit(): RespawnLimit {
  let startedAt: number[] = [];
  return {
    allows(nowMs) {
      startedAt = startedAt.filter((at) => nowMs - at < WINDOW_MS);
      const wait = WAIT_MS[startedAt.length];
      const latest = startedAt.at(-1) ?? Number.NEGATIVE_INFINITY;
      if (wait === undefined || nowMs - latest < wait) return false;
      startedAt.push(nowMs);
      return true;
    },
  };
}
