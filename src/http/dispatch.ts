// One request to one operation, in the one order of checks: authentication, scope, rate limit, syntax of Idempotency-Key,
// body size, stored receipt, syntax and shape, then the work. Host, User-Agent, path and method came before, in the edge.

import type { App } from "../app.ts";
import { type Identity, requireScope } from "../auth/identity.ts";
import { badRequest, Failure, messageOf } from "../kernel/errors.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
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
  app: App;
  /** How clients reach this server; never taken from a Host header. */
  baseUrl: string;
  limiter: RateLimiter;
  inFlight: InFlight;
}

/** A request whose path and method belong to an operation. */
export interface Routed {
  operation: Operation;
  request: Request;
  /** As it was sent, without the query. */
  path: string;
  /** As it was sent, without the question mark. */
  rawQuery: string;
  pathId: string | undefined;
}

/** A call of an operation whose shapes are known only to itself. */
type AnyCall = Parameters<Operation["handle"]>[0];

/** Answers a routed request. Never throws. */
export async function dispatch(edge: Edge, routed: Routed): Promise<Response> {
  const { operation, request } = routed;
  const { app, limiter } = edge;
  const tier = tierOf(operation);
  let caller: Identity | undefined;
  let answer: Answer;
  try {
    if (operation.requires !== "public") {
      caller = await authenticate(app.credentials, request.headers, edge.baseUrl);
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
    const standing = limiter.standing(caller.userId, tier);
    Object.assign(headers, { "Cache-Control": "no-store" }, rateLimitHeaders(standing, app.clock.now()));
    if (answer.status === 429) headers["Retry-After"] = retryAfter(standing);
  }
  return v1Response(answer, headers);
}

/** The answer to anything thrown; what is not a Failure is logged, because it is our mistake. */
export function failureAnswer({ app, baseUrl }: Edge, error: unknown, where: string): Answer {
  const answer = errorAnswer(error);
  if (answer.status >= 500) app.log.error("request failed", { operation: where, reason: messageOf(error) });
  if (answer.status === 401) answer.headers = challenge(baseUrl);
  return answer;
}

/** Passes pieces on. A failure comes too late for another status: it is logged here, and breaks the answer off. */
function* watched({ app }: Edge, pieces: Iterable<string>, where: string): Generator<string> {
  try {
    yield* pieces;
  } catch (error) {
    app.log.error("answer broken off", { operation: where, reason: messageOf(error) });
    throw error;
  }
}

async function perform(edge: Edge, routed: Routed, caller: Identity | undefined): Promise<Answer> {
  const { operation, request } = routed;
  const key = operation.idempotency && caller ? readIdempotencyKey(request.headers) : undefined;
  const bytes = operation.body ? await readBytes(request) : new Uint8Array();
  if (key === undefined || !caller) return work(edge, routed, caller, bytes, undefined);
  const { app, inFlight } = edge;
  const fingerprint = fingerprintOf(
    routed.path,
    bytes.length === 0 && operation.bodyMayBeEmpty ? {} : jsonOrUndefined(bytes),
    bytes,
    request.headers,
    operation.idempotency === "by-credential" ? caller.credentialId : undefined,
  );
  const receiptKey = { userId: caller.userId, operation: operation.name, key };
  const keyed = beginKeyed(app.store, inFlight, receiptKey, fingerprint, app.clock.now());
  if (keyed.replay) return keyed.replay;
  try {
    return await work(edge, routed, caller, bytes, keyed);
  } catch (error) {
    keyed.keepRefusal(errorAnswer(error));
    throw error;
  } finally {
    keyed.end();
  }
}

/** Query, id and body in their shapes, then the operation's own work. */
async function work(
  { app }: Edge,
  { operation, request, rawQuery, pathId }: Routed,
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
    const answer = app.store.write((write) => {
      const done = action(write);
      keyed?.keep(write, done);
      return done;
    });
    app.jobs.wake();
    return answer;
  };
  return operation.handle({ app, caller, id: pathId ?? "", query, body, headers, commit } as AnyCall);
}

function jsonOrUndefined(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

/** 404 for a path that nobody knows, 405 with `Allow` for a method it does not have. */
export function unrouted(allowed: readonly string[]): Failure {
  if (allowed.length === 0) return new Failure("not-found", "no such path");
  return new Failure("method-not-allowed", `this path allows ${allowed.join(", ")}`);
}
