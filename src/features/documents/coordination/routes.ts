// The operations of coordination: paths, shapes, scopes, statuses.

import type { HighWater } from "../../../db/high-water.ts";
import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { ifMatchNeeded, readConditions } from "../../../http/preconditions.ts";
import { dataOf } from "../../../http/response-shapes.ts";
import { ownDocument } from "../access.ts";
import { revisionHeaderShape, revisionHeaders } from "../contract.ts";
import {
  CONDITION_NAMES,
  type CoordinationState,
  coordinationShape,
  coordinationToWire,
  emptyBody,
  leaseBody,
  leaseHeaders,
  leaseRequestHeaders,
  leaseResponse,
  leaseResponseHeaders,
  leaseToWire,
} from "./contract.ts";
import { preconditionRequired, readClaim } from "./guard.ts";
import { acquireLease, DEFAULT_TTL_MS, releaseLease, renewLease } from "./lease.ts";
import { disableCoordination, enableCoordination } from "./policy.ts";
import { findCoordination } from "./store.ts";

/** What the operations of coordination need. */
export interface CoordinationDeps {
  store: Store;
  highWater: HighWater;
}

function stateReply({ highWater }: CoordinationDeps, state: CoordinationState) {
  return {
    status: 200,
    headers: revisionHeaders(state.row),
    body: { data: coordinationToWire(state, highWater.now()) },
  };
}

const path = "/v1/documents/:id/coordination";

const operation = operationOf<CoordinationDeps>();

export const coordinationOperations = [
  operation({
    name: "coordination.get",
    method: "GET",
    path,
    summary: "Read the coordination state of a document",
    description:
      "Returns the policy, the current fence and whether a lease is active. `leaseId` is returned only to the credential that holds " +
      "the lease.",
    requires: { anyOf: ["documents.read"] },
    responses: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404],
    handle: ({ caller, id }, deps) => {
      const row = ownDocument(deps.store, caller, id);
      return stateReply(deps, { caller, row, coordination: findCoordination(deps.store, id) });
    },
  }),

  operation({
    name: "coordination.enable",
    method: "PUT",
    path,
    summary: "Require a lease for writes to a document",
    description:
      "Sets the policy to `lease_required`: from then on, updates and restores need an active lease. `If-Match` with the current ETag " +
      "is required, and `*` is not accepted. If the policy is already set, nothing changes.",
    requires: { anyOf: ["documents.write"] },
    body: emptyBody,
    bodyMayBeEmpty: true,
    headers: ifMatchNeeded,
    responses: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404, 412, 422, 428],
    handle: ({ caller, id, headers, commit }, deps) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        return stateReply(deps, { caller, row, coordination: enableCoordination(write, row, conditions) });
      }),
  }),

  operation({
    name: "coordination.disable",
    method: "DELETE",
    path,
    summary: "Stop requiring a lease for writes to a document",
    description:
      "Sets the policy to `standard`. While a lease is active, the response is 409. `If-Match` with the current ETag is required, and " +
      "`*` is not accepted. If the policy is already set, nothing changes.",
    requires: { anyOf: ["documents.write"] },
    body: emptyBody,
    bodyMayBeEmpty: true,
    headers: ifMatchNeeded,
    responses: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404, 409, 412, 428],
    handle: ({ caller, id, headers, commit }, deps) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        const coordination = disableCoordination(write, row, { highWater: deps.highWater, conditions });
        return stateReply(deps, { caller, row, coordination });
      }),
  }),

  operation({
    name: "coordination.lease",
    method: "POST",
    path: `${path}/lease`,
    summary: "Acquire, renew or release the lease of a document",
    description:
      "`acquire` returns a new lease and increases the fence; while a lease is active it gives 409 to every caller. `renew` extends " +
      "the lease and `release` ends it; both require `X-Service-Lease-Id` and `X-Service-Lease-Fence`.",
    requires: { anyOf: ["documents.write"] },
    idempotency: "by-credential",
    body: leaseBody,
    headers: leaseRequestHeaders,
    responses: { 200: dataOf(leaseResponse, leaseResponseHeaders) },
    errors: [404, 409, 428],
    handle: ({ caller, id, headers, body: { action, ttlMs }, commit }, { highWater }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        const coordination = findCoordination(write, row.id);
        if (conditions.idempotencyKey === undefined)
          throw preconditionRequired(CONDITION_NAMES.idempotencyKey);
        if (action === "release") {
          const { fence } = releaseLease(write, coordination, { highWater, claim: readClaim(conditions) });
          return { status: 200, body: { data: { documentId: id, released: true, fence } } };
        }
        const leased =
          action === "acquire"
            ? acquireLease(write, coordination, {
                highWater,
                credentialId: caller.credentialId,
                ttlMs: ttlMs ?? DEFAULT_TTL_MS,
              })
            : renewLease(write, coordination, { highWater, claim: readClaim(conditions), ttlMs });
        return { status: 200, headers: leaseHeaders(leased), body: { data: leaseToWire(leased) } };
      }),
  }),
];
