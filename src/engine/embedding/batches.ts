// Groups windows into model runs: windows of similar length together, in runs short enough that a waiting query is not
// delayed noticeably. Pure; it must not know the model or the clock.

/** Larger runs are slower per token (measured: 512 padded tokens, 28 tokens/ms; 1,024: 25). */
const MAX_PADDED_TOKENS = 512;

/** A run can always contain one whole window. */
const MIN_PADDED_TOKENS = 256;

/** Target duration of a run: a query that waits for it and its own run together take far less than 100 ms. */
const TARGET_RUN_MS = 60;

/** Padding is accepted while it costs less than another run (the time of about 16 tokens), or up to a tenth of the run. */
const FREE_PADDING_TOKENS = 16;
const PADDING_SHARE = 0.1;

/** Smaller runs measure the cost of a call rather than the cost of a token, and are not counted. */
const MIN_MEASURED_TOKENS = 128;

/** Weight of one run in the moving average. */
const LEARNING_RATE = 0.3;

/**
 * The end (exclusive) of the batch that starts at `start` of `lengths`, which are in ascending order. All windows are padded
 * to the longest one: count × length is at most `maxPaddedTokens`, except for a single longer window.
 */
export function batchEnd(lengths: readonly number[], start: number, maxPaddedTokens: number): number {
  let end = start + 1;
  let tokens = lengths[start]!;
  while (end < lengths.length) {
    const length = lengths[end]!;
    const padded = (end - start + 1) * length;
    tokens += length;
    if (padded > maxPaddedTokens) break;
    if (padded - tokens > Math.max(FREE_PADDING_TOKENS, padded * PADDING_SHARE)) break;
    end += 1;
  }
  return end;
}

export interface Pace {
  /** Maximum number of padded tokens of the next run. */
  budget(): number;
  /** Records the duration of a run. */
  record(paddedTokens: number, elapsedMs: number): void;
}

/** Estimates this machine's speed from its runs, and shortens them if 512 tokens would take longer than 60 ms. */
export function createPace(): Pace {
  let msPerToken: number | undefined;
  return {
    budget() {
      const affordable = Math.floor(TARGET_RUN_MS / (msPerToken ?? 0));
      return Math.min(MAX_PADDED_TOKENS, Math.max(MIN_PADDED_TOKENS, affordable));
    },
    record(paddedTokens, elapsedMs) {
      if (paddedTokens < MIN_MEASURED_TOKENS) return;
      const measured = elapsedMs / paddedTokens;
      msPerToken = msPerToken === undefined ? measured : msPerToken + LEARNING_RATE * (measured - msPerToken);
    },
  };
}
