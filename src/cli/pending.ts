// Records that wait to be indexed: a line on stderr says that results may be incomplete, or a command waits for them.

import type { Status } from "../features/console/replies.ts";
import { systemClock } from "../kernel/clock.ts";
import { dataOf, type Reply, type Requests } from "../requests/reply.ts";
import { countOf, printMessage } from "./output.ts";
import { showProgress } from "./progress.ts";

const POLL_MS = 500;

/** One line if `meta.pending` of a search or answer is not 0. */
export function printPending({ body }: Reply): void {
  const pending: number | undefined = body?.meta?.pending ?? body?.data?.meta?.pending;
  if (pending !== undefined) printMessage(`${describePending(pending)}: results may be incomplete`);
}

/** `12 records are still being indexed (see ctxrepo status)`. */
export function describePending(count: number): string {
  const verb = count === 1 ? "is" : "are";
  return `${countOf(count, "record")} ${verb} still being indexed (see ctxrepo status)`;
}

/** The user's records that are not completely indexed. */
export async function readPending(client: Requests): Promise<number> {
  const status: Status = dataOf(await client.request("GET", "/console/api/status"));
  return status.pending;
}

/**
 * Waits until the server has indexed all records of the user, or until `signal` fires. Shows progress on a terminal.
 */
export async function waitUntilIndexed(client: Requests, signal: AbortSignal): Promise<void> {
  let pending = await readPending(client);
  let total = pending;
  const progress = showProgress("records indexed", total);
  try {
    while (pending > 0 && !signal.aborted) {
      await systemClock.sleep(POLL_MS, signal).catch(() => {});
      pending = await readPending(client);
      total = Math.max(total, pending);
      progress.set(total - pending, total);
    }
  } finally {
    progress.end();
  }
}
