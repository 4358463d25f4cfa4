// If-Match and If-None-Match: parsed here, decided by the rules of the resource.

import { badRequest, reasoned } from "../kernel/errors.ts";

/** What a condition header names: anything, or one of a list of entity tags (weak ones marked). */
export type TagCondition = "*" | { tag: string; weak: boolean }[];

const ENTITY_TAG = /\s*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/** Parses a condition header; undefined when it is absent. Throws `bad-request` when it is not a list of entity tags. */
export function parseTagCondition(
  headers: Headers,
  name: "If-Match" | "If-None-Match",
): TagCondition | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (value.trim() === "*") return "*";
  const tags: { tag: string; weak: boolean }[] = [];
  ENTITY_TAG.lastIndex = 0;
  while (ENTITY_TAG.lastIndex < value.length) {
    const match = ENTITY_TAG.exec(value);
    if (!match) throw badRequest({ path: name, message: "must be a list of quoted entity tags, or *" });
    tags.push({ tag: match[2], weak: match[1] !== undefined });
  }
  if (tags.length === 0) throw badRequest({ path: name, message: "must not be empty" });
  return tags;
}

/** Throws `precondition-failed` when If-Match names other states than `etag`. Weak tags never match (RFC 9110, 13.1.1). */
export function requireMatch(headers: Headers, etag: string): void {
  const condition = parseTagCondition(headers, "If-Match");
  if (condition === undefined || condition === "*") return;
  if (condition.some(({ tag, weak }) => !weak && tag === etag)) return;
  throw reasoned(
    "precondition-failed",
    "REVISION_MISMATCH",
    "the record has changed: read it again and use its ETag",
  );
}

/** True when If-None-Match says that the caller has this state already (weak comparison). */
export function isNotModified(headers: Headers, etag: string): boolean {
  const condition = parseTagCondition(headers, "If-None-Match");
  if (condition === undefined) return false;
  return condition === "*" || condition.some(({ tag }) => tag === etag);
}
