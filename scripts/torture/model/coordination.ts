// Policy, leases and fences in the model, and the preconditions of coordinated writes.

import assert from "node:assert/strict";
import { etagOf, hashOf, learnHeaders, matches } from "./document-headers.ts";
import { type Ask, compareMembers, exchange, type Outcome, rejected, type World } from "./exchange.ts";
import { type Actor, chosen, type Document, type Lease, ownOf, UNKNOWN_ID, userOf } from "./records.ts";

const DEFAULT_TTL_MS = 60_000;
const MIN_TTL_MS = 1_000;
const MAX_TTL_MS = 3_600_000;

/** Which preconditions a request sends. */
export interface Preconditions {
  match?: "current" | "stale" | "any" | "weak" | "list";
  revision?: "current" | "stale";
  /** `held`: the latest lease with its fence, `old`: an earlier one, `wrong`: another id with the current fence. */
  lease?: "held" | "old" | "wrong" | "id only" | "fence only";
}

type Headers = Pick<Ask, "ifMatch" | "leaseId" | "fence">;

/** The headers and body members of the preconditions, from the current state of the model. */
export function preconditionsOf(
  document: Document | undefined,
  { match, revision, lease }: Preconditions,
): { headers: Headers; members: { expectedRevision?: number } } {
  const etag = document ? etagOf(document) : '"none"';
  const stale = [...(document?.etags.values() ?? [])].find((known) => known !== etag) ?? '"stale"';
  const ifMatch = match && { current: etag, stale, any: "*", weak: `W/${etag}`, list: `"x", ${etag}` }[match];
  const members =
    revision === undefined
      ? {}
      : { expectedRevision: (document?.revision ?? 0) + (revision === "current" ? 0 : 7) };
  return { headers: { ...(ifMatch && { ifMatch }), ...leaseHeaders(document, lease) }, members };
}

function leaseHeaders(document: Document | undefined, lease: Preconditions["lease"]): Headers {
  if (lease === undefined) return {};
  const granted = document?.oldLeases ?? [];
  const latest = granted.at(-1) ?? { id: UNKNOWN_ID, fence: document?.fence ?? 0 };
  const { id, fence } = lease === "old" ? (granted.at(-2) ?? { id: UNKNOWN_ID, fence: 999 }) : latest;
  return {
    ...(lease !== "fence only" && { leaseId: lease === "wrong" ? UNKNOWN_ID : id }),
    ...(lease !== "id only" && { fence: String(fence) }),
  };
}

const liveLease = ({ clock }: World, { lease }: Document): Lease | undefined =>
  lease && clock.now() < lease.expiresAt ? lease : undefined;

/** The rejection of a write by its preconditions, or undefined if it may be done. */
export function guard(
  world: World,
  document: Document,
  ask: Ask & { expectedRevision?: number },
): Outcome | undefined {
  const { ifMatch, expectedRevision } = ask;
  if (document.policy === "lease_required") {
    const namesRevision = (ifMatch !== undefined && ifMatch !== "*") || expectedRevision !== undefined;
    const hasAll = namesRevision && ask.key !== undefined;
    if (!hasAll || ask.leaseId === undefined || ask.fence === undefined)
      return rejected(428, "PRECONDITION_REQUIRED");
    const refusal = guardLease(world, document, ask);
    if (refusal) return refusal;
  }
  const isCurrent = expectedRevision === undefined || expectedRevision === document.revision;
  return isCurrent && matches(document, ifMatch) ? undefined : rejected(412, "REVISION_MISMATCH");
}

function guardLease(world: World, document: Document, { leaseId, fence }: Ask): Outcome | undefined {
  if (fence !== String(document.fence)) return rejected(409, "FENCE_MISMATCH");
  return liveLease(world, document)?.id === leaseId ? undefined : rejected(409, "LEASE_CONFLICT");
}

export async function setPolicy(
  world: World,
  step: { by: Actor; document: number; on: boolean; match?: Preconditions["match"] },
): Promise<void> {
  const target = chosen(world.records.documents, step.document);
  const match = step.match === "list" ? "current" : step.match;
  const { ifMatch } = preconditionsOf(target, { match }).headers;
  const method = step.on ? "PUT" : "DELETE";
  const path = `/v1/documents/${target?.id ?? UNKNOWN_ID}/coordination`;
  const ask = { by: step.by, operation: `${method} /v1/documents/{id}/coordination`, path, ifMatch };
  await exchange(world, ask, ({ by }): Outcome => {
    const document = ownOf(target, userOf(by));
    if (!document) return rejected(404);
    if (ifMatch === undefined || ifMatch === "*") return rejected(428, "PRECONDITION_REQUIRED");
    const isHeld = !step.on && document.policy === "lease_required" && liveLease(world, document);
    if (isHeld) return rejected(409, "LEASE_CONFLICT");
    if (!matches(document, ifMatch)) return rejected(412, "REVISION_MISMATCH");
    return {
      status: 200,
      apply(reply) {
        document.policy = step.on ? "lease_required" : "standard";
        if (!step.on) document.lease = undefined;
        compareState(world, { document, by, data: reply.body.data });
        learnHeaders(document, reply);
      },
    };
  });
}

function compareState(
  world: World,
  { document, by, data }: { document: Document; by: Actor; data: object },
): void {
  const lease = liveLease(world, document);
  const heldByCaller = lease?.holder === by;
  const expected = {
    documentId: document.id,
    policy: document.policy,
    fence: document.fence,
    lease: lease
      ? {
          ...{ state: "held", heldByCaller, expiresAt: lease.expiresAt },
          ...(heldByCaller && { leaseId: lease.id }),
        }
      : { state: "none" },
    revision: document.revision,
    currentVersion: document.revision,
    contentHash: hashOf(document.fields.content),
  };
  assert.deepEqual(data, expected, "coordination state");
}

export async function readCoordination(world: World, step: { by: Actor; document: number }): Promise<void> {
  const target = chosen(world.records.documents, step.document);
  const path = `/v1/documents/${target?.id ?? UNKNOWN_ID}/coordination`;
  const ask = { by: step.by, operation: "GET /v1/documents/{id}/coordination", path };
  await exchange(world, ask, ({ by }): Outcome => {
    const document = ownOf(target, userOf(by));
    if (!document) return rejected(404);
    return {
      status: 200,
      apply(reply) {
        compareState(world, { document, by, data: reply.body.data });
        learnHeaders(document, reply);
      },
    };
  });
}

export interface LeaseStep {
  by: Actor;
  document: number;
  action: "acquire" | "renew" | "release";
  ttlMs?: unknown;
  key?: string;
  lease?: Preconditions["lease"];
}

export async function changeLease(world: World, step: LeaseStep): Promise<void> {
  const { action } = step;
  const target = chosen(world.records.documents, step.document);
  const headers = action === "acquire" ? {} : preconditionsOf(target, { lease: step.lease }).headers;
  const ttlMs = action === "release" ? undefined : step.ttlMs;
  const ask: Ask = {
    ...{ by: step.by, key: step.key, ...headers },
    operation: "POST /v1/documents/{id}/coordination/lease",
    path: `/v1/documents/${target?.id ?? UNKNOWN_ID}/coordination/lease`,
    body: { action, ...(ttlMs !== undefined && { ttlMs }) },
  };
  await exchange(world, ask, (sent): Outcome => {
    const isTtl = Number.isInteger(ttlMs) && Number(ttlMs) >= MIN_TTL_MS && Number(ttlMs) <= MAX_TTL_MS;
    if (ttlMs !== undefined && !isTtl) return rejected(400);
    const document = ownOf(target, userOf(sent.by));
    if (!document) return rejected(404);
    const isComplete = action === "acquire" || (sent.leaseId !== undefined && sent.fence !== undefined);
    if (sent.key === undefined || !isComplete) return rejected(428, "PRECONDITION_REQUIRED");
    if (document.policy === "standard")
      return { status: 409, reason: ["LEASE_CONFLICT", ...(action === "acquire" ? [] : ["FENCE_MISMATCH"])] };
    if (action === "acquire") {
      if (liveLease(world, document)) return rejected(409, "LEASE_CONFLICT");
      return granted(world, { document, ttlMs: Number(ttlMs ?? DEFAULT_TTL_MS), by: sent.by });
    }
    const refusal = guardLease(world, document, sent);
    if (refusal) return refusal;
    const lease = document.lease!;
    if (action === "release") return released(document);
    return extended(world, document, { ...lease, ttlMs: Number(ttlMs ?? lease.ttlMs) });
  });
}

function granted(
  world: World,
  { document, ttlMs, by }: { document: Document; ttlMs: number; by: Actor },
): Outcome {
  return {
    status: 200,
    apply(reply) {
      const id = reply.body.data.leaseId as string;
      document.fence++;
      assert.ok(!document.oldLeases.some((old) => old.id === id), "a lease id is never granted twice");
      document.oldLeases.push({ id, fence: document.fence });
      extended(world, document, { id, ttlMs, holder: by, expiresAt: 0 }).apply!(reply);
    },
  };
}

function extended(world: World, document: Document, lease: Lease): Outcome {
  return {
    status: 200,
    apply({ body, headers }) {
      const expiresAt = world.clock.now() + lease.ttlMs;
      document.lease = { ...lease, expiresAt };
      const { id: leaseId, ttlMs } = lease;
      const expected = { documentId: document.id, leaseId, fence: document.fence, expiresAt, ttlMs };
      compareMembers(body.data, expected, "lease");
      assert.equal(headers.get("x-service-lease-id"), leaseId);
      assert.equal(headers.get("x-service-lease-fence"), String(document.fence));
      assert.equal(headers.get("x-service-lease-expires-at"), new Date(expiresAt).toISOString());
    },
  };
}

function released(document: Document): Outcome {
  return {
    status: 200,
    apply({ body }) {
      document.lease = undefined;
      assert.deepEqual(body.data, { documentId: document.id, released: true, fence: document.fence });
    },
  };
}
