// Responses and headers that are the same for every operation, as data: error statuses, their meanings, and headers. It
// describes dispatch.ts; test/laws/conformance.test.ts compares the two.

import { type TObject, Type } from "@sinclair/typebox";
import { count, text } from "./answers.ts";
import { IDEMPOTENCY_KEY } from "./idempotency.ts";
import type { Operation } from "./operation.ts";
import { USER_AGENT_REFUSAL } from "./user-agent.ts";

/** The body of every error except the rejection of a User-Agent. */
export const errorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: "The HTTP status." }),
      message: Type.String(),
      details: Type.Optional(
        Type.Union([
          Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
            description: "The invalid fields.",
          }),
          Type.Object(
            { reason: Type.String() },
            { additionalProperties: true, description: "A machine-readable reason." },
          ),
        ]),
      ),
    }),
  },
  { $id: "Error" },
);

/** The plain-text body of a 403 for a missing or generic User-Agent. */
export const userAgentRefusalBody = Type.Literal(USER_AGENT_REFUSAL);

interface ErrorMeaning {
  /** The name of the status in one word. */
  name: string;
  meaning: string;
  example: { message: string; details?: unknown };
}

const reason = (name: string, message: string) => ({
  message: `${name}: ${message}`,
  details: { reason: name },
});

/** Every error status. */
export const ERROR_MEANINGS: Readonly<Record<number, ErrorMeaning>> = {
  400: {
    name: "BadRequest",
    meaning: "A parameter, a header or the body is malformed; `details` names the fields.",
    example: {
      message: "limit: must be a whole number",
      details: [{ path: "limit", message: "must be a whole number" }],
    },
  },
  401: {
    name: "Unauthorized",
    meaning:
      "The credential is missing, malformed, unknown, expired or revoked; `WWW-Authenticate` names the authorization metadata.",
    example: { message: "missing or invalid credentials" },
  },
  403: {
    name: "Forbidden",
    meaning:
      "The credential lacks the scope, or the record is another user's public one. Also a Host or Origin that is not " +
      "served here, and, as plain text, a User-Agent that is missing or only names a library.",
    example: { message: "this credential lacks the scope documents.write" },
  },
  404: {
    name: "NotFound",
    meaning: "A record that the request names does not exist or is not visible to the caller.",
    example: { message: "document not found" },
  },
  409: {
    name: "Conflict",
    meaning:
      "The current state does not allow it: `LEASE_CONFLICT`, `FENCE_MISMATCH`, a collection that still has items, a refresh that " +
      "is running or was superseded (`REFRESH_IN_PROGRESS`, `REFRESH_SUPERSEDED`), or a request with this Idempotency-Key that is still running.",
    example: reason("LEASE_CONFLICT", "another lease is alive"),
  },
  412: {
    name: "PreconditionFailed",
    meaning: "The record has changed (`REVISION_MISMATCH`): read it again and use its ETag.",
    example: reason("REVISION_MISMATCH", "the document has changed: read it again and use its ETag"),
  },
  413: {
    name: "ContentTooLarge",
    meaning: "The body or one of its fields has too many bytes.",
    example: {
      message: "title: must be at most 512 bytes",
      details: [{ path: "title", message: "must be at most 512 bytes" }],
    },
  },
  422: {
    name: "UnprocessableContent",
    meaning:
      "The Idempotency-Key was used for another request (`IDEMPOTENCY_KEY_REUSED`), or the document is still being " +
      "scraped (`DOCUMENT_NOT_COORDINATABLE`).",
    example: reason("IDEMPOTENCY_KEY_REUSED", "this key was used for another request"),
  },
  428: {
    name: "PreconditionRequired",
    meaning: "A header that the state of the document requires is missing (`PRECONDITION_REQUIRED`).",
    example: reason("PRECONDITION_REQUIRED", "this request needs Idempotency-Key"),
  },
  429: {
    name: "TooManyRequests",
    meaning:
      "The rate limit of this operation's tier is exceeded; `Retry-After` is the number of seconds to wait.",
    example: { message: "more than 120 read requests in a minute" },
  },
  500: {
    name: "InternalServerError",
    meaning: "The server failed; its log has the reason.",
    example: { message: "internal server error" },
  },
};

/** Every error status of an operation: its own and those of the edge, in ascending order. */
export function errorStatuses({ requires, body, idempotency, errors = [] }: Operation): number[] {
  const statuses = new Set([400, 403, 500, ...errors]);
  if (requires !== "public") statuses.add(401).add(429);
  if (body) statuses.add(413);
  if (idempotency) statuses.add(409).add(422);
  return [...statuses].sort((a, b) => a - b);
}

const moment = Type.String({ description: "ISO 8601.", examples: ["2026-11-30T12:00:00.000Z"] });
const versionHeaders = { "X-API-Version": Type.Literal("v1"), Deprecation: Type.Literal("?0") };
const accountHeaders = {
  "Cache-Control": Type.Literal("no-store"),
  "RateLimit-Limit": count(120),
  "RateLimit-Remaining": count(119),
  "RateLimit-Reset": moment,
  "X-RateLimit-Limit": count(120),
  "X-RateLimit-Remaining": count(119),
  "X-RateLimit-Reset": moment,
};

/** The headers that the edge adds to a response. Those that an earlier check can prevent are optional. */
export function edgeHeaders({ requires, idempotency }: Operation, status: number): TObject {
  if (status === 401) {
    return Type.Object({
      ...versionHeaders,
      "WWW-Authenticate": text('Bearer resource_metadata="…", API-Key realm="ctxrepo"'),
    });
  }
  const headers = { ...versionHeaders, ...(requires !== "public" && accountHeaders) };
  if (status === 403 || status === 500) return Type.Partial(Type.Object(headers));
  return Type.Object({
    ...headers,
    ...(status === 429 && { "Retry-After": count(12) }),
    ...(status < 300 && idempotency && { "Idempotent-Replayed": Type.Optional(Type.Literal("true")) }),
  });
}

/** The header of requests that must be executed once. */
export const idempotencyKey = Type.String({
  pattern: IDEMPOTENCY_KEY.source,
  description:
    "Identifies this request for 24 hours: a retry with the same key and content gets the stored response.",
  examples: ["5b0c7d1e-import-42"],
});

/** The request headers that the edge reads. */
export function edgeRequestHeaders({ idempotency }: Operation): TObject {
  const userAgent = Type.String({
    description: "Identifies the client; the default of an HTTP library is rejected with 403.",
    examples: ["my-agent/1.0"],
  });
  return Type.Object({
    "User-Agent": userAgent,
    ...(idempotency && { "Idempotency-Key": Type.Optional(idempotencyKey) }),
  });
}
