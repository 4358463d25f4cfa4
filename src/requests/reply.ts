// What commands and the console need to use the API: a way to send requests, and the data of a reply or its failure
// with what to do about it. Must run in a browser, too.

import { Failure, type FailureKind, STORAGE_REASON } from "../kernel/errors.ts";

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** A list is sent as one parameter, separated by commas; undefined is omitted. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed JSON, or text of another type; null without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation
  body: any;
}

/** Sends requests to the API as one user. */
export interface Requests {
  /** Sends a request and reads the whole response. Throws only if the server cannot be reached. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
}

const KINDS: Record<number, FailureKind> = {
  400: "bad-request",
  401: "unauthenticated",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  412: "precondition-failed",
  413: "too-large",
  422: "unprocessable",
  428: "precondition-required",
  429: "rate-limited",
};
const ADVICE: Record<number, string> = {
  412: "it has changed in the meantime: run the command again",
  500: "the log of the server has the cause",
};

/** `data` of a successful reply. Throws the Failure of any other. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation
export function dataOf(reply: Reply): any {
  if (reply.status < 300) return reply.body.data;
  throw failureOf(reply);
}

/** Whether the disk or the file of the database is the cause: then no other request of this kind will succeed. */
export function isStorageFailure(error: unknown): error is Failure {
  return (
    error instanceof Failure && isStorageReason((error.details as { reason?: unknown } | undefined)?.reason)
  );
}

const isStorageReason = (reason: unknown) =>
  typeof reason === "string" && reason.startsWith(STORAGE_REASON) && reason !== `${STORAGE_REASON}BUSY`;

/** The failure that an error reply describes. */
function failureOf({ status, headers, body }: Reply): Failure {
  const message: string = body?.error?.message ?? (String(body ?? "").trim() || `status ${status}`);
  const isExplained = isStorageReason(body?.error?.details?.reason);
  const advice =
    status === 429
      ? `try again in ${headers.get("retry-after")} s`
      : isExplained
        ? undefined
        : ADVICE[status];
  return new Failure(KINDS[status] ?? "unavailable", advice ? `${message} (${advice})` : message, {
    details: body?.error?.details,
  });
}

/** The query of a URL with its question mark; empty without parameters. */
export function queryText(query: RequestOptions["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}
