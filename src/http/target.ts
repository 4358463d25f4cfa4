// The request target as it was sent: path and query, found without asking a URL parser.

export interface Target {
  /** Without the query, percent escapes as sent. */
  path: string;
  /** Without the question mark; "" where there is none. */
  rawQuery: string;
}

/** Splits the target of a request. */
export function targetOf(request: Request): Target {
  const [path, ...query] = textOf(request).split("?");
  return { path: path!, rawQuery: query.join("?") };
}

/** Whether a path belongs to the API, whose responses have headers and framing of their own. */
export const isApiPath = (path: string) => path.startsWith("/v1/") || path === "/v1";

function textOf({ url, headers }: Request): string {
  const authority = `http://${headers.get("host") ?? ""}`;
  if (url.startsWith(authority)) return url.slice(authority.length);
  // A Host that makes no URL leaves the bare target.
  return url.startsWith("/") ? url : url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Elysia looks for the path from the 12th character of a URL on: hosts of under four letters are replaced. */
export function withLongHost(request: Request): Request {
  const target = textOf(request);
  if (request.url.length - target.length >= "http://".length + 4) return request;
  return new Request(`http://localhost${target}`, request);
}
