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
/** A shorter bar shows nothing and is left out. */
const MIN_BAR_CHARACTERS = 8;
const DEFAULT_COLUMNS = 80;

/** Whether a bar is on the last line of the terminal. */
let isDrawn = false;

/** Erases the bar, if there is one, so that a message has the line for itself. The next step draws the bar again. */
export function eraseProgress(): void {
  if (isDrawn) process.stderr.write("\r\x1b[K");
  isDrawn = false;
}

/** Shows progress over `total` items. `noun` names them, such as `files`. */
export function showProgress(noun: string, total: number): Progress {
  const isShown = process.stderr.isTTY === true && total > 0;
  const startedAt = systemClock.monotonic();
  let [done, all, drawnAt] = [0, total, Number.NEGATIVE_INFINITY];
  const draw = () => {
    const now = systemClock.monotonic();
    if (!isShown || (isDrawn && now - drawnAt < REDRAW_MS)) return;
    drawnAt = now;
    const columns = process.stderr.columns || DEFAULT_COLUMNS;
    const line = progressLine(noun, { done, total: all, elapsedMs: now - startedAt, columns });
    // The cursor returns to the start of the line, where others that write to the terminal begin.
    process.stderr.write(`\r\x1b[K${line}\r`);
    isDrawn = true;
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
    end: eraseProgress,
  };
}

/**
 * `[######------] 120/2,000 files 240/s 0:08 left`, shorter than a line of the terminal: a longer one would break and
 * could not be erased.
 *
 * @testOnly
 */
export function progressLine(
  noun: string,
  { done, total, elapsedMs, columns }: { done: number; total: number; elapsedMs: number; columns: number },
): string {
  const perSecond = done / Math.max(0.001, elapsedMs / 1_000);
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined;
  const rate = perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1);
  const time =
    left === undefined ? "" : `  ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
  const number = (value: number) => value.toLocaleString("en");
  const text = `${number(done)}/${number(total)} ${noun}  ${rate}/s${time}`.slice(0, columns - 1);
  const width = Math.min(BAR_CHARACTERS, columns - 1 - text.length - "[] ".length);
  if (width < MIN_BAR_CHARACTERS) return text;
  const filled = Math.round((width * Math.min(done, total)) / Math.max(1, total));
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${text}`;
}
