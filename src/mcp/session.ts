// What serves one message of a client: who sends it, which tools it may use, and the parts of the program that it
// reaches.

import type { Identity } from "../auth/identity.ts";
import type { Store } from "../db/store.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Changes } from "../kernel/changes.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Operations } from "./calls.ts";
import type { Tool } from "./tools/tool.ts";

/** The parts of the program. */
export interface McpDeps {
  store: Store;
  clock: Clock;
  log: Log;
  changes: Changes;
  operations: Operations;
}

export interface McpSession extends McpDeps {
  caller: Identity;
  /** Identifies the sender again. Rejects if the credential is no longer valid. */
  identify(): Promise<Identity>;
  /** The request with the message. */
  exchange: Exchange;
  /** The selected tools that the caller's scopes allow. */
  tools: readonly Tool[];
  /** Whether the client accepts notifications before a result. */
  acceptsStream: boolean;
  /** Identifies the message, so that a repetition does not write twice; undefined if the client did not send a key. */
  frameKey: string | undefined;
}

/** The error code of JSON-RPC. */
export const INVALID_PARAMS = -32602;

/** A failed request other than a tool call. `uri` is that of a resource that does not exist. */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  readonly kind: "invalid-params" | "not-found" | "internal";

  constructor(kind: "invalid-params" | "not-found" | "internal", message: string) {
    super(message);
    this.kind = kind;
  }
}
