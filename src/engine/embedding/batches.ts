// How windows of many lengths become model runs: neighbours in length go together, and a run stays short enough that a
// query waiting behind it does not notice. Pure; it knows no model and no clock.

/** Beyond this a run is slower per token, not faster (measured: 512 padded tokens, 28 tokens/ms; 1,024: 25). */
const MAX_PADDED_TOKENS = 512;

/** A run may always hold one whole window. */
const MIN_PADDED_TOKENS = 256;

/** How long a run may take, so that the query behind it and its own run stay far under 100 ms. */
const TARGET_RUN_MS = 60;

/** Padding is worth it while it costs less than starting another run, about 16 tokens' time, or a tenth of the run. */
const FREE_PADDING_TOKENS = 16;
const PADDING_SHARE = 0.1;

/** Runs below this size say more about the cost of a call than about the cost of a token. */
const TELLING_TOKENS = 128;

/** How much one run moves the estimate. */
const LEARNING_RATE = 0.3;

/**
 * The end (exclusive) of the batch that begins at `start` in lengths sorted upwards. All members are padded to the last
 * one's length: count × length stays within `maxPaddedTokens`, except for a single window longer than that.
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
  /** How many padded tokens the next run may hold. */
  budget(): number;
  record(paddedTokens: number, elapsedMs: number): void;
}

/** Learns this machine's speed from its runs, and makes them shorter where 512 tokens would take longer than 60 ms. */
export function createPace(): Pace {
  let msPerToken: number | undefined;
  return {
    budget() {
      const affordable = Math.floor(TARGET_RUN_MS / (msPerToken ?? 0));
      return Math.min(MAX_PADDED_TOKENS, Math.max(MIN_PADDED_TOKENS, affordable));
    },
    record(paddedTokens, elapsedMs) {
      if (paddedTokens < TELLING_TOKENS) return;
      const measured = elapsedMs / paddedTokens;
      msPerToken = msPerToken === undefined ? measured : msPerToken + LEARNING_RATE * (measured - msPerToken);
    },
  };
}
