// The log: one line per event, to stderr, as text or JSON. Callers must not pass headers, bodies, keys or the query of a
// URL, so that no secret is logged.

import type { Clock } from "./clock.ts";

/** In order of severity. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "text" | "json";

/** Logs an event with some facts about it, one function per level. */
export type Log = Record<LogLevel, (message: string, facts?: Record<string, unknown>) => void>;

/** How events are logged. */
export interface LogOptions {
  level: LogLevel;
  format: LogFormat;
  clock: Clock;
  /** Writes a line, which ends in a newline; to stderr by default. */
  write?: (line: string) => void;
}

/** A log of the events of at least `level`. Control characters are escaped. */
export function createLog({ level, format, clock, write = writeToStderr }: LogOptions): Log {
  const line =
    (at: LogLevel) =>
    (message: string, facts: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(at) < LOG_LEVELS.indexOf(level)) return;
      const time = new Date(clock.now()).toISOString();
      if (format === "json") return write(`${JSON.stringify({ time, level: at, message, ...facts })}\n`);
      const tail = Object.entries(facts).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
      write(`${time} ${at} ${message}${tail.join("")}\n`);
    };
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
