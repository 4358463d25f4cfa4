// The operators of a search query: "exact phrase", -word, tag:, path:, title:, in:, after: and before:. Must run in a
// browser, too. What an operator selects is in src/retrieval/search/conditions.ts.

import { badRequest } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { normalized } from "./text.ts";

/** What the results of a search must fulfil, or must not if it is excluded. */
export interface Condition {
  kind: "phrase" | "tag" | "path" | "title" | "in" | "after" | "before";
  /** A day as `2026-01-31` for `after` and `before`. */
  value: string;
  isExcluded: boolean;
}

export interface SearchSyntax {
  /**
   * What is searched by meaning and words: the query itself if it has no operators, else its other words and its
   * phrases.
   */
  text: string;
  /** The texts between the operators, without phrases. */
  runs: string[];
  conditions: Condition[];
  /** Operators whose value cannot be read. They are part of the text. */
  unread: string[];
}

/** A token between spaces: an optional `-`, an optional operator, and a value with or without quotes. */
const TOKEN = /(?<!\S)(-?)(?:(tag|path|title|in|after|before):)?(?:"([^"]+)"|([^\s"]\S*))(?!\S)/gu;
const UNREAD = /^-?(tag|path|title|in|after|before):/;
/** What `-` excludes without quotes: not `-1`, `--flag` or `-/path`. */
const WORD = /^\p{L}[\p{L}\p{M}\p{N}'’_.-]*$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads a query as readSearch does. Throws `bad-request`, naming `argument`, if it has more than
 * LIMITS.query.operators.
 */
export function parseSearch(query: string, argument: string): SearchSyntax {
  const syntax = readSearch(query);
  const maximum = LIMITS.query.operators;
  if (syntax.conditions.length <= maximum) return syntax;
  throw badRequest({ path: argument, message: `must have at most ${maximum} operators and phrases` });
}

/**
 * Reads the operators of a query; see docs/search-syntax.md. What looks like an operator but cannot be read is text.
 */
export function readSearch(query: string): SearchSyntax {
  const texts: string[] = [];
  const runs: string[] = [];
  const conditions: Condition[] = [];
  const unread: string[] = [];
  let end = 0;
  const addRun = (start: number) => {
    const run = query.slice(end, start).trim();
    if (run === "") return;
    texts.push(run);
    runs.push(run);
  };
  for (const match of query.matchAll(TOKEN)) {
    const condition = conditionOf(match);
    if (condition === undefined) {
      if (UNREAD.test(match[0])) unread.push(match[0]);
      continue;
    }
    addRun(match.index);
    end = match.index + match[0].length;
    conditions.push(condition);
    if (condition.kind === "phrase" && !condition.isExcluded) texts.push(condition.value);
  }
  if (conditions.length === 0) return { text: query, runs: [query], conditions, unread };
  addRun(query.length);
  return { text: texts.join(" "), runs, conditions, unread };
}

/** The minimum score of results if the caller names none: a phrase decides by itself what is found. */
export function defaultThreshold({ conditions }: Pick<SearchSyntax, "conditions">): number {
  const hasPhrase = conditions.some(({ kind, isExcluded }) => kind === "phrase" && !isExcluded);
  return hasPhrase ? 0 : LIMITS.search.defaultThreshold;
}

/**
 * What a search for literal text does: the first text between the operators, or else the first phrase, is searched as
 * it is written; the results must also contain all others. Without either, the text is empty and everything contains
 * it.
 */
export function literalSearch({ runs, conditions }: SearchSyntax): { text: string; conditions: Condition[] } {
  const phrase = conditions.find(({ kind, isExcluded }) => kind === "phrase" && !isExcluded);
  const [text = phrase?.value ?? "", ...others] = runs;
  const required = others.map((value): Condition => ({ kind: "phrase", value, isExcluded: false }));
  return { text, conditions: [...conditions, ...required] };
}

function conditionOf([, minus, name, quoted, bare]: RegExpExecArray): Condition | undefined {
  const isExcluded = minus === "-";
  const value = normalized(quoted ?? bare ?? "", "NFC").trim();
  switch (name) {
    case undefined: {
      const isTerm = quoted === undefined ? isExcluded && WORD.test(value) : /[\p{L}\p{N}]/u.test(value);
      return isTerm ? { kind: "phrase", value, isExcluded } : undefined;
    }
    case "after":
    case "before":
      return isDay(value) && !isExcluded ? { kind: name, value, isExcluded } : undefined;
    default:
      return value === "" ? undefined : { kind: name as Condition["kind"], value, isExcluded };
  }
}

function isDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
