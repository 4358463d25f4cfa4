// GET /health: the state of the server, without waiting for any work.

import type { Store } from "../../db/store.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import type { Reply } from "../../http/respond.ts";
import { countJobs } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { VERSION } from "../../version.ts";

/** What /health reports on. */
export interface HealthDeps {
  store: Store;
  clock: Clock;
  log: Log;
  embedder: Embedder;
  /** Monotonic instant of the start, ms. */
  startedAt: number;
}

/** 503 only if the database cannot be read. */
export function healthReply({ store, clock, log, embedder: model, startedAt }: HealthDeps): Reply {
  const uptimeMs = Math.round(clock.monotonic() - startedAt);
  const embedder = model.state();
  try {
    const jobs = countJobs(store);
    return {
      status: 200,
      body: { status: embedder, version: VERSION, uptimeMs, jobs, database: "ok", embedder },
    };
  } catch (error) {
    log.error("the database cannot be read", { reason: messageOf(error) });
    const jobs = { queued: 0, running: 0, failed: 0 };
    return {
      status: 503,
      body: { status: "degraded", version: VERSION, uptimeMs, jobs, database: "degraded", embedder },
    };
  }
}
