// The HTTP status of each kind of failure, and the error body, which never contains internal details.

import { STORAGE_MESSAGES, storageProblemOf, storageReason } from "../db/storage-errors.ts";
import { Failure, type FailureKind } from "../kernel/errors.ts";
import type { Reply } from "./respond.ts";

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
 * The error envelope of a failure. Anything that is not a Failure, and every 500, has a generic message, except for problems
 * of the storage and of the embedding model that people can solve.
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
  const { message, details, retryAfterS } = failure;
  return {
    status: code,
    ...(retryAfterS !== undefined && { headers: { "Retry-After": String(retryAfterS) } }),
    body: { error: { code, message, ...(details !== undefined && { details }) } },
  };
}
