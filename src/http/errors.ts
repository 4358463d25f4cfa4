// The HTTP status of each kind of failure, and the error body, which never contains internal details.

import { STORAGE_MESSAGES, storageProblemOf, storageReason } from "../db/storage-errors.ts";
import { Failure, type FailureKind } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { shorten } from "../kernel/text.ts";
import type { Reply } from "./respond.ts";

const { messageCharacters, problems } = LIMITS.error;

/** The HTTP status of each kind of failure. */
export const STATUS: Record<FailureKind, number> = {
  "bad-request": 400,
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  conflict: 409,
  "precondition-failed": 412,
  "too-large": 413,
  unprocessable: 422,
  "precondition-required": 428,
  "rate-limited": 429,
  unavailable: 500,
  internal: 500,
};

/**
 * The error envelope of a failure. Anything that is not a Failure, and every 500, has a generic message, except for
 * problems of the storage and of the embedding model that people can solve.
 */
export function errorReply(error: unknown): Reply {
  const failure = error instanceof Failure ? error : new Failure("internal", "internal error");
  const code = STATUS[failure.kind];
  if (code === 500) {
    const problem = storageProblemOf(error);
    const message = problem ? STORAGE_MESSAGES[problem] : (failure.publicMessage ?? "internal server error");
    const details = problem && { reason: storageReason(problem) };
    return { status: 500, body: { error: { code, message, details } } };
  }
  const { details, retryAfterS } = failure;
  const message = shorten(failure.message, messageCharacters);
  return {
    status: code,
    ...(retryAfterS !== undefined && { headers: { "Retry-After": String(retryAfterS) } }),
    body: { error: { code, message, ...(details !== undefined && { details: bounded(details) }) } },
  };
}

/**
 * Details without what is too long or too much. Failures bound what they quote; this also holds for one that does not.
 */
function bounded(details: unknown): unknown {
  if (typeof details === "string") return shorten(details, messageCharacters);
  if (typeof details !== "object" || details === null) return details;
  if (Array.isArray(details)) return details.slice(0, problems).map(bounded);
  const members = Object.entries(details).slice(0, problems);
  return Object.fromEntries(members.map(([name, value]) => [name, bounded(value)]));
}
