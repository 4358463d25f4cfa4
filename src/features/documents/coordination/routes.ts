// The operations of coordination: paths, shapes, scopes, statuses.

import type { Identity } from "../../../auth/identity.ts";
import type { HighWater } from "../../../db/high-water.ts";
import type { Store } from "../../../db/store.ts";
import { dataOf } from "../../../http/answers.ts";
import { operationOf } from "../../../http/operation.ts";
import { ifMatchNeeded, readConditions } from "../../../http/preconditions.ts";
import { ownDocument } from "../access.ts";
import { revisionHeaderShape, revisionHeaders } from "../contract.ts";
import type { DocumentRow } from "../store.ts";
import {
  CONDITION_NAMES,
  coordinationShape,
  coordinationToWire,
  emptyBody,
  leaseAnswer,
  leaseAnswerHeaders,
  leaseBody,
  leaseHeaders,
  leaseRequestHeaders,
  leaseToWire,
} from "./contract.ts";
import { readClaim, required } from "./guard.ts";
import { acquireLease, DEFAULT_TTL_MS, releaseLease, renewLease } from "./lease.ts";
import { disableCoordination, enableCoordination } from "./policy.ts";
import { type CoordinationRow, findCoordination } from "./store.ts";

/** What the operations of coordination need. */
export interface CoordinationDeps {
  store: Store;
  highWater: HighWater;
}

/** A document with its coordination, for one caller at one moment of the lease clock. */
interface State {
  caller: Identity;
  row: DocumentRow;
  coordination: CoordinationRow;
}

function stateAnswer({ highWater }: CoordinationDeps, { caller, row, coordination }: State) {
  return {
    status: 200,
    headers: revisionHeaders(row),
    body: { data: coordinationToWire(coordination, row, caller, highWater.now()) },
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
    requires: { anyOf: ["documents.read"] },
    answers: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404],
    handle: ({ caller, id }, deps) => {
      const row = ownDocument(deps.store, caller, id);
      return stateAnswer(deps, { caller, row, coordination: findCoordination(deps.store, id) });
    },
  }),

  operation({
    name: "coordination.enable",
    method: "PUT",
    path,
    summary: "Require a lease for canonical writes",
    requires: { anyOf: ["documents.write"] },
    body: emptyBody,
    bodyMayBeEmpty: true,
    headers: ifMatchNeeded,
    answers: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404, 412, 422, 428],
    handle: ({ caller, id, headers, commit }, deps) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        return stateAnswer(deps, { caller, row, coordination: enableCoordination(write, row, conditions) });
      }),
  }),

  operation({
    name: "coordination.disable",
    method: "DELETE",
    path,
    summary: "Require no lease any more",
    requires: { anyOf: ["documents.write"] },
    body: emptyBody,
    bodyMayBeEmpty: true,
    headers: ifMatchNeeded,
    answers: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404, 409, 412, 428],
    handle: ({ caller, id, headers, commit }, deps) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        const coordination = disableCoordination(write, row, { highWater: deps.highWater, conditions });
        return stateAnswer(deps, { caller, row, coordination });
      }),
  }),

  operation({
    name: "coordination.lease",
    method: "POST",
    path: `${path}/lease`,
    summary: "Acquire, renew or release the lease of a document",
    requires: { anyOf: ["documents.write"] },
    idempotency: "by-credential",
    body: leaseBody,
    description: "`renew` and `release` need both headers of the lease.",
    headers: leaseRequestHeaders,
    answers: { 200: dataOf(leaseAnswer, leaseAnswerHeaders) },
    errors: [404, 409, 428],
    handle: ({ caller, id, headers, body: { action, ttlMs }, commit }, { highWater }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        const coordination = findCoordination(write, row.id);
        if (conditions.idempotencyKey === undefined) throw required(CONDITION_NAMES.idempotencyKey);
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
