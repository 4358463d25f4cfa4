// If-Match and If-None-Match: parsed here, evaluated by the rules of the resource.

import { type TObject, Type } from "@sinclair/typebox";
import { badRequest } from "../kernel/errors.ts";
import type { TagCondition, WriteConditions } from "../kernel/write-conditions.ts";

/** What separates list elements; empty elements are allowed (RFC 9110, 5.6.1). */
const SEPARATORS = /[\t ,]*/y;
const ENTITY_TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/y;

/** Parses a condition header; undefined if it is absent. Throws `bad-request` if it is not a list of entity tags. */
function parseTagCondition(headers: Headers, name: "If-Match" | "If-None-Match"): TagCondition | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (value.trim() === "*") return "*";
  const tags: { tag: string; weak: boolean }[] = [];
  for (let at = endOf(SEPARATORS, value, 0); at < value.length; at = endOf(SEPARATORS, value, at)) {
    ENTITY_TAG.lastIndex = at;
    const [text, weak, tag] = ENTITY_TAG.exec(value) ?? [];
    if (text === undefined || tag === undefined) {
      throw badRequest({ path: name, message: "must be a list of quoted entity tags, or *" });
    }
    tags.push({ tag, weak: weak !== undefined });
    at += text.length;
  }
  if (tags.length === 0) throw badRequest({ path: name, message: "must not be empty" });
  return tags;
}

/** The end of the match of a sticky pattern at `at`. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** A list of entity tags, or `*`, as clients should send it; the parser also accepts empty list members. */
const SENT_TAG = '(W/)?"[!#-~\\u0080-\\u00ff]*"';
const ENTITY_TAG_LIST = `^(\\*|${SENT_TAG}( *, *${SENT_TAG})*)$`;

const ifMatch = Type.String({
  pattern: ENTITY_TAG_LIST,
  description:
    "The ETag of the revision that the request applies to, in double quotes. A list of ETags, or `*` for any revision, " +
    "is also accepted. If it does not match, the response is 412.",
  examples: ['"1f0d7a2b9c"'],
});

/** The header shapes of writes that honour If-Match, and of those that require it. */
export const ifMatchHeader: TObject = Type.Object({ "If-Match": Type.Optional(ifMatch) });
export const ifMatchNeeded: TObject = Type.Object({ "If-Match": ifMatch });
/** The header shape of reads that can return 304. */
export const ifNoneMatchHeader: TObject = Type.Object({
  "If-None-Match": Type.Optional(
    Type.String({
      pattern: ENTITY_TAG_LIST,
      description: "An ETag that the caller already has. If it is still current, the response is 304.",
    }),
  ),
});

/** Reads the condition headers of a write. Throws `bad-request` for an If-Match that is not a list of entity tags. */
export function readConditions(headers: Headers): WriteConditions {
  const text = (name: string) => headers.get(name) ?? undefined;
  return {
    ifMatch: parseTagCondition(headers, "If-Match"),
    idempotencyKey: text("Idempotency-Key"),
    leaseId: text("X-Service-Lease-Id"),
    fence: text("X-Service-Lease-Fence"),
  };
}

/** True if If-None-Match names this state (weak comparison): the caller has it. Throws `bad-request`. */
export function isNotModified(headers: Headers, etag: string): boolean {
  const condition = parseTagCondition(headers, "If-None-Match");
  if (condition === undefined) return false;
  return condition === "*" || condition.some(({ tag }) => tag === etag);
}
