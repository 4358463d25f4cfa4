// Tags: written as string arrays, read as string arrays, filtered with a comma-separated list that all must match.

import type { FieldProblem } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { utf8Length } from "./text.ts";

/** Trims, drops later duplicates, keeps order and case. The input has passed `tagProblems`. */
export function normalizeTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}

/** What is wrong with a list of tags that somebody wants to store. */
export function tagProblems(tags: readonly string[], path: string): FieldProblem[] {
  if (tags.length > LIMITS.tags.count) return [{ path, message: `at most ${LIMITS.tags.count} tags` }];
  return tags.flatMap((tag, index) => {
    const message =
      tag.trim() === ""
        ? "must not be blank"
        : tag.includes(",")
          ? "must not contain a comma"
          : tag.includes("\0")
            ? "must not contain NUL"
            : utf8Length(tag.trim()) > LIMITS.tags.bytes
              ? `must be at most ${LIMITS.tags.bytes} bytes`
              : undefined;
    return message === undefined ? [] : [{ path: `${path}.${index}`, message }];
  });
}

/** The `tags` query parameter: comma-separated, trimmed, empty segments dropped. Absent or empty: no filter. */
export function parseTagFilter(text: string | undefined): string[] {
  return [...new Set((text ?? "").split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
}
