// Describes what the edge adds to every operation: error statuses with their meanings, request headers and response
// headers. It must match dispatch.ts; test/architecture/conformance.test.ts checks that.

import { type TObject, Type } from "@sinclair/typebox";
import { IDEMPOTENCY_KEY } from "./idempotency.ts";
import type { Operation } from "./operation.ts";
import { count, text } from "./response-shapes.ts";
import { USER_AGENT_REJECTION } from "./user-agent.ts";

/** The body of every error, except the plain-text rejection of a User-Agent. */
export const errorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: "The HTTP status." }),
      message: Type.String({ description: "What is wrong, for people." }),
      details: Type.Optional(
        Type.Union([
          Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
            description: "The invalid fields, each with its path in the request.",
          }),
          Type.Object(
            { reason: Type.String() },
            { additionalProperties: true, description: "A code for programs, such as `LEASE_CONFLICT`." },
          ),
        ]),
      ),
    }),
  },
  { $id: "Error" },
);

/** The plain-text body of the 403 for a rejected User-Agent. It has its own media type and is not an `Error`. */
export const userAgentRejectionBody = Type.String({
  description: "The User-Agent was rejected.",
  examples: [USER_AGENT_REJECTION],
});

interface ErrorMeaning {
  /** The name of the status, in one word. */
  name: string;
  meaning: string;
  example: { message: string; details?: unknown };
}

const reason = (name: string, message: string) => ({
  message: `${name}: ${message}`,
  details: { reason: name },
});

/** Every error status that an operation can return. */
export const ERROR_MEANINGS: Readonly<Record<number, ErrorMeaning>> = {
  400: {
    name: "BadRequest",
    meaning: "A parameter, a header or the body is invalid. `details` lists the invalid fields.",
    example: {
      message: "limit: must be a whole number of at most 15 digits",
      details: [{ path: "limit", message: "must be a whole number of at most 15 digits" }],
    },
  },
  401: {
    name: "Unauthorized",
    meaning:
      "The credential is missing, malformed, unknown, expired or revoked. `WWW-Authenticate` names the accepted schemes.",
    example: { message: "missing or invalid credentials" },
  },
  403: {
    name: "Forbidden",
    meaning:
      "The credential lacks the required scope, or the request would change another user's public record. Also returned if the `Host` or " +
      "`Origin` header is not one of this server's. If the `User-Agent` is missing or is an HTTP library's default, the " +
      "body is plain text instead of JSON.",
    example: { message: "this credential lacks the scope documents.write" },
  },
  404: {
    name: "NotFound",
    meaning: "A record named in the request does not exist or is not visible to the caller.",
    example: { message: "document not found" },
  },
  409: {
    name: "Conflict",
    meaning:
      "The request conflicts with the current state: a lease or fence (`LEASE_CONFLICT`, `FENCE_MISMATCH`), a collection " +
      "that still has items, a refresh that is running or was superseded (`REFRESH_IN_PROGRESS`, `REFRESH_SUPERSEDED`), " +
      "another record with the same `metadata.importPath` (`IMPORT_PATH_TAKEN`), or an earlier request with the same " +
      "`Idempotency-Key` that is still in progress.",
    example: reason("LEASE_CONFLICT", "another lease is active"),
  },
  412: {
    name: "PreconditionFailed",
    meaning: "The record has changed (`REVISION_MISMATCH`). Read it again and send its current ETag.",
    example: reason("REVISION_MISMATCH", "the document has changed: read it again and use its ETag"),
  },
  413: {
    name: "ContentTooLarge",
    meaning: "The body or one of its fields is too large.",
    example: {
      message: "title: must be at most 512 bytes",
      details: [{ path: "title", message: "must be at most 512 bytes" }],
    },
  },
  422: {
    name: "UnprocessableContent",
    meaning:
      "The `Idempotency-Key` was already used for a different request (`IDEMPOTENCY_KEY_REUSED`), or the document is " +
      "still being scraped (`DOCUMENT_NOT_COORDINATABLE`).",
    example: reason("IDEMPOTENCY_KEY_REUSED", "this key was used for another request"),
  },
  428: {
    name: "PreconditionRequired",
    meaning: "A required header is missing (`PRECONDITION_REQUIRED`).",
    example: reason("PRECONDITION_REQUIRED", "this request needs Idempotency-Key"),
  },
  429: {
    name: "TooManyRequests",
    meaning:
      "Too many requests in this rate-limit tier, or too many that wait at the same time. Retry after the number of seconds in " +
      "`Retry-After`.",
    example: { message: "more than 120 read requests in a minute" },
  },
  500: {
    name: "InternalServerError",
    meaning:
      "The server failed. Its log contains the cause. If that is the disk or the file of the database, the message says what to do, " +
      "and the reason is `STORAGE_FULL`, `STORAGE_MOVED`, `STORAGE_OVERWRITTEN`, `STORAGE_READ_ONLY`, `STORAGE_UNREADABLE`, `STORAGE_DAMAGED` or " +
      "`STORAGE_BUSY`.",
    example: { message: "internal server error" },
  },
};

/** Every error status that an operation can return: its own and those of the edge, ascending. */
export function errorStatuses({ requires, body, idempotency, errors = [] }: Operation): number[] {
  const statuses = new Set([400, 403, 500, ...errors]);
  if (requires !== "public") statuses.add(401).add(429);
  if (body) statuses.add(413);
  if (idempotency) statuses.add(409).add(422);
  return [...statuses].sort((a, b) => a - b);
}

const isoTime = Type.String({ description: "ISO 8601.", examples: ["2026-11-30T12:00:00.000Z"] });
const versionHeaders = {
  "X-API-Version": Type.Literal("v1"),
  Deprecation: Type.Literal("?0"),
  "X-Request-Id": Type.String({
    description: "Identifies the request in the server's log.",
    examples: ["VNo6xu74n6-1f"],
  }),
};
const authenticatedHeaders = {
  "Cache-Control": Type.Literal("no-store"),
  "RateLimit-Limit": count(120),
  "RateLimit-Remaining": count(119),
  "RateLimit-Reset": isoTime,
  "X-RateLimit-Limit": count(120),
  "X-RateLimit-Remaining": count(119),
  "X-RateLimit-Reset": isoTime,
};

/** The response headers that the edge adds. A header that an early rejection may lack is optional. */
export function edgeHeaders({ requires, idempotency }: Operation, status: number): TObject {
  if (status === 401) {
    return Type.Object({
      ...versionHeaders,
      "WWW-Authenticate": text('Bearer resource_metadata="…", API-Key realm="ctxrepo"'),
    });
  }
  const headers = { ...versionHeaders, ...(requires !== "public" && authenticatedHeaders) };
  if (status === 403 || status === 500) return Type.Partial(Type.Object(headers));
  return Type.Object({
    ...headers,
    ...(status === 429 && { "Retry-After": count(12) }),
    ...(status < 300 && idempotency && { "Idempotent-Replayed": Type.Optional(Type.Literal("true")) }),
  });
}

/** The `Idempotency-Key` request header. */
export const idempotencyKey = Type.String({
  pattern: IDEMPOTENCY_KEY.source,
  description:
    "Identifies this request for 24 hours. A retry with the same key and content returns the first response and is not " +
    "executed again.",
  examples: ["5b0c7d1e-import-42"],
});

/** The request headers that the edge reads. */
export function edgeRequestHeaders({ idempotency }: Operation): TObject {
  const userAgent = Type.String({
    description:
      "The name of the client. It is not declared as required, because most HTTP clients set it themselves. A request " +
      "without it, or with the default of an HTTP library such as `axios/1.7`, is rejected with 403.",
    examples: ["my-agent/1.0"],
  });
  return Type.Object({
    "User-Agent": Type.Optional(userAgent),
    ...(idempotency && { "Idempotency-Key": Type.Optional(idempotencyKey) }),
  });
}
