// GET /health: the state of the server, without waiting for any work.

import type { StorageWatch } from "../../db/storage-watch.ts";
import type { Store } from "../../db/store.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import type { Reply } from "../../http/respond.ts";
import { countJobs } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { type Following, followingProblem } from "../../kernel/following.ts";
import type { Log } from "../../kernel/log.ts";
import { VERSION } from "../../base/version.ts";

/** What /health reports on. */
export interface HealthDeps {
  store: Store;
  clock: Clock;
  log: Log;
  embedder: Pick<Embedder, "state" | "problem">;
  storage: Pick<StorageWatch, "problems" | "observe">;
  /** Not null for a read-only twin. */
  following: Following | null;
  /** Monotonic instant of the start, ms. */
  startedAt: number;
}

/** 503 only if the database cannot be read. */
export function healthReply({
  store,
  clock,
  log,
  embedder: model,
  storage,
  following,
  startedAt,
}: HealthDeps): Reply {
  const uptimeMs = Math.round(clock.monotonic() - startedAt);
  const embedder = model.state();
  const modelProblem = model.problem();
  try {
    const jobs = countJobs(store);
    const database = storage.problems();
    const followProblem = following ? followingProblem(following) : undefined;
    const problems = [...database, modelProblem, followProblem].filter((problem) => problem !== undefined);
    const body = {
      status: database.length === 0 ? embedder : "degraded",
      version: VERSION,
      uptimeMs,
      jobs,
      embedder,
      database: database.length === 0 ? "ok" : "degraded",
      ...(following && { follows: followsOf(following) }),
      ...(problems.length > 0 && { problems }),
    };
    return { status: 200, body };
  } catch (error) {
    storage.observe(error);
    log.error("the database cannot be read", { reason: messageOf(error) });
    const jobs = { queued: 0, running: 0, failed: 0 };
    const problems = [...storage.problems(), ...(modelProblem ? [modelProblem] : [])];
    const body = {
      status: "degraded",
      version: VERSION,
      uptimeMs,
      jobs,
      embedder,
      database: "degraded",
      ...(problems.length > 0 && { problems }),
    };
    return { status: 503, body };
  }
}

/** What a read-only twin says of itself; without the address of the other server, because this needs no credential. */
const followsOf = ({ remote, since, pulledAt }: Following) => ({
  remote,
  since,
  ...(pulledAt !== null && { pulledAt }),
});
