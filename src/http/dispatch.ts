// Executes one request of one operation: its checks, then its handler when there is room for it.

import { agentName, type Identity } from "../auth/identity.ts";
import { messageOf } from "../kernel/errors.ts";
import { collectStepTimes } from "../kernel/step-times.ts";
import { challenge } from "./authenticate.ts";
import { isSentByConsole } from "./console-session.ts";
import { type Call, CHECKS, type Routed } from "./checks.ts";
import type { Edge } from "./edge.ts";
import { errorReply } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { type Operation, tierOf } from "./operation.ts";
import { begin } from "./pieces.ts";
import { changeOf } from "./publish.ts";
import { type RateWindow, rateLimitHeaders, retryAfter } from "./rate-limit.ts";
import { compressed } from "./compress.ts";
import { type Reply, responseTo } from "./respond.ts";

/** A call of an operation, without the types of its query and body. */
type HandlerCall = Parameters<Operation<unknown>["handle"]>[0];

/** Responds to a routed request. Never throws. */
export async function dispatch<Deps>(edge: Edge, routed: Routed<Deps>): Promise<Response> {
  const call = callOf(routed);
  const reply = await runOperation(edge, call);
  const { caller, exchange } = call;
  exchange.enter("sending");
  const headers: Record<string, string> = {};
  if (caller) {
    const window = windowOf(edge, caller, call.operation, reply);
    Object.assign(headers, { "Cache-Control": "no-store" }, rateLimitHeaders(window, edge.clock.now()));
  }
  return responseTo(call, compressed(call.operation, call.request.headers, reply), headers);
}

/** The window as the headers show it. A full queue leaves requests in the window that must not be sent yet. */
function windowOf(
  edge: Edge,
  caller: Identity,
  operation: Call["operation"],
  { status, headers }: Reply,
): RateWindow {
  const window = edge.limiter.window(caller, tierOf(operation));
  if (status !== 429 || window.remaining === 0) return window;
  const waitMs = Number(headers?.["Retry-After"] ?? 0) * 1000;
  return { ...window, remaining: 0, resetInMs: Math.max(window.resetInMs, waitMs) };
}

/** The call of a request. A protocol of this process that identifies the caller itself sets `caller`. */
export function callOf<Deps>(
  routed: Routed<Deps>,
  known: Partial<Pick<Call, "caller" | "isCounted">> = {},
): Call {
  return { isCounted: true, ...known, ...(routed as unknown as Routed<never>) };
}

/** The reply to a request. Never throws. */
export async function runOperation(edge: Edge, call: Call): Promise<Reply> {
  const { operation, exchange, request } = call;
  const { limiter } = edge;
  try {
    const { pieces, ...reply } = await collectStepTimes(exchange.workers, () => checkAndHandle(edge, call));
    if (!pieces) return reply;
    await call.turn!.takeWithRoom();
    const begun = begin(pieces, edge.clock);
    if (!begun.pieces) return { ...reply, ...begun };
    return { ...reply, pieces: loggingFailures(edge, begun.pieces, exchange) };
  } catch (error) {
    // A client that has disconnected receives no reply, and what was cancelled for that is no failure.
    const reply = request.signal.aborted ? errorReply(error) : failureReply(edge, error, exchange);
    if (call.caller && reply.status === 429) {
      const window = limiter.window(call.caller, tierOf(operation));
      reply.headers = { "Retry-After": retryAfter(window), ...reply.headers };
    }
    return reply;
  }
}

async function checkAndHandle(edge: Edge, call: Call): Promise<Reply> {
  try {
    for (const check of CHECKS) {
      const reply = await check(edge, call);
      if (reply) return reply;
    }
    return await handle(edge, call);
  } catch (error) {
    await call.keyed?.storeRejection(errorReply(error));
    throw error;
  } finally {
    call.keyed?.finish();
  }
}

/** Runs the handler when there is room for it. */
async function handle({ store, jobs, queues, changes, activityLog }: Edge, call: Call): Promise<Reply> {
  const { operation, deps, request, caller, turn, keyed, pathId, query } = call;
  const commit: HandlerCall["commit"] = (action) =>
    store.writeWhenFree(
      (write) => {
        write.afterCommit(() => jobs.wake());
        const result = action(write);
        keyed?.store(write, result);
        return result;
      },
      { usesReserve: operation.method === "DELETE" },
    );
  const { headers, signal: disconnected } = request;
  const takeTurn = () => turn!.take();
  const { body } = call;
  const handled = { caller, id: pathId ?? "", query, body, headers, disconnected, takeTurn, commit };
  const run = async () => {
    const reply = await operation.handle(handled as HandlerCall, deps);
    const change = changeOf(operation, pathId, reply);
    if (change && caller) {
      changes.publish({ ...change, userId: caller.userId, credentialId: caller.credentialId });
    }
    const noted = reply.noted ?? (change?.action === "delete" ? ({ kind: "delete" } as const) : undefined);
    if (noted && caller && isAgent(caller, headers))
      activityLog.note(caller.userId, agentName(caller), noted);
    return reply;
  };
  const { queue } = operation;
  if (!queue || !caller || operation.isQueued?.(query ?? {}) === false) return run();
  return queues[queue].run({ userId: caller.userId, cancelled: disconnected }, run);
}

/** Whether a program acts for the user: with a credential of its own, or by a protocol for agents. */
const isAgent = ({ kind, program }: Identity, headers: Headers) =>
  (kind !== "session" || program !== undefined) && !isSentByConsole(headers);

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
