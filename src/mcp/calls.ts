// Runs operations of the API for MCP, in process: the same checks, the same rate-limit counters and the same receipts
// as for a request over HTTP. The caller has been identified before.

import type { Identity } from "../auth/identity.ts";
import type { Requirement } from "../auth/scopes.ts";
import { callOf, runOperation } from "../http/dispatch.ts";
import type { Edge } from "../http/edge.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Operation } from "../http/operation.ts";
import type { Turn } from "../http/turns.ts";

/** The parts of a request to an operation. */
export interface OperationCall {
  /** The `:id` of its path. */
  id?: string;
  /** Undefined members are omitted. */
  query?: Record<string, string | number | boolean | undefined>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** What makes a repetition the same call, if `body` depends on what is stored. */
  repeated?: object;
}

/** For whom an operation is run, and how. */
export interface CallOptions {
  caller: Identity;
  /** The request of the client, in which times and failures are recorded. */
  exchange: Exchange;
  /** Whether the rate limit counts it. */
  isCounted: boolean;
  /** Fires when nobody waits for the result any more; absent for work that is finished in any case. */
  cancelled?: AbortSignal;
  /**
   * The Idempotency-Key. Operations that ignore the header over HTTP accept it here: a repeated frame must not write
   * twice.
   */
  key?: string;
}

/** The response of an operation. */
export interface OperationResult {
  status: number;
  headers: Record<string, string>;
  // The shape is that of the operation's responses.
  // biome-ignore lint/suspicious/noExplicitAny: wire shapes are declared as schemas, not as types
  body: any;
}

/** The operations by name. */
export interface Operations {
  /** What a caller needs to run it. Throws for an unknown name, which is a bug. */
  requirementOf(name: string): Requirement;
  /** Never throws for a failed request: it is a result with an error status. */
  run(name: string, call: OperationCall, options: CallOptions): Promise<OperationResult>;
}

/** The given operations; each receives `deps`. */
export function operationsOf<Deps>(
  edge: Edge,
  operations: readonly Operation<Deps>[],
  deps: Deps,
): Operations {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const find = (name: string): Operation<Deps> => {
    const operation = byName.get(name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    return operation;
  };
  return {
    requirementOf: (name) => find(name).requires,
    async run(name, call, { caller, exchange, isCounted, cancelled, key }) {
      const operation = find(name);
      const isKeyed = key !== undefined && operation.method !== "GET";
      const path = operation.path.replace(":id", encodeURIComponent(call.id ?? ""));
      const headers = new Headers(call.headers);
      if (isKeyed) headers.set("Idempotency-Key", key);
      if (operation.body) headers.set("Content-Type", "application/json");
      const request = { headers, signal: cancelled ?? new AbortController().signal, body: null };
      const routed = {
        operation: isKeyed ? { ...operation, idempotency: operation.idempotency ?? "accepted" } : operation,
        deps,
        request,
        exchange,
        path,
        rawQuery: queryOf(call.query ?? {}),
        ownBody: call.body ?? {},
        ownRepeated: call.repeated,
        pathId: operation.path.includes(":id") ? (call.id ?? "") : undefined,
      } as const;
      const operationCall = callOf(routed, { caller, isCounted });
      const reply = await runOperation(edge, operationCall);
      const text = reply.pieces ? await wholeOf(reply.pieces, operationCall.turn!) : reply.text;
      const body = text === undefined ? reply.body : JSON.parse(text);
      return { status: reply.status, headers: reply.headers ?? {}, body };
    },
  };
}

/** All pieces of a response. Each takes a turn of its own, as if it were sent. */
async function wholeOf(pieces: Iterable<string>, turn: Turn): Promise<string> {
  let text = "";
  try {
    for (const piece of pieces) {
      text += piece;
      turn.hold(text.length);
      await turn.take();
    }
    return text;
  } finally {
    turn.hold(0);
  }
}

function queryOf(query: NonNullable<OperationCall["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.toString();
}
