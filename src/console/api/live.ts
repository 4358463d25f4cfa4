// What changes on the server while the page is shown: one stream of events for the whole page. Hidden pages read none,
// because browsers allow only a few connections to one server; they continue where they were.

import { signal } from "@preact/signals";
import type { LiveChange } from "../../features/console/replies.ts";
import { isSignedOut, pause, readEvents } from "./request.ts";

/** Whether the last attempt to reach the server has failed. */
export const isUnreachable = signal(false);

type Listener = (changes: readonly LiveChange[] | "unknown") => void;

const listeners = new Set<Listener>();
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 10_000;

let current: AbortController | undefined;
let last = "";

/** Calls `listener` with changes, or with "unknown" if some were missed, until the returned function is called. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(changes: readonly LiveChange[] | "unknown"): void {
  for (const listener of listeners) listener(changes);
}

/** Reads events from now on, whenever the page is visible. */
export function followChanges(): void {
  if (current) return;
  const own = new AbortController();
  current = own;
  follow(own.signal).then(() => {
    if (current === own) current = undefined;
  });
}

/** Reads no more events: nobody is signed in. */
export function stopFollowing(): void {
  current?.abort();
  current = undefined;
  last = "";
}

async function follow(stopped: AbortSignal): Promise<void> {
  let waitMs = RETRY_MS;
  while (!stopped.aborted && !isSignedOut.value) {
    await visible();
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener("visibilitychange", hide);
    // A connection that is lost with the network would not end by itself.
    const offline = new AbortController();
    const lose = () => offline.abort();
    addEventListener("offline", lose);
    try {
      const query = { since: last };
      const ending = AbortSignal.any([stopped, hidden.signal, offline.signal]);
      await readEvents("/console/api/events", { query, signal: ending }, ({ name, id, data }) => {
        waitMs = RETRY_MS;
        last = id;
        if (name === "open" && isUnreachable.value) {
          isUnreachable.value = false;
          tell("unknown");
        }
        if (name === "changes") tell(data as LiveChange[]);
        if (name === "reset") tell("unknown");
      });
    } catch {
      if (!stopped.aborted && !hidden.signal.aborted) {
        isUnreachable.value = true;
        await Promise.race([pause(waitMs), nextEvent(window, "online")]);
        waitMs = Math.min(2 * waitMs, MAX_RETRY_MS);
      }
    } finally {
      document.removeEventListener("visibilitychange", hide);
      removeEventListener("offline", lose);
    }
  }
}

/** Resolves when the page is visible. */
async function visible(): Promise<void> {
  while (document.hidden) await nextEvent(document, "visibilitychange");
}

const nextEvent = (target: EventTarget, type: string) =>
  new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
