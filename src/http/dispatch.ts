// One request to one operation, in the one order of checks: authentication, scope, rate limit, syntax of Idempotency-Key,
// body size, stored receipt, syntax and shape, then the work. Host, User-Agent, path and method came before, in the edge.

import type { Credentials } from "../auth/credentials.ts";
import { type Identity, requireScope } from "../auth/identity.ts";
import type { Store } from "../db/store.ts";
import type { JobRunner } from "../jobs/runner.ts";
import type { Clock } from "../kernel/clock.ts";
import { badRequest, messageOf } from "../kernel/errors.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { authenticate, challenge } from "./authenticate.ts";
import { checkContentHeaders, parseJson, readBytes } from "./body.ts";
import { errorAnswer } from "./errors.ts";
import { beginKeyed, fingerprintOf, type InFlight, type Keyed, readIdempotencyKey } from "./idempotency.ts";
import { noParameters, type Operation, tierOf } from "./operation.ts";
import { readQuery } from "./query.ts";
import { type RateLimiter, rateLimitHeaders, retryAfter } from "./rate-limit.ts";
import { type Answer, v1Response } from "./respond.ts";
import { checkShape } from "./shape.ts";

/** What all requests of one server share. */
export interface Edge {
  store: Store;
  clock: Clock;
  log: Log;
  credentials: Credentials;
  /** Woken after each commit: there may be new jobs. */
  jobs: Pick<JobRunner, "wake">;
  /** How clients reach this server; never taken from a Host header. */
  baseUrl: string;
  limiter: RateLimiter;
  inFlight: InFlight;
}

/** A request whose path and method belong to an operation. */
export interface Routed<Deps> {
  operation: Operation<Deps>;
  deps: Deps;
  request: Request;
  /** As it was sent, without the query. */
  path: string;
  /** As it was sent, without the question mark. */
  rawQuery: string;
  pathId: string | undefined;
}

/** A call of an operation whose shapes are known only to itself. */
type AnyCall = Parameters<Operation<unknown>["handle"]>[0];

/** Answers a routed request. Never throws. */
export async function dispatch<Deps>(edge: Edge, routed: Routed<Deps>): Promise<Response> {
  const { operation, request } = routed;
  const { credentials, clock, limiter } = edge;
  const tier = tierOf(operation);
  let caller: Identity | undefined;
  let answer: Answer;
  try {
    if (operation.requires !== "public") {
      caller = await authenticate(credentials, request.headers, edge.baseUrl);
      requireScope(caller, operation.requires);
      limiter.take(caller.userId, tier);
    }
    answer = await perform(edge, routed, caller);
    if (answer.pieces) answer = { ...answer, pieces: watched(edge, answer.pieces, operation.name) };
  } catch (error) {
    answer = failureAnswer(edge, error, operation.name);
  }
  const headers: Record<string, string> = {};
  if (caller) {
    const window = limiter.window(caller.userId, tier);
    Object.assign(headers, { "Cache-Control": "no-store" }, rateLimitHeaders(window, clock.now()));
    if (answer.status === 429) headers["Retry-After"] = retryAfter(window);
  }
  return v1Response(answer, headers);
}

/** The answer to anything thrown; what is not a Failure is logged, because it is our mistake. */
export function failureAnswer({ log, baseUrl }: Edge, error: unknown, where: string): Answer {
  const answer = errorAnswer(error);
  if (answer.status >= 500) log.error("request failed", { operation: where, reason: messageOf(error) });
  if (answer.status === 401) answer.headers = challenge(baseUrl);
  return answer;
}

/** Passes pieces on. A failure comes too late for another status: it is logged here, and breaks the answer off. */
function* watched({ log }: Edge, pieces: Iterable<string>, where: string): Generator<string> {
  try {
    yield* pieces;
  } catch (error) {
    log.error("answer broken off", { operation: where, reason: messageOf(error) });
    throw error;
  }
}

async function perform<Deps>(
  edge: Edge,
  routed: Routed<Deps>,
  caller: Identity | undefined,
): Promise<Answer> {
  const { operation, request } = routed;
  const key = operation.idempotency && caller ? readIdempotencyKey(request.headers) : undefined;
  const bytes = operation.body ? await readBytes(request) : new Uint8Array();
  if (key === undefined || !caller) return work(edge, routed, caller, bytes, undefined);
  const { store, clock, inFlight } = edge;
  const fingerprint = fingerprintOf({
    path: routed.path,
    body: bytes.length === 0 && operation.bodyMayBeEmpty ? {} : jsonOrUndefined(bytes),
    bytes,
    headers: request.headers,
    credentialId: operation.idempotency === "by-credential" ? caller.credentialId : undefined,
  });
  const receiptKey = { userId: caller.userId, operation: operation.name, key };
  const keyed = beginKeyed(store, inFlight, { receiptKey, fingerprint, now: clock.now() });
  if (keyed.replay) return keyed.replay;
  try {
    return await work(edge, routed, caller, bytes, keyed);
  } catch (error) {
    keyed.storeRejection(errorAnswer(error));
    throw error;
  } finally {
    keyed.end();
  }
}

/** Query, id and body in their shapes, then the operation's own work. */
async function work<Deps>(
  { store, jobs }: Edge,
  { operation, deps, request, rawQuery, pathId }: Routed<Deps>,
  caller: Identity | undefined,
  bytes: Uint8Array,
  keyed: Keyed | undefined,
): Promise<Answer> {
  const { headers } = request;
  const query = readQuery(operation.query ?? noParameters, rawQuery);
  if (pathId !== undefined && !ID_PATTERN.test(pathId)) {
    throw badRequest({ path: "id", message: "must be 27 letters and digits" });
  }
  let body = {};
  if (operation.body) {
    const mayBeEmpty = operation.bodyMayBeEmpty ?? false;
    const isLeftOut = mayBeEmpty && bytes.length === 0;
    if (!isLeftOut) checkContentHeaders(headers, mayBeEmpty);
    body = checkShape(operation.body, isLeftOut ? {} : parseJson(bytes));
  }
  const commit: AnyCall["commit"] = (action) => {
    const answer = store.write((write) => {
      const done = action(write);
      keyed?.store(write, done);
      return done;
    });
    jobs.wake();
    return answer;
  };
  return operation.handle({ caller, id: pathId ?? "", query, body, headers, commit } as AnyCall, deps);
}

function jsonOrUndefined(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}
