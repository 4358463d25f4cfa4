// A progress bar on stderr: only on a terminal, redrawn at most ten times a second.

import { systemClock } from "../kernel/clock.ts";

export interface Progress {
  /** Counts one finished item. */
  step(): void;
  /** Replaces the numbers, for work that is measured elsewhere. */
  set(done: number, total: number): void;
  /** Removes the bar. */
  end(): void;
}

const REDRAW_MS = 100;
const BAR_CHARACTERS = 24;

/** Shows progress over `total` items. `noun` names them, such as `files`. */
export function showProgress(noun: string, total: number): Progress {
  const isShown = process.stderr.isTTY === true && total > 0;
  const startedAt = systemClock.monotonic();
  let [done, all, drawnAt] = [0, total, Number.NEGATIVE_INFINITY];
  const draw = () => {
    const now = systemClock.monotonic();
    if (!isShown || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    process.stderr.write(`\r\x1b[K${progressLine(noun, { done, total: all, elapsedMs: now - startedAt })}`);
  };
  return {
    step() {
      done++;
      draw();
    },
    set(nowDone, nowTotal) {
      [done, all] = [nowDone, nowTotal];
      draw();
    },
    end() {
      if (isShown) process.stderr.write("\r\x1b[K");
    },
  };
}

/**
 * `[######------] 120/2,000 files  240/s  0:08 left`
 *
 * @testOnly
 */
export function progressLine(
  noun: string,
  { done, total, elapsedMs }: { done: number; total: number; elapsedMs: number },
): string {
  const filled = Math.round((BAR_CHARACTERS * Math.min(done, total)) / Math.max(1, total));
  const bar = "#".repeat(filled) + "-".repeat(BAR_CHARACTERS - filled);
  const perSecond = done / Math.max(0.001, elapsedMs / 1_000);
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined;
  const rate = perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1);
  const time =
    left === undefined ? "" : `  ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
  const number = (value: number) => value.toLocaleString("en");
  return `[${bar}] ${number(done)}/${number(total)} ${noun}  ${rate}/s${time}`;
}
