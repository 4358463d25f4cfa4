// Counts what the requests of the group `hostile` gave, and measures how long /health takes meanwhile.

import { headersOf } from "../../bench/child-server.ts";
import type { HealthResults } from "./health-probe.ts";

const SHOWN = 300;

export interface Tally {
  /** Replies so far. */
  replies: number;
  /** Replies of 500 and above, connections that broke, and what else is wrong, shortened. */
  serverErrors: string[];
  problems: string[];
  /** Latencies of a kind of request, ms. */
  latencies: Map<string, number[]>;
}

export const newTally = (): Tally => ({ replies: 0, serverErrors: [], problems: [], latencies: new Map() });

/** A reply as it came: `text` is the body. */
export interface RawReply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request
  body: any;
}

export type Caller = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string>; kind?: string },
) => Promise<RawReply>;

/** A client that counts every reply. A body that is not a string is sent as JSON. */
export function callerOf({ url, key, tally }: { url: string; key: string; tally: Tally }): Caller {
  return async (
    method,
    path,
    { body, headers = {}, kind = `${method} ${path.split(/[?/]/, 4).join("/")}` } = {},
  ) => {
    const startedAt = performance.now();
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headersOf(key),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? (body as string) : JSON.stringify(body),
    });
    const text = await response.text();
    const times = tally.latencies.get(kind) ?? [];
    tally.latencies.set(kind, times);
    times.push(performance.now() - startedAt);
    tally.replies++;
    const shown = `${kind}: ${response.status} ${text.slice(0, SHOWN)}`;
    if (response.status >= 500) tally.serverErrors.push(shown);
    const reply = { status: response.status, headers: response.headers, text, body: parsed(text) };
    if (reply.status >= 400 && reply.body?.error?.code !== reply.status)
      tally.problems.push(`${shown} is not the envelope of errors`);
    return reply;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Notes a problem unless the reply has one of these statuses. Returns whether it has. */
export function expectStatus(
  tally: Tally,
  reply: RawReply,
  [what, ...statuses]: [string, ...number[]],
): boolean {
  if (statuses.includes(reply.status)) return true;
  tally.problems.push(`${what}: ${reply.status} ${reply.text.slice(0, SHOWN)}`);
  return false;
}

/** Asks /health again and again in a thread until it is stopped. */
export function watchHealth(url: string): { stop(): Promise<HealthResults> } {
  const probe = new Worker(new URL("./health-probe.ts", import.meta.url));
  probe.postMessage(url);
  return {
    async stop() {
      const { promise, resolve } = Promise.withResolvers<HealthResults>();
      probe.onmessage = ({ data }: MessageEvent<HealthResults>) => resolve(data);
      probe.postMessage("stop");
      const results = await promise;
      probe.terminate();
      return results;
    },
  };
}
