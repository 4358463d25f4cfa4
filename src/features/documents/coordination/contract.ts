// The wire shapes of coordination.

import { type Static, Type } from "@sinclair/typebox";
import type { Identity } from "../../../auth/identity.ts";
import { count, id, instant, oneOf, text } from "../../../http/answers.ts";
import { idempotencyKey } from "../../../http/edge-answers.ts";
import { ifMatchHeader } from "../../../http/preconditions.ts";
import { acknowledgement } from "../contract.ts";
import type { DocumentRow } from "../store.ts";
import { DEFAULT_TTL_MS, liveLease } from "./lease.ts";
import type { CoordinationRow } from "./store.ts";

export const emptyBody = Type.Object({}, { additionalProperties: false, examples: [{}] });

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
    ttlMs: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 3_600_000 })),
  },
  { examples: [{ action: "acquire", ttlMs: DEFAULT_TTL_MS }] },
);

/** What a coordinated write must bring, in the words of the reference. */
export const COORDINATED =
  "In `lease_required` mode it needs `If-Match` with one ETag or `expectedRevision`, `Idempotency-Key`, and both headers of " +
  "the lease; in `standard` mode `If-Match` and `expectedRevision` count when they are sent.";

const leaseClaimHeaders = Type.Object({
  "X-Service-Lease-Id": Type.Optional(Type.String({ description: "The lease that the caller holds." })),
  "X-Service-Lease-Fence": Type.Optional(Type.String({ description: "Its fence, a whole number." })),
});
export const leaseRequestHeaders = Type.Composite([
  Type.Object({ "Idempotency-Key": idempotencyKey }),
  leaseClaimHeaders,
]);
export const canonicalWriteHeaders = Type.Composite([ifMatchHeader, leaseClaimHeaders]);

const { revision, currentVersion, contentHash } = acknowledgement.properties;

export const coordinationShape = Type.Object(
  {
    documentId: id,
    policy: oneOf(["standard", "lease_required"]),
    fence: count(3),
    lease: Type.Object({
      state: oneOf(["none", "held"]),
      heldByCaller: Type.Optional(Type.Boolean()),
      leaseId: Type.Optional(Type.String({ description: "For the holder's credential only." })),
      expiresAt: Type.Optional(Type.Integer({ description: "Epoch milliseconds." })),
    }),
    revision,
    currentVersion,
    contentHash,
  },
  { $id: "Coordination" },
);

/** The state as everyone who may read the document sees it; the lease id only for the credential that holds it. */
export function coordinationToWire(
  coordination: CoordinationRow,
  row: DocumentRow,
  caller: Identity,
  now: number,
): Static<typeof coordinationShape> {
  const live = liveLease(coordination, now);
  const heldByCaller = live?.credentialId === caller.credentialId;
  return {
    documentId: row.id,
    policy: coordination.policy,
    fence: coordination.fence,
    lease: live
      ? {
          state: "held",
          heldByCaller,
          ...(heldByCaller && { leaseId: live.leaseId }),
          expiresAt: live.expiresAt,
        }
      : { state: "none" },
    revision: row.revision,
    currentVersion: row.revision,
    contentHash: row.contentHash,
  };
}

const leaseShape = Type.Object(
  { documentId: id, leaseId: id, fence: count(4), expiresAt: instant, ttlMs: count(DEFAULT_TTL_MS) },
  { $id: "Lease" },
);
const releaseShape = Type.Object(
  { documentId: id, released: Type.Literal(true), fence: count(4) },
  { $id: "Release" },
);
/** What acquire and renew answer, or what release does. */
export const leaseAnswer = Type.Union([leaseShape, releaseShape]);
/** There for acquire and renew. */
export const leaseAnswerHeaders = Type.Partial(
  Type.Object({
    "X-Service-Lease-Id": id,
    "X-Service-Lease-Fence": count(4),
    "X-Service-Lease-Expires-At": text("2026-11-30T12:01:00.000Z"),
  }),
);

/** The lease of a row that holds one, as its holder gets it. */
export function leaseToWire(row: CoordinationRow): Static<typeof leaseShape> {
  const { documentId, fence, leaseId, leaseExpiresAt, leaseTtlMs } = row;
  return { documentId, leaseId: leaseId!, fence, expiresAt: leaseExpiresAt!, ttlMs: leaseTtlMs! };
}

export function leaseHeaders({ fence, leaseId, leaseExpiresAt }: CoordinationRow): Record<string, string> {
  return {
    "X-Service-Lease-Id": String(leaseId),
    "X-Service-Lease-Fence": String(fence),
    "X-Service-Lease-Expires-At": new Date(leaseExpiresAt ?? 0).toISOString(),
  };
}
