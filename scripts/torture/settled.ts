// What must hold when the clients have stopped: all jobs end, and every document is found by its text.

import { type ChildServer, cpuMs } from "../bench/child-server.ts";
import type { Send, Writer } from "./writer.ts";

const POLL_MS = 50;
const MAX_WAIT_MS = 15 * 60_000;
const MAX_SETTLING_STEPS = 10;

interface Until {
  /** Whether it also ends when the server reports damage, because of which jobs may never end. Default: false. */
  orDamaged?: boolean;
}

/**
 * Waits until no job is queued or running. Throws if that takes too long: a server without CPU time only seems to hang.
 */
export async function untilIndexed(
  { health, output, pid }: Pick<ChildServer, "health" | "output" | "pid">,
  { orDamaged = false }: Until = {},
): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  const used = () => (process.platform === "linux" ? cpuMs(pid) : Number.NaN);
  const usedBefore = used();
  let seen = "";
  while (performance.now() < deadline) {
    const found = await health().catch(() => {
      // A server that builds its index again closes its socket for a moment. This throws if it has ended.
      process.kill(pid, 0);
      return undefined;
    });
    if (found && found.jobs.queued + found.jobs.running === 0) return;
    if (orDamaged && found?.problems?.some((problem) => problem.includes("damaged"))) return;
    seen = JSON.stringify(found);
    await Bun.sleep(POLL_MS);
  }
  const cpu = `${used() - usedBefore} ms of CPU time`;
  throw new Error(`jobs do not end, after ${cpu}: ${seen} ${output().slice(-500)}`);
}

/** Lets every writer resolve its unknown outcome. Returns how many are left. */
export async function resolveOutcomes(writers: readonly Writer[], send: Send): Promise<number> {
  for (const writer of writers) {
    for (let steps = 0; writer.isUncertain() && steps < MAX_SETTLING_STEPS; steps++) await writer.step(send);
  }
  return writers.filter((writer) => writer.isUncertain()).length;
}

/**
 * Searches in every document for the token of its newest text. Returns descriptions of those in which it is not found.
 */
export async function findUnsearchable(
  send: Send,
  searchable: ReadonlyMap<string, string>,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [documentId, token] of searchable) {
    const body = { query: `about ${token}`, documentId, limit: 5, detailLevel: "full", scoreThreshold: 0 };
    const received = await send({ method: "POST", path: "/v1/pd/search", body });
    const found: { content: string }[] = received?.body?.data?.results ?? [];
    if (!found.some(({ content }) => content.includes(token)))
      missing.push(
        `${documentId} is not found by ${token}: ${received?.status}, ${found.length} other results`,
      );
  }
  return missing;
}
