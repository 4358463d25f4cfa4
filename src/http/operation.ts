// One operation of the API as data: router, OpenAPI document, README and tests read the same table.

import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Identity } from "../auth/identity.ts";
import type { Requirement } from "../auth/scopes.ts";
import type { Write } from "../db/store.ts";
import type { Tier } from "./rate-limit.ts";
import type { Reply } from "./respond.ts";
import type { ResponseShape } from "./response-shapes.ts";

/** A request after all checks of the edge. */
interface Call<Query, Body> {
  /** Who calls. Public operations must not read it. */
  caller: Identity;
  /** The path's id, 27 characters; empty if the path has none. */
  id: string;
  query: Query;
  body: Body;
  headers: Headers;
  /** Opens the one write of a mutating operation; the receipt of its reply is committed with it. */
  commit(action: (write: Write) => Reply): Reply;
}

/** `Deps` is what the operation's feature needs: its handler receives that and nothing else of the program. */
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
  /** Which rate limit counts it; `read` for GET and `write` for the rest where nothing is said. */
  tier?: Tier;
  /** Whether it takes an Idempotency-Key, and whether the credential is part of what a retry must repeat. */
  idempotency?: "accepted" | "by-credential";
  query?: Query;
  body?: Body;
  /** Whether the body may be left out: then it counts as `{}`. */
  bodyMayBeEmpty?: boolean;
  /** The request headers that it looks at, beside those of the edge. */
  headers?: TObject;
  /** Success responses by status. */
  responses: Readonly<Record<number, ResponseShape>>;
  /** The error statuses that are its own; `errorStatuses` adds those of the edge. */
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

/** Which rate limit counts an operation. */
export function tierOf({ method, tier }: Pick<Operation, "method" | "tier">): Tier {
  return tier ?? (method === "GET" ? "read" : "write");
}

export const noParameters = Type.Object({});
