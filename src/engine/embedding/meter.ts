// Measures how fast texts are embedded: tokens and busy time of the last minute.

import type { Clock } from "../../kernel/clock.ts";
import type { Embedder } from "./embedder.ts";

const WINDOW_MS = 60_000;
const MAX_CALLS = 1_000;

interface Throughput {
  /** Tokens of passages that were embedded in the last minute. */
  tokens: number;
  /** Tokens per second of the time in which passages were being embedded; 0 if there were none. */
  tokensPerSecond: number;
}

export interface MeteredEmbedder extends Embedder {
  throughput(): Throughput;
}

/** The embedder with a measurement of its passages. */
export function meterEmbedder(embedder: Embedder, clock: Clock): MeteredEmbedder {
  const calls: { startedAt: number; endedAt: number; tokens: number }[] = [];
  return {
    ...embedder,
    async embedPassages(passages, lane) {
      const startedAt = clock.monotonic();
      const embedded = await embedder.embedPassages(passages, lane);
      calls.push({ startedAt, endedAt: clock.monotonic(), tokens: embedded.tokens });
      if (calls.length > MAX_CALLS) calls.shift();
      return embedded;
    },
    throughput() {
      const since = clock.monotonic() - WINDOW_MS;
      const recent = calls.filter(({ endedAt }) => endedAt > since);
      const tokens = recent.reduce((sum, call) => sum + call.tokens, 0);
      let [busyMs, busyUntil] = [0, Number.NEGATIVE_INFINITY];
      // Calls overlap: each counts only from the end of those before it.
      for (const { startedAt, endedAt } of recent.sort((a, b) => a.startedAt - b.startedAt)) {
        busyMs += Math.max(0, endedAt - Math.max(startedAt, busyUntil));
        busyUntil = Math.max(busyUntil, endedAt);
      }
      return { tokens, tokensPerSecond: busyMs === 0 ? 0 : Math.round((tokens * 1000) / busyMs) };
    },
  };
}
