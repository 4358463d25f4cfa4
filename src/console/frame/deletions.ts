// Deleting with undo: the request is sent after ten seconds, or when the page is closed.

import { signal } from "@preact/signals";
import { messageOf, send } from "../api/request.ts";
import { notify } from "./notices.tsx";

const UNDO_MS = 10_000;

/** The ids of records that are about to be deleted; lists leave them out. */
export const deletedIds = signal<ReadonlySet<string>>(new Set());

const waiting = new Map<string, (isClosing: boolean) => Promise<void>>();

const without = (id: string) => new Set([...deletedIds.value].filter((other) => other !== id));

/** Deletes the record at `path` unless the person undoes it. */
export function deleteLater({ id, path, label }: { id: string; path: string; label: string }): void {
  if (waiting.has(id)) return;
  deletedIds.value = new Set([...deletedIds.value, id]);
  const finish = async (isClosing: boolean) => {
    clearTimeout(timer);
    waiting.delete(id);
    close();
    try {
      await send("DELETE", path, { keepalive: isClosing });
    } catch (error) {
      deletedIds.value = without(id);
      notify(`${label} was not deleted: ${messageOf(error)}`, { kind: "failed" });
    }
  };
  const timer = setTimeout(() => finish(false), UNDO_MS);
  waiting.set(id, finish);
  const close = notify(`${label} is deleted.`, {
    forMs: UNDO_MS,
    action: {
      label: "Undo",
      run() {
        clearTimeout(timer);
        waiting.delete(id);
        deletedIds.value = without(id);
        close();
      },
    },
  });
}

/** Sends what is waiting when the page is closed. */
export function finishDeletionsOnClose(): void {
  addEventListener("pagehide", () => {
    for (const finish of waiting.values()) finish(true);
  });
}

/** Sends what is waiting now: before signing out, when it would no longer be allowed. */
export async function finishDeletions(): Promise<void> {
  await Promise.all([...waiting.values()].map((finish) => finish(false)));
}
