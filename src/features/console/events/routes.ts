// Operation of /console/api: the stream of changes.

import { hasScope, type Identity } from "../../../auth/identity.ts";
import { listKeys } from "../../../auth/keys.ts";
import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import type { Changes, NumberedChange } from "../../../kernel/changes.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Failure } from "../../../kernel/errors.ts";
import { common, eventsQuery } from "../contract.ts";
import type { LiveChange } from "../replies.ts";
import { streamChanges } from "./stream.ts";

/** What this operation needs. */
export interface EventsDeps {
  store: Store;
  clock: Clock;
  changes: Changes;
}

/** More open pages of one user are not told about changes. */
const MAX_STREAMS = 50;

const declare = operationOf<EventsDeps>();

export const eventsApi = [
  declare({
    ...common,
    name: "console.events.stream",
    method: "GET",
    path: "/console/api/events",
    summary: "Stream changes as server-sent events",
    requires: "authenticated",
    query: eventsQuery,
    handle({ caller, query: { since } }, { store, clock, changes }) {
      if (changes.listeners(caller.userId) >= MAX_STREAMS) {
        throw new Failure("rate-limited", `more than ${MAX_STREAMS} pages of the console are open`);
      }
      const names = new Map(listKeys(store).map(({ id, name }) => [id, name]));
      const stream = streamChanges({
        changes,
        clock,
        userId: caller.userId,
        since,
        mayKnow: (change) => mayKnow(caller, change),
        toWire: ({ type, id, action, credentialId }): LiveChange => ({
          type,
          id,
          action,
          by: credentialId === null ? null : (names.get(credentialId) ?? null),
        }),
      });
      return { status: 200, headers: { "Content-Type": "text/event-stream" }, stream };
    },
  }),
];

const NEEDED = {
  document: "documents.read",
  collection: "documents.read",
  folder: "documents.read",
  prompt: "prompts.read",
} as const;

const mayKnow = (caller: Identity, { type }: NumberedChange) =>
  type === "key" ? caller.isLocal === true : hasScope(caller, NEEDED[type]);
