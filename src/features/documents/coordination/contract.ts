// The wire shapes of coordination.

import { type Static, Type } from "@sinclair/typebox";
import type { Identity } from "../../../auth/identity.ts";
import { idempotencyKey } from "../../../http/edge-responses.ts";
import { ifMatchHeader } from "../../../http/preconditions.ts";
import { count, id, instant, oneOf } from "../../../http/response-shapes.ts";
import { acknowledgement } from "../contract.ts";
import type { DocumentRow } from "../store.ts";
import { activeLease, DEFAULT_TTL_MS } from "./lease.ts";
import type { CoordinationRow } from "./store.ts";

/** A body that must be absent or `{}`. */
export const emptyBody = Type.Object({}, { $id: "EmptyBody", additionalProperties: false, examples: [{}] });

/** What error messages call the preconditions of a write. */
export const CONDITION_NAMES = {
  oneRevision: "If-Match with one entity tag, or expectedRevision",
  currentEtag: "If-Match with the current ETag",
  idempotencyKey: "Idempotency-Key",
  leaseId: "X-Service-Lease-Id",
  fence: "X-Service-Lease-Fence",
} as const;

export const leaseBody = Type.Object(
  {
    action: oneOf(["acquire", "renew", "release"]),
    ttlMs: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 3_600_000,
        description: `Lifetime of the lease in milliseconds. Without it, acquire uses ${DEFAULT_TTL_MS} and renew the previous value.`,
      }),
    ),
  },
  { $id: "LeaseRequest", examples: [{ action: "acquire", ttlMs: DEFAULT_TTL_MS }] },
);

/** The preconditions of a coordinated write, for the description of its operation. */
export const WRITE_PRECONDITIONS =
  "In `lease_required` mode, the request must have `If-Match` with one ETag (or `expectedRevision` in the body), " +
  "`Idempotency-Key`, `X-Service-Lease-Id` and `X-Service-Lease-Fence`. In `standard` mode, `If-Match` and " +
  "`expectedRevision` are optional and are checked if sent.";

const leaseClaimHeaders = Type.Object({
  "X-Service-Lease-Id": Type.Optional(
    Type.String({ minLength: 1, description: "`leaseId` of the lease.", examples: id.examples }),
  ),
  "X-Service-Lease-Fence": Type.Optional(
    Type.String({
      pattern: "^(0|[1-9][0-9]*)$",
      description: "`fence` of the lease, a non-negative integer.",
      examples: ["4"],
    }),
  ),
});
export const leaseRequestHeaders = Type.Composite([
  Type.Object({ "Idempotency-Key": idempotencyKey }),
  leaseClaimHeaders,
]);
export const coordinatedWriteHeaders = Type.Composite([ifMatchHeader, leaseClaimHeaders]);

const { revision, currentVersion, contentHash } = acknowledgement.properties;

export const coordinationShape = Type.Object(
  {
    documentId: id,
    policy: oneOf(["standard", "lease_required"]),
    fence: Type.Integer({
      minimum: 0,
      description: "Increases by 1 each time a lease is acquired.",
      examples: [3],
    }),
    lease: Type.Object({
      state: oneOf(["none", "held"]),
      heldByCaller: Type.Optional(Type.Boolean()),
      leaseId: Type.Optional(
        Type.String({ description: "Only returned to the credential that holds the lease." }),
      ),
      expiresAt: Type.Optional(Type.Integer({ description: "Epoch milliseconds." })),
    }),
    revision,
    currentVersion,
    contentHash,
  },
  { $id: "Coordination" },
);

/** A document with its coordination, for one caller. */
export interface CoordinationState {
  caller: Identity;
  row: DocumentRow;
  coordination: CoordinationRow;
}

/**
 * The coordination state at `now` on the lease clock, in epoch ms. The lease id is included only for the credential
 * that holds the lease.
 */
export function coordinationToWire(
  { caller, row, coordination }: CoordinationState,
  now: number,
): Static<typeof coordinationShape> {
  const active = activeLease(coordination, now);
  const heldByCaller = active?.credentialId === caller.credentialId;
  return {
    documentId: row.id,
    policy: coordination.policy,
    fence: coordination.fence,
    lease: active
      ? {
          state: "held",
          heldByCaller,
          ...(heldByCaller && { leaseId: active.leaseId }),
          expiresAt: active.expiresAt,
        }
      : { state: "none" },
    revision: row.revision,
    currentVersion: row.revision,
    contentHash: row.contentHash,
  };
}

const leaseShape = Type.Object(
  {
    documentId: id,
    leaseId: id,
    fence: count(4),
    expiresAt: instant,
    ttlMs: count(DEFAULT_TTL_MS),
  },
  { $id: "Lease", description: "The response to `acquire` and `renew`." },
);
const releaseShape = Type.Object(
  { documentId: id, released: Type.Literal(true), fence: count(4) },
  { $id: "Release", description: "The response to `release`." },
);
/** The response to acquire and renew, or to release. Each has required members that the other does not have. */
export const leaseResponse = Type.Union([leaseShape, releaseShape]);
/** Sent for acquire and renew only. */
export const leaseResponseHeaders = Type.Partial(
  Type.Object({
    "X-Service-Lease-Id": id,
    "X-Service-Lease-Fence": count(4),
    "X-Service-Lease-Expires-At": Type.String({
      description: "ISO 8601.",
      examples: ["2026-11-30T12:01:00.000Z"],
    }),
  }),
);

/** The lease of a row that has one, as returned to its holder. */
export function leaseToWire(row: CoordinationRow): Static<typeof leaseShape> {
  const { documentId, fence, leaseId, leaseExpiresAt, leaseTtlMs } = row;
  return { documentId, leaseId: leaseId!, fence, expiresAt: leaseExpiresAt!, ttlMs: leaseTtlMs! };
}

/** The response headers of acquire and renew. */
export function leaseHeaders({ fence, leaseId, leaseExpiresAt }: CoordinationRow): Record<string, string> {
  return {
    "X-Service-Lease-Id": String(leaseId),
    "X-Service-Lease-Fence": String(fence),
    "X-Service-Lease-Expires-At": new Date(leaseExpiresAt ?? 0).toISOString(),
  };
}
