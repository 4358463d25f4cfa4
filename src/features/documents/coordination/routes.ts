// The operations of coordination: paths, shapes, scopes, statuses.

import type { App } from "../../../app.ts";
import type { Identity } from "../../../auth/identity.ts";
import { dataOf } from "../../../http/answers.ts";
import { operation } from "../../../http/operation.ts";
import { ifMatchNeeded, readConditions } from "../../../http/preconditions.ts";
import { ownDocument } from "../access.ts";
import { revisionHeaderShape } from "../contract.ts";
import { revisionHeaders } from "../revision.ts";
import type { DocumentRow } from "../store.ts";
import {
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

function stateAnswer(app: App, caller: Identity, row: DocumentRow, coordination: CoordinationRow) {
  return {
    status: 200,
    headers: revisionHeaders(row),
    body: { data: coordinationToWire(coordination, row, caller, app.highWater.now()) },
  };
}

const path = "/v1/documents/:id/coordination";

export const coordinationOperations = [
  operation({
    name: "coordination.get",
    method: "GET",
    path,
    summary: "Read the coordination state of a document",
    requires: { anyOf: ["documents.read"] },
    answers: { 200: dataOf(coordinationShape, revisionHeaderShape) },
    errors: [404],
    handle: ({ app, caller, id }) =>
      stateAnswer(app, caller, ownDocument(app.store, caller, id), findCoordination(app.store, id)),
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
    handle: ({ app, caller, id, headers, commit }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        return stateAnswer(app, caller, row, enableCoordination(write, row, conditions));
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
    handle: ({ app, caller, id, headers, commit }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        return stateAnswer(app, caller, row, disableCoordination(write, app.highWater, row, conditions));
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
    handle: ({ app: { highWater }, caller, id, headers, body: { action, ttlMs }, commit }) =>
      commit((write) => {
        const conditions = readConditions(headers);
        const row = ownDocument(write, caller, id);
        const coordination = findCoordination(write, row.id);
        if (conditions.idempotencyKey === undefined) throw required("Idempotency-Key");
        if (action === "release") {
          const { fence } = releaseLease(write, highWater, coordination, readClaim(conditions));
          return { status: 200, body: { data: { documentId: id, released: true, fence } } };
        }
        const leased =
          action === "acquire"
            ? acquireLease(write, highWater, coordination, caller.credentialId, ttlMs ?? DEFAULT_TTL_MS)
            : renewLease(write, highWater, coordination, readClaim(conditions), ttlMs);
        return { status: 200, headers: leaseHeaders(leased), body: { data: leaseToWire(leased) } };
      }),
  }),
];
