// Sends the requests of the streams at their rates, and records how long each took.

import type { Stream } from "./streams.ts";

interface Served {
  stream: string;
  /** Since the start, ms. */
  at: number;
  ms: number;
}

export interface Paced {
  served: Served[];
  /** The first messages of failed requests; `failures` is their number. */
  errors: string[];
  failures: number;
  /** Turns that were left out because too many requests were unanswered. */
  skipped: number;
}

const MAX_IN_FLIGHT = 64;
const MAX_ERRORS = 10;

/** Starts the streams; `finished` resolves when the last request after `durationMs` is answered. */
export function pace(
  streams: readonly Stream[],
  durationMs: number,
): { paced: Paced; finished: Promise<unknown> } {
  const paced: Paced = { served: [], errors: [], failures: 0, skipped: 0 };
  const startedAt = performance.now();
  const sinceStart = () => performance.now() - startedAt;
  const inFlight = new Set<Promise<void>>();

  const send = async ({ name, run }: Stream) => {
    const at = sinceStart();
    try {
      await run();
      paced.served.push({ stream: name, at, ms: sinceStart() - at });
    } catch (error) {
      paced.failures++;
      if (paced.errors.length < MAX_ERRORS) paced.errors.push(`${name}: ${error}`);
    }
  };
  const runStream = async (stream: Stream, index: number, count: number) => {
    const intervalMs = 60_000 / stream.perMinute;
    // Not all at once.
    let next = (intervalMs * (index + 1)) / (count + 1);
    for (; next < durationMs; next += intervalMs) {
      await Bun.sleep(Math.max(0, next - sinceStart()));
      if (inFlight.size >= MAX_IN_FLIGHT) {
        paced.skipped++;
        continue;
      }
      const sent = send(stream).finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    }
  };
  const finished = Promise.all(streams.map((stream, index) => runStream(stream, index, streams.length))).then(
    () => Promise.all(inFlight),
  );
  return { paced, finished };
}
