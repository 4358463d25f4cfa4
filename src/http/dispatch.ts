// Executes one request of one operation. Order of checks: authentication, scope, rate limit, syntax of Idempotency-Key, body
// size, a turn of the thread, stored receipt, syntax and shape, room in its queue, then the handler. Host, User-Agent, path and
// method are checked before, in server.ts.

import type { ConsoleSessions } from "../auth/console-sessions.ts";
import type { Credentials } from "../auth/credentials.ts";
import { type Identity, requireScope } from "../auth/identity.ts";
import type { StorageWatch } from "../db/storage-watch.ts";
import type { Store } from "../db/store.ts";
import type { JobRunner } from "../jobs/runner.ts";
import type { Clock } from "../kernel/clock.ts";
import { badRequest, messageOf } from "../kernel/errors.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { collectStepTimes } from "../kernel/step-times.ts";
import { authenticate, challenge } from "./authenticate.ts";
import { checkContentHeaders } from "./body.ts";
import { identifyBySession } from "./console-session.ts";
import { errorReply } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import {
  type InFlight,
  type KeyedRequest,
  readIdempotencyKey,
  repeatedBy,
  startKeyed,
} from "./idempotency.ts";
import { noParameters, type Operation, tierOf } from "./operation.ts";
import { bodyOf } from "./parse-body.ts";
import { readQuery } from "./query.ts";
import { type RateLimiter, rateLimitHeaders, retryAfter } from "./rate-limit.ts";
import { begin } from "./pieces.ts";
import { type BodyReader, readBody } from "./read-body.ts";
import { type Reply, responseTo } from "./respond.ts";
import type { Turn, Turns } from "./turns.ts";

/** What all requests of one server share. */
export interface Edge extends BodyReader {
  store: Store;
  clock: Clock;
  log: Log;
  credentials: Credentials;
  consoleSessions: ConsoleSessions;
  /** Woken after each commit: there may be new jobs. */
  jobs: Pick<JobRunner, "wake">;
  /** The URL by which clients reach this server; never taken from a Host header. */
  baseUrl: string;
  limiter: RateLimiter;
  inFlight: InFlight;
  turns: Turns;
  /** Told about every error: it may show a problem of the disk or the file. */
  storage: Pick<StorageWatch, "observe">;
}

/** A request whose path and method belong to an operation. */
export interface Routed<Deps> {
  operation: Operation<Deps>;
  deps: Deps;
  request: Request;
  exchange: Exchange;
  /** As it was sent, without the query. */
  path: string;
  /** As it was sent, without the question mark. */
  rawQuery: string;
  pathId: string | undefined;
  /** The body of a request that this process sends to itself, in place of that of `request`. */
  ownBody?: object | undefined;
}

/** A call of an operation, without the types of its query and body. */
type AnyCall = Parameters<Operation<unknown>["handle"]>[0];

/** Responds to a routed request. Never throws. */
export async function dispatch<Deps>(edge: Edge, routed: Routed<Deps>): Promise<Response> {
  const { operation, request, exchange } = routed;
  const { clock, limiter } = edge;
  let caller: Identity | undefined;
  let turn: Turn | undefined;
  let reply: Reply;
  try {
    if (operation.requires !== "public") {
      exchange.enter("authentication");
      caller = await identify(edge, request.headers);
      exchange.caller = caller.credentialId;
    }
    turn = turnOf(edge, request, caller);
    reply = await runOperation(edge, routed, { caller, turn });
  } catch (error) {
    reply = failureReply(edge, error, exchange);
  }
  exchange.enter("sending");
  const headers: Record<string, string> = {};
  if (caller) {
    const window = limiter.window(caller, tierOf(operation));
    Object.assign(headers, { "Cache-Control": "no-store" }, rateLimitHeaders(window, clock.now()));
  }
  return responseTo({ ...routed, turn }, reply, headers);
}

/** The turns of a request. Those without a caller are the requests of one user. */
export function turnOf({ turns }: Edge, { signal }: Request, caller: Identity | undefined): Turn {
  return turns.of({ userId: caller?.userId ?? NOBODY, cancelled: signal });
}

/** The caller by the Authorization header or, if there is none, by the session of the console. Throws `unauthenticated`. */
async function identify(
  { credentials, consoleSessions, baseUrl }: Edge,
  headers: Headers,
): Promise<Identity> {
  const bySession = headers.has("authorization") ? null : identifyBySession(consoleSessions, headers);
  return bySession ?? authenticate(credentials, headers, baseUrl);
}

/** Who sends a request, as authentication identified it, and whether the rate limit counts it; by default it does. */
interface Sender {
  /** Undefined for public operations only. */
  caller: Identity | undefined;
  turn: Turn;
  isCounted?: boolean;
}

/**
 * The reply to a request whose sender is known: scope, rate limit, then the request's own checks. Never throws. It is also
 * the way in for other protocols of this process, which identify the caller themselves.
 */
export async function runOperation<Deps>(edge: Edge, routed: Routed<Deps>, sender: Sender): Promise<Reply> {
  const { caller, turn, isCounted = true } = sender;
  const { operation, exchange, request } = routed;
  const { limiter } = edge;
  const tier = tierOf(operation);
  try {
    if (caller) {
      requireScope(caller, operation.requires);
      if (isCounted) limiter.take(caller, tier);
    }
    const { pieces, ...reply } = await collectStepTimes(exchange.workers, () =>
      perform(edge, routed, sender),
    );
    if (!pieces) return reply;
    await turn.takeWithRoom();
    const begun = begin(pieces, edge.clock);
    if (!begun.pieces) return { ...reply, ...begun };
    return { ...reply, pieces: loggingFailures(edge, begun.pieces, exchange) };
  } catch (error) {
    // A client that has disconnected receives no reply, and what was cancelled for that is no failure.
    const reply = request.signal.aborted ? errorReply(error) : failureReply(edge, error, exchange);
    if (caller && reply.status === 429) {
      reply.headers = { "Retry-After": retryAfter(limiter.window(caller, tier)), ...reply.headers };
    }
    return reply;
  }
}

/** The reply to anything that was thrown. Internal errors are logged. */
export function failureReply({ log, baseUrl, storage }: Edge, error: unknown, exchange: Exchange): Reply {
  const reply = errorReply(error);
  storage.observe(error);
  if (reply.status >= 500) log.error("request failed", failureFacts(exchange, error));
  if (reply.status === 401) reply.headers = challenge(baseUrl);
  return reply;
}

function failureFacts({ method, route, id }: Exchange, error: unknown) {
  return { method, route, requestId: id, reason: messageOf(error) };
}

/** Logs a failure in a streamed body: the status is already sent, so the response ends without its last chunk. */
function* loggingFailures({ log }: Edge, pieces: Iterable<string>, exchange: Exchange): Generator<string> {
  try {
    yield* pieces;
  } catch (error) {
    log.error("response broken off", failureFacts(exchange, error));
    throw error;
  }
}

async function perform<Deps>(edge: Edge, routed: Routed<Deps>, { caller, turn }: Sender): Promise<Reply> {
  const { operation, request, exchange, path } = routed;
  exchange.enter("body");
  const key = operation.idempotency && caller ? readIdempotencyKey(request.headers) : undefined;
  const credentialId = operation.idempotency === "by-credential" ? caller!.credentialId : null;
  const body = await readBody(edge, operation, {
    request,
    ownBody: routed.ownBody,
    requester: { userId: caller?.userId ?? NOBODY, cancelled: request.signal },
    repeated: key === undefined ? undefined : repeatedBy(path, request.headers, credentialId),
  });
  exchange.enter("handler");
  await turn.take();
  const { fingerprint } = body.parsed;
  if (key === undefined || fingerprint === undefined || !caller)
    return execute(edge, routed, { caller, turn, body });
  const { store, clock, inFlight } = edge;
  const receiptKey = { userId: caller.userId, operation: operation.name, key };
  const keyed = startKeyed(store, inFlight, { receiptKey, fingerprint, now: clock.now() });
  if (keyed.replay) {
    // Its receipt may have been committed just now.
    await store.synced();
    return keyed.replay;
  }
  try {
    return await execute(edge, routed, { caller, turn, body, keyed });
  } catch (error) {
    await keyed.storeRejection(errorReply(error));
    throw error;
  } finally {
    keyed.finish();
  }
}

/** In place of a user, for operations without authentication. */
const NOBODY = "";

/** The parts of a request that are known before query, id and body are checked. */
interface Received {
  caller: Identity | undefined;
  turn: Turn;
  body: Awaited<ReturnType<typeof readBody>>;
  keyed?: KeyedRequest;
}

/** Checks query, id and body, then runs the handler when there is room for it. */
async function execute<Deps>(
  { store, jobs, queues }: Edge,
  { operation, deps, request, rawQuery, pathId }: Routed<Deps>,
  { caller, turn, body: { isEmpty, parsed }, keyed }: Received,
): Promise<Reply> {
  const { headers } = request;
  const query = readQuery(operation.query ?? noParameters, rawQuery);
  if (pathId !== undefined && !ID_PATTERN.test(pathId)) {
    throw badRequest({ path: "id", message: "must be 27 letters and digits" });
  }
  const { bodyMayBeEmpty = false } = operation;
  if (operation.body && !(bodyMayBeEmpty && isEmpty)) checkContentHeaders(headers, bodyMayBeEmpty);
  const body = operation.body ? bodyOf(parsed) : {};
  const commit: AnyCall["commit"] = (action) =>
    store.writeWhenFree(
      (write) => {
        write.afterCommit(() => jobs.wake());
        const result = action(write);
        keyed?.store(write, result);
        return result;
      },
      { usesReserve: operation.method === "DELETE" },
    );
  const { signal: disconnected } = request;
  const takeTurn = () => turn.take();
  const call = { caller, id: pathId ?? "", query, body, headers, disconnected, takeTurn, commit } as AnyCall;
  const { queue } = operation;
  if (!queue || !caller || operation.isQueued?.(query) === false) return operation.handle(call, deps);
  return queues[queue].run({ userId: caller.userId, cancelled: disconnected }, () =>
    operation.handle(call, deps),
  );
}
