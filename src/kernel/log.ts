// One line for each event, to stderr, as text or JSON. Callers pass what happened and small facts; never a header, a
// body, a key or a URL's query, so that no secret can end up here.

import type { Clock } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "text" | "json";

export type Log = Record<LogLevel, (message: string, facts?: Record<string, unknown>) => void>;

/** Makes a log that writes lines of at least `level` to `write` (stderr by default). Control characters are escaped. */
export function createLog(
  level: LogLevel,
  format: LogFormat,
  clock: Clock,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Log {
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
