// The checks of one request to an operation, in the order of the API specification. Host, User-Agent, path and method
// are checked before, in server.ts.

import { type Identity, requireScope } from "../auth/identity.ts";
import { badRequest, Failure } from "../kernel/errors.ts";
import { FOLLOW_HEADER } from "../kernel/following.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
import { authenticate } from "./authenticate.ts";
import { checkContentHeaders } from "./body.ts";
import { identifyBySession } from "./console-session.ts";
import type { Edge } from "./edge.ts";
import type { Exchange } from "./exchange.ts";
import { type KeyedRequest, readIdempotencyKey, repeatedBy, startKeyed } from "./idempotency.ts";
import { noParameters, type Operation, tierOf, writesRecords } from "./operation.ts";
import { bodyOf } from "./parse-body.ts";
import { readQuery } from "./query.ts";
import { type IncomingBody, readBody } from "./read-body.ts";
import type { Reply } from "./respond.ts";
import type { Turn } from "./turns.ts";

/** A request whose path and method belong to an operation. */
export interface Routed<Deps> {
  operation: Operation<Deps>;
  deps: Deps;
  request: IncomingBody;
  exchange: Exchange;
  /** As it was sent, without the query. */
  path: string;
  /** As it was sent, without the question mark. */
  rawQuery: string;
  pathId: string | undefined;
  /** The body of a request that this process sends to itself, in place of that of `request`. */
  ownBody?: object | undefined;
  /** What a repetition of such a request must repeat in place of its body. */
  ownRepeated?: object | undefined;
}

/** A request on its way through the checks. Each adds what later ones and the handler need. */
export interface Call extends Routed<never> {
  /**
   * Absent for public operations, and until the caller is identified. Other protocols identify the caller themselves.
   */
  caller?: Identity;
  /** Whether the rate limit counts it. */
  isCounted: boolean;
  turn?: Turn;
  key?: string;
  sent?: Awaited<ReturnType<typeof readBody>>;
  /** The receipt of a request with an Idempotency-Key. */
  keyed?: KeyedRequest;
  /** Query and body as the operation declares them. */
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Throws the failure that rejects the request, or returns the reply if there is one already. */
type Check = (edge: Edge, call: Call) => void | Promise<void> | Promise<Reply | undefined>;

/** In place of a user, for operations without authentication. */
const NOBODY = "";

/** The order is that of the specification: a retry is replayed, for example, before its body is checked. */
export const CHECKS: readonly Check[] = [
  identifyCaller,
  checkScope,
  checkReadOnly,
  checkRate,
  readKey,
  readSentBody,
  takeTurn,
  replayReceipt,
  checkQuery,
  checkId,
  checkBody,
];

/** By the Authorization header or, if there is none, by the session of the console. Throws `unauthenticated`. */
async function identifyCaller(edge: Edge, call: Call): Promise<void> {
  const { operation, request, exchange } = call;
  if (operation.requires !== "public" && !call.caller) {
    const { headers } = request;
    exchange.enter("authentication");
    const bySession = headers.has("authorization") ? null : identifyBySession(edge.consoleSessions, headers);
    call.caller = bySession ?? (await authenticate(edge.credentials, headers, edge.baseUrl));
    exchange.caller = call.caller.credentialId;
  }
  call.turn = edge.turns.of({ userId: call.caller?.userId ?? NOBODY, cancelled: request.signal });
}

/** Throws `forbidden`. */
function checkScope(_edge: Edge, { operation, caller }: Call): void {
  if (caller) requireScope(caller, operation.requires);
}

/** Throws `forbidden` for a write to a read-only twin, except by the command that follows. */
function checkReadOnly({ following }: Edge, { operation, caller, request }: Call): void {
  if (following === null || !writesRecords(operation)) return;
  if (caller?.isLocal && request.headers.has(FOLLOW_HEADER)) return;
  const { remote } = following;
  throw new Failure(
    "forbidden",
    `this server is a read-only twin of the remote ${remote}: write there instead`,
  );
}

/** Throws `rate-limited`. */
function checkRate({ limiter }: Edge, { operation, caller, isCounted }: Call): void {
  if (caller && isCounted) limiter.take(caller, tierOf(operation));
}

/** Throws `bad-request` for an Idempotency-Key that is no key. */
function readKey(_edge: Edge, call: Call): void {
  call.exchange.enter("body");
  if (call.operation.idempotency && call.caller) call.key = readIdempotencyKey(call.request.headers);
}

/**
 * Throws `too-large`, and `rate-limited` if too many large bodies wait. A body that cannot be read is rejected later.
 */
async function readSentBody(edge: Edge, call: Call): Promise<void> {
  const { operation, request, ownBody, ownRepeated, caller, key, path } = call;
  const credentialId = operation.idempotency === "by-credential" ? caller!.credentialId : null;
  call.sent = await readBody(edge, operation, {
    request,
    ownBody,
    requester: { userId: caller?.userId ?? NOBODY, cancelled: request.signal },
    repeated:
      key === undefined
        ? undefined
        : { ...repeatedBy(path, request.headers, credentialId), ...(ownRepeated && { body: ownRepeated }) },
  });
}

async function takeTurn(_edge: Edge, { exchange, turn }: Call): Promise<void> {
  exchange.enter("handler");
  await turn!.take();
}

/** The stored reply to an earlier request with this key. Throws `conflict` and `unprocessable`. */
async function replayReceipt({ store, clock, inFlight }: Edge, call: Call): Promise<Reply | undefined> {
  const { operation, caller, key } = call;
  const { fingerprint } = call.sent!.parsed;
  if (key === undefined || fingerprint === undefined || !caller) return undefined;
  const receiptKey = { userId: caller.userId, operation: operation.name, key };
  call.keyed = startKeyed(store, inFlight, { receiptKey, fingerprint, now: clock.now() });
  if (!call.keyed.replay) return undefined;
  // Its receipt may have been committed just now.
  await store.synced();
  return call.keyed.replay;
}

/** Throws `bad-request`. */
function checkQuery(_edge: Edge, call: Call): void {
  call.query = readQuery(call.operation.query ?? noParameters, call.rawQuery);
}

/** Throws `bad-request`. */
function checkId(_edge: Edge, { pathId }: Call): void {
  if (pathId === undefined || ID_PATTERN.test(pathId)) return;
  throw badRequest({ path: "id", message: "must be 27 letters and digits" });
}

/** Throws `bad-request`, and `too-large` for a value that is too long. */
function checkBody(_edge: Edge, call: Call): void {
  const { isEmpty, parsed } = call.sent!;
  const { body, bodyMayBeEmpty = false } = call.operation;
  if (body && !(bodyMayBeEmpty && isEmpty)) checkContentHeaders(call.request.headers, bodyMayBeEmpty);
  call.body = body ? bodyOf(parsed) : {};
}
