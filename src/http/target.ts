// The request target as the client sent it. `request.url` is not enough, because the runtime resolves dot segments and
// replaces backslashes in it. Routes match the path before that, so the path is read from the parameters of a route.

import type { BunRequest, Server } from "bun";

export interface Target {
  /** The path as it was sent, without the query. */
  path: string;
  /** The query as it was sent, without the question mark; "" if there is none. */
  rawQuery: string;
  /** True if `request.url` has another path than the one that was sent; such a request is rejected. */
  isRewritten: boolean;
}

/** Maximum number of segments for which there is a route. Longer paths are never served. */
const MAX_SEGMENTS = 16;

/** Handles one request of the server with its target. */
export type TargetHandler = (
  request: Request,
  target: Target,
  server: Server<undefined>,
) => Promise<Response>;

type Route = (request: BunRequest, server: Server<undefined>) => Promise<Response>;

/** Routes for `Bun.serve` that match every path and pass its target as it was sent. */
export function targetRoutes(handle: TargetHandler): Record<string, Route> {
  const withoutSegments: Route = (request, server) => handle(request, targetOf(request), server);
  // Paths with empty segments, which the runtime does not rewrite, and paths with too many segments.
  const anyOther: Route = (request, server) => {
    const target = targetOf(request);
    const hasEmptySegment = target.path.slice(1).split("/").includes("");
    return handle(request, { ...target, isRewritten: !hasEmptySegment }, server);
  };
  const routes: Record<string, Route> = { "/": withoutSegments, "/*": anyOther };
  let pattern = "";
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    pattern += `/:s${segment}`;
    routes[pattern] = (request, server) => handle(request, sentTarget(request), server);
  }
  return routes;
}

/** Whether a path belongs to the API, whose responses have headers and framing of their own. */
export const isApiPath = (path: string) => path.startsWith("/v1/") || path === "/v1";

/** The target in a request's URL: path and query, found without a URL parser. */
export function targetOf(request: Pick<Request, "url" | "headers">): Target {
  const [path = "", ...query] = pathAndQuery(request).split("?");
  return { path, rawQuery: query.join("?"), isRewritten: false };
}

/**
 * A request as the router needs it. Elysia reads the path from the 12th character on, so it misreads hosts of fewer
 * than four letters; and it replies to HEAD on a path with parameters itself, with Content-Length instead of GET's
 * framing. HEAD is therefore routed as GET; the runtime leaves the body out.
 */
export function routable(request: Request): Request {
  const target = pathAndQuery(request);
  const isLongHost = request.url.length - target.length >= "http://".length + 4;
  if (isLongHost && request.method !== "HEAD") return request;
  const url = isLongHost ? request.url : `http://localhost${target}`;
  if (request.method !== "HEAD") return new Request(url, request);
  return new Request(url, { headers: request.headers, signal: request.signal });
}

function pathAndQuery({ url, headers }: Pick<Request, "url" | "headers">): string {
  const authority = `http://${headers.get("host") ?? ""}`;
  if (url.startsWith(authority)) return url.slice(authority.length);
  // If the Host header is not valid in a URL, `url` contains only path and query.
  return url.startsWith("/") ? url : url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Compares the segments of the URL with those that the route matched, which are decoded. */
function sentTarget(request: BunRequest): Target {
  const target = targetOf(request);
  const sent: string[] = Object.values(request.params);
  const inUrl = target.path.slice(1).split("/");
  const isRewritten =
    sent.length !== inUrl.length ||
    sent.some((segment, index) => isDotSegment(segment) || hasRawBackslash(segment, inUrl[index] ?? ""));
  return isRewritten ? { path: `/${sent.join("/")}`, rawQuery: target.rawQuery, isRewritten } : target;
}

const isDotSegment = (segment: string) => segment === "." || segment === "..";

/** Whether a segment was sent with an unescaped backslash: the URL contains only the escaped ones. */
function hasRawBackslash(decoded: string, inUrl: string): boolean {
  return decoded.split("\\").length !== inUrl.split(/%5c/i).length;
}
