// Reads robots.txt (RFC 9309): which paths may be fetched, how fast, and where the sitemaps are. The file is hostile:
// its size and the number of its rules are bounded, and patterns are compared without regular expressions.

import { systemClock } from "../../kernel/clock.ts";

/** What robots.txt says to this program. */
export interface Robots {
  /** Whether a URL may be fetched. */
  allows(url: URL): boolean;
  /** The requested time between two requests, ms; 0 if it names none. */
  delayMs: number;
  sitemaps: string[];
}

/** RFC 9309 wants at least 500 kB to be read. */
const MAX_CHARACTERS = 512 * 1024;
const MAX_RULES = 5_000;
const MAX_PATTERN = 2_048;
const MAX_SITEMAPS = 20;
const MAX_DELAY_MS = 60_000;

interface Rule {
  pattern: string;
  isAllowed: boolean;
}

interface Group {
  agents: string[];
  rules: Rule[];
  delayMs: number;
}

/** Everything is allowed: there is no robots.txt. */
export const NO_ROBOTS: Robots = { allows: () => true, delayMs: 0, sitemaps: [] };
/** Nothing is allowed: robots.txt exists or may exist, but cannot be read (RFC 9309, 2.3.1.4). */
export const UNREADABLE_ROBOTS: Robots = { allows: () => false, delayMs: 0, sitemaps: [] };

/** Reads the text for the crawler with this name; its own groups replace those of `*`. */
export function parseRobots(text: string, agent: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let rules = 0;
  for (const line of text.slice(0, MAX_CHARACTERS).split(/\r\n|\r|\n/)) {
    const [, name = "", value = ""] = /^\s*([a-z-]+)\s*:\s*(.*?)\s*$/i.exec(line.split("#", 1)[0]!) ?? [];
    switch (name.toLowerCase()) {
      case "user-agent":
        if (group === undefined || group.rules.length > 0 || group.delayMs > 0) {
          group = { agents: [], rules: [], delayMs: 0 };
          groups.push(group);
        }
        group.agents.push(value.toLowerCase());
        break;
      case "allow":
      case "disallow":
        // An empty pattern matches nothing.
        if (value === "" || value.length > MAX_PATTERN || ++rules > MAX_RULES) break;
        group?.rules.push({ pattern: value, isAllowed: name.toLowerCase() === "allow" });
        break;
      case "crawl-delay":
        if (group && /^\d{1,6}(\.\d{1,3})?$/.test(value))
          group.delayMs = Math.min(MAX_DELAY_MS, Number(value) * 1_000);
        break;
      case "sitemap":
        if (sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    }
  }
  const named = groups.filter(({ agents }) => agents.includes(agent));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes("*"));
  const all = own.flatMap((one) => one.rules);
  return {
    allows: (url) => isAllowed(all, url.pathname + url.search),
    delayMs: Math.max(0, ...own.map((one) => one.delayMs)),
    sitemaps,
  };
}

/** The longest rule that matches decides; `Allow` if two are equally long. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let [length, allowed] = [-1, true];
  for (const rule of rules) {
    const isLonger = rule.pattern.length > length || (rule.pattern.length === length && rule.isAllowed);
    if (isLonger && matchesStart(path, rule.pattern))
      [length, allowed] = [rule.pattern.length, rule.isAllowed];
  }
  return allowed;
}

/** Whether a path starts with a pattern in which `*` is any text; with `$` at its end it must be the whole path. */
function matchesStart(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of others.entries()) {
    if (isWhole && index === others.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}

/** Whether a text contains a pattern in which `*` is any text. */
export function containsPattern(text: string, pattern: string): boolean {
  let at = 0;
  for (const part of pattern.split("*")) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** Returns a function that waits until `delayMs` have passed since it was last called for a host. */
export function createPacer(signal: AbortSignal): (host: string, delayMs: number) => Promise<void> {
  const nextAt = new Map<string, number>();
  return async (host, delayMs) => {
    const now = systemClock.monotonic();
    const at = Math.max(now, nextAt.get(host) ?? now);
    nextAt.set(host, at + delayMs);
    if (at > now) await systemClock.sleep(at - now, signal);
  };
}
