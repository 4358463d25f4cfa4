// Operations and public pages as Elysia plugins. Each path is registered once, for all methods; a method that the path
// does not have is rejected here with 405. No other file matches paths.

import { Elysia } from "elysia";
import { Failure } from "../kernel/errors.ts";
import { dispatch, failureReply } from "./dispatch.ts";
import type { Edge } from "./edge.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { Operation } from "./operation.ts";
import { type Received, type Reply, responseTo } from "./respond.ts";
import { targetOf } from "./target.ts";

/** Produces a page outside the API. Throws a Failure if there is none for this request. */
export type Page = (request: Request) => Reply | Promise<Reply>;

/** A feature's operations as the plugin `name`; each handler receives `deps`. */
export function operationsPlugin<Deps>(
  edge: Edge,
  { name, operations }: { name: string; operations: readonly Operation<Deps>[] },
  deps: Deps,
) {
  const plugin = new Elysia({ name });
  for (const [path, methods] of groupByPath(operations)) {
    const idAt = path.split("/").indexOf(":id");
    plugin.all(
      path,
      ({ request }) => {
        const exchange = exchangeOf(request);
        exchange.route = path;
        const operation = methods.get(request.method);
        if (!operation) return methodNotAllowed(edge, request, [...methods.keys()]);
        const target = targetOf(request);
        // Not decoded: an id with an escaped character is not the same id.
        const pathId = idAt < 0 ? undefined : target.path.split("/")[idAt];
        const { path: sentPath, rawQuery } = target;
        return dispatch(edge, { operation, deps, request, exchange, path: sentPath, rawQuery, pathId });
      },
      { parse: "none" },
    );
  }
  return plugin;
}

/** Public pages outside the API, by path. They need neither credentials nor the headers of the API. */
export function pagesPlugin(edge: Edge, name: string, pages: Readonly<Record<string, Page>>) {
  const plugin = new Elysia({ name });
  for (const [path, page] of Object.entries(pages)) {
    const reply = async ({ request }: { request: Request }) => {
      const exchange = exchangeOf(request);
      exchange.route = path;
      if (!["GET", "HEAD"].includes(request.method)) return methodNotAllowed(edge, request, ["GET", "HEAD"]);
      exchange.enter("handler");
      try {
        return responseTo({ exchange, path }, await page(request));
      } catch (error) {
        return rejectRequest(edge, { exchange, path }, error);
      }
    };
    plugin.all(path, reply, { parse: "none" });
  }
  return plugin;
}

/** A path outside the API that accepts only POST, and whose handler responds by itself. */
export function postPlugin(
  edge: Edge,
  path: string,
  respond: (request: Request, rawQuery: string, exchange: Exchange) => Promise<Response>,
) {
  const reply = async ({ request }: { request: Request }) => {
    const exchange = exchangeOf(request);
    exchange.route = path;
    if (request.method !== "POST") return methodNotAllowed(edge, request, ["POST"]);
    return respond(request, targetOf(request).rawQuery, exchange);
  };
  return new Elysia({ name: path }).all(path, reply, { parse: "none" });
}

/** Sends browsers from these paths to `target`; for other clients the paths do not exist. */
export function redirectPlugin(edge: Edge, paths: readonly string[], target: string) {
  const plugin = new Elysia({ name: "redirects" });
  const reply = ({ request }: { request: Request }) => {
    const isPage = ["GET", "HEAD"].includes(request.method);
    return isPage && /\btext\/html\b/i.test(request.headers.get("accept") ?? "")
      ? responseTo(receivedOf(request), { status: 302, headers: { Location: target }, text: "" })
      : rejectRequest(edge, receivedOf(request), unknownPath());
  };
  for (const path of paths) plugin.all(path, reply, { parse: "none" });
  return plugin;
}

/** 404 for every path that no plugin has, and the error envelope for everything that a route throws. */
export function fallbackPlugin(edge: Edge) {
  return new Elysia({ name: "fallback" })
    .all("/*", ({ request }) => rejectRequest(edge, receivedOf(request), unknownPath()), { parse: "none" })
    .onError({ as: "global" }, ({ error, request }) => rejectRequest(edge, receivedOf(request), error));
}

/** 404 for a path that is not served. */
export const unknownPath = () => new Failure("not-found", "no such path");

/** The response to a request that failed outside of any operation, with the headers of /v1 if its path is in /v1. */
export function rejectRequest(edge: Edge, received: Received, error: unknown): Response {
  return responseTo(received, failureReply(edge, error, received.exchange));
}

const receivedOf = (request: Request): Received => ({
  exchange: exchangeOf(request),
  path: targetOf(request).path,
});

function methodNotAllowed(edge: Edge, request: Request, allowed: string[]): Response {
  const Allow = allowed.join(", ");
  const received = receivedOf(request);
  const failure = new Failure("method-not-allowed", `this path allows ${Allow}`);
  return responseTo(received, { ...failureReply(edge, failure, received.exchange), headers: { Allow } });
}

/** The operations of each path by method; a GET also serves HEAD. */
function groupByPath<Deps>(
  operations: readonly Operation<Deps>[],
): Map<string, Map<string, Operation<Deps>>> {
  const paths = new Map<string, Map<string, Operation<Deps>>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? new Map<string, Operation<Deps>>();
    paths.set(operation.path, methods.set(operation.method, operation));
    if (operation.method === "GET") methods.set("HEAD", operation);
  }
  return paths;
}
