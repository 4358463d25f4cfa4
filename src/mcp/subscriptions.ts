// What a client with an open `subscriptions/listen` is told: that records of its user were changed.

import { hasScope } from "../auth/identity.ts";
import type { NumberedChange } from "../kernel/changes.ts";
import { Failure } from "../kernel/errors.ts";
import { recordOf } from "./resources.ts";
import type { McpSession } from "./session.ts";

/** An event, as the SDK delivers it to the streams that asked for its kind. */
type ChangeEvent =
  | { kind: "prompts_list_changed" }
  | { kind: "resources_list_changed" }
  | { kind: "resource_updated"; uri: string };

export interface Subscription {
  /** Begins to deliver events; returns how to stop. */
  subscribe(listener: (event: ChangeEvent) => void): () => void;
}

/** Streams of changes of one user, with those of the console. */
const MAX_STREAMS = 100;
/** Changes that follow each other closely are reported once. */
const GATHER_MS = 150;
/** What leaves the text and the title of a record as they are. */
const UNSEEN = new Set(["lease", "enable", "disable", "index"]);

/** The parts of a session that subscriptions use. */
type Subscriber = Pick<McpSession, "caller" | "changes" | "clock" | "identify">;

/**
 * The events for the sender of `message`, a `subscriptions/listen`. Calls `end` when the credential is no longer valid,
 * which is checked before each delivery, or the server stops. Throws Failure("rate-limited") if too many streams are
 * open.
 */
export function openSubscription(
  { caller, changes, clock, identify }: Subscriber,
  message: object,
  end: () => void,
): Subscription {
  if (changes.listeners(caller.userId) >= MAX_STREAMS) {
    throw new Failure("rate-limited", `more than ${MAX_STREAMS} streams of changes are open`);
  }
  const uris = subscribedUris(message);
  return {
    subscribe(listener) {
      const over = new AbortController();
      let sent = changes.latest();
      let isGathering = false;
      const deliver = async () => {
        const isValid = await identify().catch(() => false);
        if (over.signal.aborted) return;
        if (!isValid) return end();
        isGathering = false;
        const missed = changes.after(caller.userId, sent);
        sent = changes.latest();
        const known = missed?.filter((change) => mayKnow(caller, change));
        for (const event of known ? eventsOf(known, uris) : allEvents(uris)) listener(event);
      };
      const stopListening = changes.listen(caller.userId, () => {
        if (isGathering) return;
        isGathering = true;
        clock.sleep(GATHER_MS, over.signal).then(deliver, () => {});
      });
      changes.closed.addEventListener("abort", end, { once: true, signal: over.signal });
      return () => {
        over.abort();
        stopListening();
      };
    },
  };
}

/** The URIs that a message subscribes to, as the client wrote them. */
function subscribedUris(message: object): string[] {
  const { params } = message as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const given = params?.notifications?.resourceSubscriptions;
  return Array.isArray(given) ? given.filter((uri) => typeof uri === "string") : [];
}

const mayKnow = (caller: Subscriber["caller"], { type }: NumberedChange) =>
  hasScope(caller, type === "prompt" ? "prompts.read" : "documents.read");

/** Each event once. A change without an id may be one of any record of its type. */
function eventsOf(changes: readonly NumberedChange[], uris: readonly string[]): ChangeEvent[] {
  const seen = changes.filter(
    ({ type, action }) => type !== "key" && type !== "folder" && !UNSEEN.has(action),
  );
  const isChanged = (uri: string) => {
    const record = recordOf(uri);
    return seen.some(({ type, id }) => `${type}s` === record?.kind && (id === "" || id === record.id));
  };
  return [
    ...(seen.some(({ type }) => type === "prompt") ? [{ kind: "prompts_list_changed" } as const] : []),
    ...(seen.length > 0 ? [{ kind: "resources_list_changed" } as const] : []),
    ...uris.filter(isChanged).map((uri) => ({ kind: "resource_updated", uri }) as const),
  ];
}

const allEvents = (uris: readonly string[]): ChangeEvent[] => [
  { kind: "prompts_list_changed" },
  { kind: "resources_list_changed" },
  ...uris.map((uri) => ({ kind: "resource_updated", uri }) as const),
];
