// One operation of the API as data: router, OpenAPI document, docs and tests read the same table.

import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Identity } from "../auth/identity.ts";
import type { Requirement } from "../auth/scopes.ts";
import type { Write } from "../db/store.ts";
import type { QueueName } from "./admission.ts";
import type { Tier } from "./rate-limit.ts";
import type { Reply } from "./respond.ts";
import type { ResponseShape } from "./response-shapes.ts";

/** A request that has passed all checks of the edge. */
interface Call<Query, Body> {
  /** Who sent the request. Public operations must not read it. */
  caller: Identity;
  /** The path's id, 27 characters; empty if the path has none. */
  id: string;
  query: Query;
  body: Body;
  headers: Headers;
  /** Fires when the client disconnects: work that nobody waits for should stop. */
  disconnected: AbortSignal;
  /** To be awaited before work of more than a moment that follows an `await`; see http/turns.ts. */
  takeTurn(): Promise<void>;
  /** Opens the one write of a mutating operation; the receipt of its reply is committed with it. */
  commit(action: (write: Write) => Reply): Promise<Reply>;
}

/** `Deps` is what the operation's feature needs; the handler receives nothing else of the program. */
export interface Operation<Deps = never, Query extends TObject = TObject, Body extends TObject = TObject> {
  /** Unique, `resource.verb`. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/v1/…`, with at most one `:id`. */
  path: string;
  /** The name of `:id` in the published path; `id` if absent. */
  idName?: string;
  summary: string;
  /** What the summary and the schemas do not state, in sentences. */
  description: string;
  requires: Requirement;
  /** The rate limit that counts it; by default `read` for GET and `write` for other methods. */
  tier?: Tier;
  /**
   * The queue that limits how many are worked on at the same time: for work that takes long or holds up other requests.
   */
  queue?: QueueName;
  /** Whether a request with this query belongs in the queue; by default every one does. */
  isQueued?(query: Static<Query>): boolean;
  /** Whether it accepts an Idempotency-Key, and whether a retry must have the same credential. */
  idempotency?: "accepted" | "by-credential";
  query?: Query;
  body?: Body;
  /** Whether the body may be missing; it then counts as `{}`. */
  bodyMayBeEmpty?: boolean;
  /** The request headers that it reads, in addition to those of the edge. */
  headers?: TObject;
  /** Success responses by status. */
  responses: Readonly<Record<number, ResponseShape>>;
  /** Its own error statuses; `errorStatuses` adds those of the edge. */
  errors?: readonly number[];
  /** Method syntax, so that operations of any shape fit into one table. */
  handle(call: Call<Static<Query>, Static<Body>>, deps: Deps): Reply | Promise<Reply>;
}

/** Returns a function that declares operations of a feature; query and body are typed by their schemas. */
export function operationOf<Deps>() {
  return <Query extends TObject, Body extends TObject>(
    declared: Operation<Deps, Query, Body>,
  ): Operation<Deps> => declared;
}

/** The rate limit that counts an operation. */
export function tierOf({ method, tier }: Pick<Operation, "method" | "tier">): Tier {
  return tier ?? (method === "GET" ? "read" : "write");
}

/** Whether an operation changes records: it needs a scope for that. Managing remotes changes none. */
export function writesRecords({
  name,
  method,
  requires,
}: Pick<Operation, "name" | "method" | "requires">): boolean {
  if (method === "GET" || name.startsWith("console.remotes.")) return false;
  return typeof requires === "object" && requires.anyOf.every((scope) => !scope.endsWith(".read"));
}

/** The query shape of operations that have no query parameters. */
export const noParameters = Type.Object({});
