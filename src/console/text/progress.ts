// How far work has come and how long it still takes, from the numbers that were left at some moments.

/** What was left at a moment (epoch ms). */
export interface Sample {
  at: number;
  left: number;
}

export interface Progress {
  samples: readonly Sample[];
  /** What was done since the work began, and all that was to be done. */
  done: number;
  total: number;
}

/** The rate is that of this time, because later records may be larger. */
const WINDOW_MS = 60_000;
/** Shorter times and fewer records say nothing yet. */
const MIN_WINDOW_MS = 5_000;
const MIN_DONE = 3;
/** Of a page that is read at each event. */
const MAX_SAMPLES = 60;

/** Progress with one more sample; undefined when nothing is left. What is added meanwhile makes the total larger. */
export function advance(before: Progress | undefined, sample: Sample): Progress | undefined {
  const { at, left } = sample;
  if (left === 0) return undefined;
  const last = before?.samples.at(-1);
  if (!before || !last) return { samples: [sample], done: 0, total: left };
  const done = before.done + Math.max(0, last.left - left);
  const recent = before.samples.filter((one) => one.at > at - WINDOW_MS).slice(1 - MAX_SAMPLES);
  return { samples: [...recent, sample], done, total: done + left };
}

/** How many were done in a second; undefined while that is unknown. */
export function rateOf({ samples }: Progress): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS) return undefined;
  const done = samples.reduce(
    (sum, { left }, index) => sum + Math.max(0, (samples[index - 1]?.left ?? left) - left),
    0,
  );
  return done < MIN_DONE ? undefined : (1_000 * done) / (last.at - first.at);
}

/** `about 4 minutes left`, for seconds. */
export function timeLeft(seconds: number): string {
  if (seconds < 10) return "a few seconds left";
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds left`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 90) return `about ${minutes === 1 ? "a minute" : `${minutes} minutes`} left`;
  return `about ${Math.round(minutes / 60)} hours left`;
}
