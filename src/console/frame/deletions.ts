// Deleting: records go to the trash at once, from which they can be brought back.

import { signal } from "@preact/signals";
import { messageOf, RequestError, send } from "../api/request.ts";
import { onChanges } from "../api/live.ts";
import { plural } from "../text/format.ts";
import { notify } from "./notices.tsx";

const UNDO_MS = 10_000;

/** The ids of records that are being deleted; lists leave them out. */
export const deletedIds = signal<ReadonlySet<string>>(new Set());

const running = new Set<Promise<void>>();

interface Deletion {
  type: "document" | "prompt";
  ids: readonly string[];
  /** What is deleted, for people. */
  label: string;
}

function bringBack(ids: readonly string[]): void {
  if (!ids.some((id) => deletedIds.value.has(id))) return;
  deletedIds.value = new Set([...deletedIds.value].filter((id) => !ids.includes(id)));
}

// Another page may have brought it back.
onChanges((changes) => {
  if (changes === "unknown") return;
  bringBack(changes.flatMap(({ action, id }) => (action === "restore" ? [id] : [])));
});

/** Moves records to the trash, and offers to bring them back. */
export function deleteRecords({ type, ids, label }: Deletion): void {
  const own = ids.filter((id) => !deletedIds.value.has(id));
  if (own.length === 0) return;
  deletedIds.value = new Set([...deletedIds.value, ...own]);
  const stopping = new AbortController();
  const work = moveToTrash({ type, ids: own, label }, stopping.signal);
  const close = notify(`${label} ${own.length === 1 ? "is" : "are"} in the trash.`, {
    forMs: UNDO_MS,
    action: {
      label: "Undo",
      async run() {
        close();
        stopping.abort();
        const moved = await work;
        await restoreRecords(moved);
        bringBack(own);
      },
    },
  });
  const done = work.then(() => {});
  running.add(done);
  done.finally(() => running.delete(done));
}

/** Returns the ids of the records that were moved, all of them unless `stopped` fires. */
async function moveToTrash({ type, ids, label }: Deletion, stopped: AbortSignal): Promise<string[]> {
  const moved: string[] = [];
  const failed: string[] = [];
  let reason: unknown;
  for (const id of ids) {
    if (stopped.aborted) break;
    try {
      // The page may be closed meanwhile.
      await send("DELETE", `/console/api/${type}s/${id}`, { keepalive: true, waits: true });
      moved.push(id);
    } catch (error) {
      failed.push(id);
      reason = error;
    }
  }
  if (failed.length === 0) return moved;
  bringBack(failed);
  const isTooLarge = reason instanceof RequestError && reason.reason === "TOO_LARGE_FOR_TRASH";
  const what = ids.length === 1 ? label : `${failed.length} of ${label}`;
  const close = notify(`${what} cannot be deleted: ${messageOf(reason)}`, {
    kind: "failed",
    action:
      isTooLarge && failed.length === 1
        ? { label: "Delete for good", run: () => erase(failed[0]!) }
        : undefined,
  });
  const erase = async (id: string) => {
    close();
    try {
      await send("DELETE", `/v1/${type}s/${id}`);
      notify(`${label} is deleted for good.`);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
  };
  return moved;
}

/** Takes records out of the trash, and says what failed. */
export async function restoreRecords(ids: readonly string[]): Promise<void> {
  const reasons: string[] = [];
  for (const id of ids) {
    await send("POST", `/console/api/trash/${id}`, { waits: true }).catch((error) =>
      reasons.push(messageOf(error)),
    );
  }
  bringBack(ids);
  if (reasons.length > 0) {
    notify(`${plural(reasons.length, "record")} not restored: ${reasons[0]}`, { kind: "failed" });
  }
}

/** Resolves when everything is in the trash: before signing out, when it would no longer be allowed. */
export async function finishDeletions(): Promise<void> {
  await Promise.all(running);
}
