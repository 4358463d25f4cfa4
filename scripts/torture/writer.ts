// A client that writes one request after another, and knows from the responses what must be stored. A request whose
// outcome is unknown, because the server was killed or failed, is repeated where that is safe; otherwise its effect is
// looked up.

import type { Facts } from "./facts.ts";

const TIMEOUT_MS = 60_000;
const USER_AGENT = "ctxrepo-torture/1.0";

export interface Sent {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Received {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked member by member
  body: any;
}

/** Sends a request; undefined if no complete response arrived. */
export type Send = (sent: Sent) => Promise<Received | undefined>;

/** One request and what its response means. */
export interface Action {
  sent: Sent;
  /** Called before the first attempt, which may already have an effect. */
  begin?(): void;
  /**
   * Called with the response, unless it is a 5xx. Throws if that cannot be the right one. May return the action that
   * must follow.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most actions have no successor
  done(received: Received): Action | void;
  /** Called if the outcome is unknown, and returns what looks it up. Without it, the request is repeated. */
  lookUp?(): Action | undefined;
}

/** What all writers of a run share. */
export interface Shared {
  facts: Facts;
  random: () => number;
  /** A word that no other text contains. */
  token(): string;
  /** Ids of documents that are never deleted. */
  pool: string[];
  /** The address of a server with pages to scrape. */
  pagesUrl: string;
  counts: Counts;
  /** Responses that contradict what was acknowledged before. */
  wrong: string[];
}

export interface Counts {
  acknowledged: number;
  unknown: number;
  /** Responses with a status of 500 and above, and those of them that do not say what is wrong with the storage. */
  refused: number;
  unexplained: number;
  /** Unknown outcomes that were resolved by repeating the request, and those that had been executed. */
  repeated: number;
  replayed: number;
  lookedUp: number;
}

export interface Writer {
  /** Sends the next request, or the one whose outcome is unknown. Resolves with whether there was a response. */
  step(send: Send): Promise<boolean>;
  /** Whether the outcome of a request is unknown. */
  isUncertain(): boolean;
}

/** A writer that takes its actions from `next`. */
export function createWriter({ counts, wrong }: Shared, next: () => Action): Writer {
  let pending: Action | undefined;
  let isRepeated = false;
  return {
    isUncertain: () => pending !== undefined,
    async step(send) {
      if (!pending) {
        pending = next();
        isRepeated = false;
        pending.begin?.();
      }
      const { sent, lookUp } = pending;
      const received = await send(sent);
      if (!received || received.status >= 500) {
        counts.unknown++;
        if (received) {
          counts.refused++;
          if (!STORAGE_FAILURE.test(JSON.stringify(received.body))) counts.unexplained++;
        }
        if (lookUp) {
          pending = lookUp();
          counts.lookedUp++;
        }
        isRepeated = true;
        return false;
      }
      const action = pending;
      pending = undefined;
      counts.acknowledged++;
      if (isRepeated) counts.repeated++;
      if (received.headers.get("Idempotent-Replayed") === "true") counts.replayed++;
      try {
        pending = action.done(received) ?? undefined;
      } catch (error) {
        const { status, body } = received;
        const response = `${status} ${JSON.stringify(body)}`.slice(0, 300);
        wrong.push(
          `${sent.method} ${sent.path}: ${error instanceof Error ? error.message : error}: ${response}`,
        );
      }
      return true;
    },
  };
}

/** Throws unless the status is the expected one. */
export function expectStatus({ status }: Received, expected: number): void {
  if (status !== expected) throw new Error(`expected ${expected}`);
}

/** Throws unless two values are the same. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what} is ${actual}, acknowledged was ${expected}`);
}

/** A `Send` for a server; `url` is read at each request, because a restarted server has another port. */
export function sendTo(server: { url: string }, key: string): Send {
  return async ({ method, path, body, headers = {} }) => {
    try {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          "User-Agent": USER_AGENT,
          Authorization: `API-Key ${key}`,
          Accept: "application/json, text/event-stream",
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const reply = parsed(await response.text());
      const status = isFailedCall(reply) ? 500 : response.status;
      return { status, headers: response.headers, body: reply };
    } catch {
      return undefined;
    }
  };
}

/** What a server says about its storage when a write fails. */
export const STORAGE_FAILURE = /the disk of the database|the database (cannot be written|is damaged)/;

/** Whether a tool of MCP failed where the API returns 500. */
function isFailedCall(body: Received["body"]): boolean {
  return body?.result?.isError === true && STORAGE_FAILURE.test(body.result.content?.[0]?.text);
}

/** JSON, or the last message of a stream of events. */
// biome-ignore lint/suspicious/noExplicitAny: responses are checked member by member
function parsed(text: string): any {
  const events = text.split("\n").filter((line) => /^data: *\S/.test(line));
  const json = events.length > 0 ? events.at(-1)!.slice("data:".length) : text;
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}
