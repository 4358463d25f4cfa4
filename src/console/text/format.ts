// Numbers, times and texts as people read them.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The current time, epoch ms. The only place of the console that reads the clock. */
export const now = () => Date.now();

/** `5 minutes ago`, or a date for what is older than a week. */
export function ago(at: number, reference = now()): string {
  const ms = at - reference;
  const size = Math.abs(ms);
  if (size < MINUTE) return ms > 0 ? "in a moment" : "just now";
  if (size < HOUR) return relative.format(Math.round(ms / MINUTE), "minute");
  if (size < DAY) return relative.format(Math.round(ms / HOUR), "hour");
  if (size < 7 * DAY) return relative.format(Math.round(ms / DAY), "day");
  return exact.format(at);
}

const ofDay = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The time of a day with its seconds, in the form of the user's country. */
export const timeOfDay = (at: number) => ofDay.format(at);

/** The date and time in the form of the user's country. */
export const dateTime = (at: number) => exact.format(at);

/** `15 ms`, `1.4 s`. */
export const duration = (ms: number) =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** `1.4 MB`. */
export function bytes(count: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, unit] = [count, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** `1 document`, `12 documents`. */
export const plural = (count: number, noun: string) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** A hue in degrees, always the same for the same name (FNV-1a over UTF-16 units). */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % 360;
}

/** Tags as they are typed: separated by commas. */
export const parseTags = (text: string) =>
  [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");

/** Shorter words are marked only if the query has no longer ones: they are mostly articles and prepositions. */
const MIN_MARKED_LETTERS = 4;
const MAX_MARKED_WORDS = 50;

/** A text in pieces, of which every second one starts with a word of the query. */
export function highlight(text: string, query: string): string[] {
  const words: string[] = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  const long = words.filter((word) => word.length >= MIN_MARKED_LETTERS);
  const marked = [...new Set(long.length > 0 ? long : words)].slice(0, MAX_MARKED_WORDS);
  if (marked.length === 0) return [text];
  const longestFirst = marked.sort((a, b) => b.length - a.length).join("|");
  // Scripts without spaces between words have no starts of words.
  return text.split(
    new RegExp(`((?<![\\p{Script=Latin}\\p{N}])(?:${longestFirst})[\\p{Script=Latin}\\p{N}]*)`, "giu"),
  );
}

const RIGHT_TO_LEFT =
  /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/**
 * The direction of a text that is edited, by its first letter. Chromium needs minutes for `dir="auto"` in a text area
 * with a megabyte of lines.
 */
export function directionOf(text: string): "ltr" | "rtl" {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}
