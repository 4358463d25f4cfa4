// The log: one line per event, as text or JSON. Callers must not pass headers, bodies, keys, paths as sent or the query
// of a URL, so that no secret is logged.

import type { Clock } from "./clock.ts";

/** In order of severity. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "text" | "json";

/** Logs an event with some facts about it, one function per level. */
export type Log = Record<LogLevel, (message: string, facts?: Facts) => void>;
/** Facts that are undefined are left out. */
type Facts = Record<string, unknown>;

/** How events are logged. */
export interface LogOptions {
  level: LogLevel;
  format: LogFormat;
  clock: Clock;
  /** Writes a line, which ends in a newline. */
  write: (line: string) => void;
}

const MAX_FACT_CHARACTERS = 2_000;
/** Characters that could start a line, control a terminal or reverse the order of the text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const ALL_CONTROL = new RegExp(CONTROL, "g");
/** Values that need no quotes in the text format. */
const PLAIN = /^[\w./:@+-]+$/;

/** A log of the events of at least `level`. Control characters are escaped; long facts are cut at 2,000 characters. */
export function createLog({ level, format, clock, write }: LogOptions): Log {
  const lineOf = format === "json" ? jsonLine : textLine;
  const logger = (at: LogLevel) => {
    if (LOG_LEVELS.indexOf(at) < LOG_LEVELS.indexOf(level)) return () => {};
    return (message: string, facts: Facts = {}) => {
      const time = new Date(clock.now()).toISOString();
      write(`${escapeControl(lineOf({ time, level: at, message }, cutLongFacts(facts)))}\n`);
    };
  };
  return { debug: logger("debug"), info: logger("info"), warn: logger("warn"), error: logger("error") };
}

interface Event {
  time: string;
  level: LogLevel;
  message: string;
}

function jsonLine(event: Event, facts: Facts): string {
  return JSON.stringify(Object.assign(event, facts));
}

function textLine({ time, level, message }: Event, facts: Facts): string {
  let line = `${time} ${level.padEnd(5)} ${message}`;
  for (const [name, value] of Object.entries(facts)) {
    if (value !== undefined)
      line += ` ${name}=${typeof value === "string" && PLAIN.test(value) ? value : JSON.stringify(value)}`;
  }
  return line;
}

/** Changes nothing in almost all cases, which is faster than a replacer of JSON.stringify. */
function cutLongFacts(facts: Facts): Facts {
  for (const name in facts) {
    const value = facts[name];
    if (typeof value === "string" && value.length > MAX_FACT_CHARACTERS)
      return cutLongFacts({ ...facts, [name]: `${value.slice(0, MAX_FACT_CHARACTERS - 1)}…` });
  }
  return facts;
}

function escapeControl(line: string): string {
  if (!CONTROL.test(line)) return line;
  return line.replaceAll(
    ALL_CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
