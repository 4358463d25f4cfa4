// The only place that sends requests: with the header that the session cookie needs, and with errors as one type.

import { signal } from "@preact/signals";

/** A request that failed. `message` says what is wrong, for people. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The HTTP status; 0 if the server could not be reached. */
  readonly status: number;
  /** A code for programs, such as `LEASE_CONFLICT`. */
  readonly reason: string | undefined;

  constructor(status: number, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  signal?: AbortSignal;
  /** Lets the browser finish the request after the page is closed. */
  keepalive?: boolean;
  /** Waits as long as the rate limit demands, also to change something. */
  waits?: boolean;
}

export interface Reply<Data> {
  data: Data;
  status: number;
  headers: Headers;
}

export interface Page<Item> {
  data: Item[];
  pagination: { cursor: string; hasMore: boolean };
  /** What some lists say about all of their rows. */
  summary?: unknown;
}

/** Becomes true when a request was rejected because the session has ended. */
export const isSignedOut = signal(false);

const UNREACHABLE = "The server cannot be reached. Is ctxrepo still running?";

/** Limited requests are repeated by themselves if the wait is short. */
const MAX_WAIT_S = 5;

/** Sends a request and returns the whole body. Throws RequestError, or the reason of `signal`. */
export async function send<Body>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Reply<Body>> {
  const { body, headers, query, signal: abort, keepalive, waits = false } = options;
  const init: RequestInit = {
    method,
    headers: {
      "X-Console": "1",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: abort,
    keepalive,
    credentials: "same-origin",
    cache: "no-store",
  };
  for (;;) {
    let response: Response;
    try {
      response = await fetch(path + queryText(query), init);
    } catch (error) {
      if (abort?.aborted) throw error;
      throw new RequestError(0, UNREACHABLE);
    }
    const waitS = Number(response.headers.get("Retry-After") ?? MAX_WAIT_S + 1);
    if (response.status === 429 && (waits || (method === "GET" && waitS <= MAX_WAIT_S))) {
      await pause(waitS * 1000, abort);
      continue;
    }
    const text = await response.text();
    const parsed = text === "" ? undefined : parse(text);
    if (!response.ok && response.status !== 304) throw failureOf(response, parsed, waitS);
    return { data: parsed as Body, status: response.status, headers: response.headers };
  }
}

/** One server-sent event. */
export interface ServerEvent {
  name: string;
  id: string;
  data: unknown;
}

/**
 * Reads server-sent events until the stream ends, of a POST if there is a body. A browser's EventSource cannot send the
 * header that the session cookie needs. Throws RequestError, or the reason of `signal`.
 */
export async function readEvents(
  path: string,
  options: Pick<RequestOptions, "query" | "body"> & { signal: AbortSignal },
  handle: (event: ServerEvent) => void,
): Promise<void> {
  const { query, body, signal } = options;
  const posted = body !== undefined && {
    method: "POST",
    headers: { "X-Console": "1", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  let rest = "";
  try {
    const response = await fetch(path + queryText(query), {
      headers: { "X-Console": "1" },
      ...posted,
      signal,
      cache: "no-store",
    });
    if (!response.ok || !response.body) throw failureOf(response, parse(await response.text()), MAX_WAIT_S);
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + part).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = new Map(block.split("\n").map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
        const name = lines.get("event");
        if (name === undefined) continue;
        handle({ name, id: lines.get("id") ?? "", data: parse(lines.get("data") ?? "") });
      }
    }
  } catch (error) {
    if (signal.aborted || error instanceof RequestError) throw error;
    throw new RequestError(0, UNREACHABLE);
  }
}

/** Resolves after this time. Throws the reason of `signal`. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  signal?.throwIfAborted();
}

/** The member `data` of a response's body. */
export async function read<Data>(path: string, options?: RequestOptions): Promise<Data> {
  return (await send<{ data: Data }>("GET", path, options)).data.data;
}

/** Changes something and returns the member `data` of the response's body. */
export async function write<Data>(method: string, path: string, options?: RequestOptions): Promise<Data> {
  return (await send<{ data: Data }>(method, path, options)).data.data;
}

function failureOf(response: Response, body: unknown, waitS: number): RequestError {
  const { status } = response;
  const { message = `The server responded with status ${status}.`, details } =
    (body as { error?: { message?: string; details?: unknown } } | undefined)?.error ?? {};
  const reason = (details as { reason?: string } | undefined)?.reason;
  if (status === 401) isSignedOut.value = true;
  if (status === 429) return new RequestError(429, `Too many requests. Try again in ${waitS} seconds.`);
  if (status === 413) return new RequestError(413, `Too large: ${message}`);
  return new RequestError(status, sentence(message), reason);
}

function queryText(query: RequestOptions["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(",") : String(value ?? "");
    if (text !== "") parameters.set(name, text);
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sentence = (text: string) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/** What to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
