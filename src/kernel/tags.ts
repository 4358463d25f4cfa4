// Tags: arrays of strings in bodies, a comma-separated list that all must match in filters. Their spelling is stored as
// sent; they are compared by their canonical form (NFC), so that both spellings of "Café" are one tag.

import type { FieldProblem } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { utf8Length, normalized } from "./text.ts";

/** Trims tags and drops later duplicates; retains order, case and spelling. The input has passed `tagProblems`. */
export function normalizeTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags.map((text) => text.trim())) {
    const key = tagKey(tag);
    if (!byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}

/** What is wrong with a list of tags to be stored. */
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

/**
 * The `tags` query parameter: comma-separated, trimmed, empty segments dropped, in canonical form and sorted, so that
 * equal filters are equal lists. Absent or empty: no filter.
 */
export function parseTagFilter(text: string | undefined): string[] {
  const tags = (text ?? "").split(",").map((tag) => tagKey(tag.trim()));
  return [...new Set(tags)].filter((tag) => tag !== "").sort();
}

/** The canonical form (NFC) by which a tag is compared. */
export const tagKey = (tag: string) => normalized(tag, "NFC");
