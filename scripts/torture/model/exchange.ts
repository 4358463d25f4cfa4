// Sends the requests of the model, and compares status, error and idempotency receipt of each reply with what the model
// expects.

import assert from "node:assert/strict";
import type { ManualClock } from "../../../src/kernel/clock.ts";
import type { Client, Reply } from "../../../test/helpers/start.ts";
import type { Actor, Records } from "./records.ts";
import { userOf } from "./records.ts";

const RECEIPT_MS = 24 * 60 * 60_000;
/** Operations that accept an `Idempotency-Key`; the others ignore it. */
const ACCEPTS_KEY = new Set([
  "POST /v1/documents",
  "PATCH /v1/documents/{id}",
  "POST /v1/documents/{id}/restore",
  "POST /v1/documents/{id}/coordination/lease",
]);
const LEASE = "POST /v1/documents/{id}/coordination/lease";
const REPLAYED_HEADERS = [
  "location",
  "etag",
  "x-service-revision",
  "x-service-content-hash",
  "x-service-lease-id",
  "x-service-lease-fence",
  "x-service-lease-expires-at",
];

/** One request. */
export interface Ask {
  by: Actor;
  /** Method and path template. */
  operation: string;
  path: string;
  body?: unknown;
  key?: string;
  ifMatch?: string;
  ifNoneMatch?: string;
  leaseId?: string;
  fence?: string;
}

/** What the model expects of a reply. Several statuses only where the specification does not decide. */
export interface Outcome {
  status: number | readonly number[];
  /** The start of the message, and `details.reason`. */
  reason?: string | readonly string[];
  /** Checks the body of a success and changes the model. */
  apply?(reply: Reply): void;
}

/** The outcome of a request in the state of the model when it is sent. */
export type Decide = (ask: Ask) => Outcome;

interface Receipt {
  fingerprint: string;
  createdAt: number;
  reply: Reply;
}

export interface World {
  records: Records;
  clients: readonly [Client, Client, Client];
  clock: ManualClock;
  /** Resolves when everything written is indexed. */
  settle(): Promise<void>;
  receipts: Map<string, Receipt>;
  /** How often each operation gave each status and reason: shows what a run has reached. */
  seen: Map<string, number>;
  /** The requests with a key so far, to be sent again. */
  keyed: { ask: Ask; decide: Decide }[];
}

/** The outcome of a request that is rejected. */
export const rejected = (status: number, reason?: string): Outcome => ({
  status,
  ...(reason && { reason: `${reason}` }),
});

/** Sends a request and compares the reply. Throws an AssertionError if it differs from the model. */
export async function exchange(world: World, ask: Ask, decide: Decide): Promise<Reply> {
  // Every request has its own time, so that the order of creation is certain.
  world.clock.advance(1);
  const acceptsKey = ACCEPTS_KEY.has(ask.operation) && ask.key !== undefined;
  const scope = `${userOf(ask.by)} ${ask.operation} ${ask.key}`;
  const receipt = acceptsKey ? liveReceipt(world, scope) : undefined;
  const outcome = receipt ? repeated(receipt, ask) : decide(ask);
  const reply = await sent(world, ask);
  compare(reply, outcome, ask);
  count(world, ask, reply);
  if (receipt) return reply;
  assert.equal(reply.headers.get("idempotent-replayed"), null, "only a replay is marked as one");
  outcome.apply?.(reply);
  if (acceptsKey) {
    world.keyed.push({ ask, decide });
    const isStored = reply.status < 300 || [400, 404, 412, 413].includes(reply.status);
    if (isStored)
      world.receipts.set(scope, { fingerprint: fingerprintOf(ask), createdAt: world.clock.now(), reply });
  }
  return reply;
}

function count({ seen }: World, { operation }: Ask, { status, headers, body }: Reply): void {
  const isReplay = headers.has("idempotent-replayed");
  const reason = body?.error?.details?.reason ?? (body?.data?.noop ? "no change" : isReplay ? "replay" : "");
  const name = `${operation}: ${status} ${reason}`.trim();
  seen.set(name, (seen.get(name) ?? 0) + 1);
}

function liveReceipt({ receipts, clock }: World, scope: string): Receipt | undefined {
  const receipt = receipts.get(scope);
  return receipt && clock.now() < receipt.createdAt + RECEIPT_MS ? receipt : undefined;
}

function fingerprintOf({ operation, by, path, body, ifMatch, leaseId, fence }: Ask): string {
  return JSON.stringify([path, body ?? null, ifMatch, leaseId, fence, operation === LEASE ? by : null]);
}

function repeated(receipt: Receipt, ask: Ask): Outcome {
  if (receipt.fingerprint !== fingerprintOf(ask)) return rejected(422, "IDEMPOTENCY_KEY_REUSED");
  const { reply: first } = receipt;
  const compareReplay = (reply: Reply) => {
    assert.deepEqual(reply.body, first.body, "a replay repeats the body");
    assert.equal(reply.headers.get("idempotent-replayed"), "true", "a replay is marked");
    for (const name of REPLAYED_HEADERS)
      assert.equal(reply.headers.get(name), first.headers.get(name), `a replay repeats ${name}`);
  };
  return { status: first.status, apply: compareReplay };
}

async function sent({ clients }: World, { by, operation, path, body, ...given }: Ask): Promise<Reply> {
  const { key, ifMatch, ifNoneMatch, leaseId, fence } = given;
  return clients[by](operation.split(" ")[0]!, path, body, {
    ...(key !== undefined && { "Idempotency-Key": key }),
    ...(ifMatch !== undefined && { "If-Match": ifMatch }),
    ...(ifNoneMatch !== undefined && { "If-None-Match": ifNoneMatch }),
    ...(leaseId !== undefined && { "X-Service-Lease-Id": leaseId }),
    ...(fence !== undefined && { "X-Service-Lease-Fence": fence }),
  });
}

function compare(reply: Reply, { status, reason }: Outcome, ask: Ask): void {
  const shown = `${ask.operation}: ${JSON.stringify(ask)} gave ${reply.status} ${JSON.stringify(reply.body)}`;
  assert.ok([status].flat().includes(reply.status), `${shown.slice(0, 1500)}; the model expects ${status}`);
  if (reply.status === 304) {
    assert.equal(reply.body, "", "a 304 has no body");
    return;
  }
  assert.equal(reply.headers.get("content-type"), "application/json");
  if (reply.status < 400) return;
  const { code, message, details } = reply.body.error;
  assert.equal(code, reply.status, "error.code is the status");
  if (reason === undefined) return;
  const names = [reason].flat();
  assert.ok(names.includes(details?.reason), `${shown.slice(0, 1500)}; the model expects ${reason}`);
  assert.ok(message.startsWith(`${details.reason}: `), `the message starts with ${details.reason}`);
}

/** Compares the members that the model knows; undefined means that a member must be absent. */
export function compareMembers(actual: Record<string, unknown>, expected: object, what: string): void {
  const known = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
  assert.deepEqual(known, { ...expected }, what);
  for (const [name, value] of Object.entries(expected))
    if (value === undefined) assert.ok(!(name in actual), `${what}: ${name} is omitted`);
}
