// Deleting with undo: the request is sent after ten seconds, or when the page is closed.

import { signal } from "@preact/signals";
import { messageOf, send } from "../api/request.ts";
import { notify } from "./notices.tsx";

const UNDO_MS = 10_000;

/** The ids of records that are about to be deleted; lists leave them out. */
export const deletedIds = signal<ReadonlySet<string>>(new Set());

const waiting = new Set<(isClosing: boolean) => Promise<void>>();

interface Deletion {
  type: "document" | "prompt";
  ids: readonly string[];
  /** What is deleted, for people. */
  label: string;
}

/** Deletes records unless the person undoes it. */
export function deleteLater({ type, ids, label }: Deletion): void {
  const own = ids.filter((id) => !deletedIds.value.has(id));
  if (own.length === 0) return;
  deletedIds.value = new Set([...deletedIds.value, ...own]);
  const bringBack = (brought: readonly string[]) => {
    deletedIds.value = new Set([...deletedIds.value].filter((id) => !brought.includes(id)));
  };
  const finish = async (isClosing: boolean) => {
    clearTimeout(timer);
    waiting.delete(finish);
    close();
    const failed: string[] = [];
    let reason = "";
    const remove = async (id: string) => {
      try {
        await send("DELETE", `/v1/${type}s/${id}`, { keepalive: isClosing, waits: true });
      } catch (error) {
        failed.push(id);
        reason = messageOf(error);
      }
    };
    // A page that is being closed cannot wait.
    if (isClosing) await Promise.all(own.map(remove));
    else for (const id of own) await remove(id);
    if (failed.length === 0) return;
    bringBack(failed);
    const what = own.length === 1 ? `${label} was` : `${failed.length} of ${label} were`;
    notify(`${what} not deleted: ${reason}`, { kind: "failed" });
  };
  const timer = setTimeout(() => finish(false), UNDO_MS);
  waiting.add(finish);
  const close = notify(`${label} ${own.length === 1 ? "is" : "are"} deleted.`, {
    forMs: UNDO_MS,
    action: {
      label: "Undo",
      run() {
        clearTimeout(timer);
        waiting.delete(finish);
        bringBack(own);
        close();
      },
    },
  });
}

/** Sends what is waiting when the page is closed. */
export function finishDeletionsOnClose(): void {
  addEventListener("pagehide", () => {
    for (const finish of [...waiting]) finish(true);
  });
}

/** Sends what is waiting now: before signing out, when it would no longer be allowed. */
export async function finishDeletions(): Promise<void> {
  await Promise.all([...waiting].map((finish) => finish(false)));
}
