// If-Match and If-None-Match: parsed here, decided by the rules of the resource.

import { type TObject, Type } from "@sinclair/typebox";
import { badRequest } from "../kernel/errors.ts";

/** What a condition header names: anything, or one of a list of entity tags (weak ones marked). */
type TagCondition = "*" | { tag: string; weak: boolean }[];

const ENTITY_TAG = /\s*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/** Parses a condition header; undefined when it is absent. Throws `bad-request` when it is not a list of entity tags. */
function parseTagCondition(headers: Headers, name: "If-Match" | "If-None-Match"): TagCondition | undefined {
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

/** A list of entity tags, or `*`, as clients should send it; the parser also accepts empty list members. */
const ENTITY_TAG_LIST = '^(\\*|(W/)?"[^"]*"( *, *(W/)?"[^"]*")*)$';

const ifMatch = Type.String({
  pattern: ENTITY_TAG_LIST,
  description:
    "The ETag of the revision that the request applies to, in double quotes. A list of ETags, or `*` for any revision, " +
    "is also accepted. If it does not match, the response is 412.",
  examples: ['"1f0d7a2b9c"'],
});

/** The header shapes of writes that look at If-Match, and of those that need it. */
export const ifMatchHeader: TObject = Type.Object({ "If-Match": Type.Optional(ifMatch) });
export const ifMatchNeeded: TObject = Type.Object({ "If-Match": ifMatch });
/** The header shape of reads that can answer 304. */
export const ifNoneMatchHeader: TObject = Type.Object({
  "If-None-Match": Type.Optional(
    Type.String({
      pattern: ENTITY_TAG_LIST,
      description: "An ETag that the caller already has. If it is still current, the response is 304.",
    }),
  ),
});

/** The headers that a write's rules look at, as text; If-Match parsed. */
export interface ConditionHeaders {
  ifMatch?: TagCondition;
  idempotencyKey?: string;
  leaseId?: string;
  fence?: string;
}

/** Reads the condition headers of a write. Throws `bad-request` for an If-Match that is no list of entity tags. */
export function readConditions(headers: Headers): ConditionHeaders {
  const text = (name: string) => headers.get(name) ?? undefined;
  return {
    ifMatch: parseTagCondition(headers, "If-Match"),
    idempotencyKey: text("Idempotency-Key"),
    leaseId: text("X-Service-Lease-Id"),
    fence: text("X-Service-Lease-Fence"),
  };
}

/** True when If-None-Match says that the caller has this state already (weak comparison). */
export function isNotModified(headers: Headers, etag: string): boolean {
  const condition = parseTagCondition(headers, "If-None-Match");
  if (condition === undefined) return false;
  return condition === "*" || condition.some(({ tag }) => tag === etag);
}
