// One request to one operation, in the one order of checks: authentication, scope, (rate limit), (idempotency key),
// body size, (stored receipt), syntax and shape, then the work. Host, User-Agent, path and method came before, in the edge.

import type { App } from "../app.ts";
import { requireScope } from "../auth/identity.ts";
import { badRequest, Failure, messageOf } from "../kernel/errors.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
import { authenticate, CHALLENGE } from "./authenticate.ts";
import { checkContentHeaders, parseJson, readBytes } from "./body.ts";
import { errorAnswer } from "./errors.ts";
import { noParameters, type Operation } from "./operation.ts";
import { readQuery } from "./query.ts";
import { type Answer, v1Response } from "./respond.ts";
import { checkShape } from "./shape.ts";

/** A call of an operation whose shapes are known only to itself. */
type AnyCall = Parameters<Operation["handle"]>[0];

/** Answers a request whose path and method belong to `operation`. Never throws. */
export async function dispatch(
  app: App,
  operation: Operation,
  request: Request,
  pathId: string | undefined,
): Promise<Response> {
  const headers: Record<string, string> = {};
  let answer: Answer;
  try {
    answer = await perform(app, operation, request, pathId, headers);
  } catch (error) {
    answer = failureAnswer(app, error, operation.name);
  }
  return v1Response(answer, headers, request.method === "HEAD");
}

/** The answer to anything thrown; what is not a Failure is logged, because it is our mistake. */
export function failureAnswer(app: App, error: unknown, where: string): Answer {
  const answer = errorAnswer(error);
  if (answer.status >= 500) app.log.error("request failed", { operation: where, reason: messageOf(error) });
  if (answer.status === 401) answer.headers = { "WWW-Authenticate": CHALLENGE };
  return answer;
}

async function perform(
  app: App,
  operation: Operation,
  request: Request,
  pathId: string | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const isPublic = operation.requires === "public";
  const caller = isPublic ? undefined : authenticate(app.keys, request.headers);
  if (caller) {
    headers["Cache-Control"] = "no-store";
    requireScope(caller, operation.requires);
  }
  const bytes = operation.body ? await readBytes(request) : undefined;
  const query = readQuery(operation.query ?? noParameters, rawQuery(request.url));
  if (pathId !== undefined && !ID_PATTERN.test(pathId)) {
    throw badRequest({ path: "id", message: "must be 27 letters and digits" });
  }
  let body = {};
  if (operation.body && bytes) {
    checkContentHeaders(request.headers, bytes.length === 0);
    body = checkShape(operation.body, bytes.length === 0 ? {} : parseJson(bytes));
  }
  const commit: AnyCall["commit"] = (action) => {
    const answer = app.store.write(action);
    app.jobs.wake();
    return answer;
  };
  const call = { app, caller, id: pathId ?? "", query, body, headers: request.headers, commit };
  return operation.handle(call as AnyCall);
}

/** The query string as it was sent. */
function rawQuery(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}

/** 404 for a path that nobody knows, 405 with `Allow` for a method it does not have. */
export function unrouted(allowed: readonly string[]): Failure {
  if (allowed.length === 0) return new Failure("not-found", "no such path");
  return new Failure("method-not-allowed", `this path allows ${allowed.join(", ")}`);
}
