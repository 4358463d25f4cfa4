// GET /health: how the server is, without waiting for any work.

import type { App } from "../../app.ts";
import type { Answer } from "../../http/respond.ts";
import { countJobs } from "../../jobs/queue.ts";
import { messageOf } from "../../kernel/errors.ts";
import { VERSION } from "../../version.ts";

/** 503 only when the database cannot be read. */
export function healthAnswer(app: App): Answer {
  const uptimeMs = Math.round(app.clock.monotonic() - app.startedAt);
  const embedder = app.embedder.state();
  try {
    const jobs = countJobs(app.store);
    const status = embedder === "ok" ? "ok" : embedder;
    return { status: 200, body: { status, version: VERSION, uptimeMs, jobs, database: "ok", embedder } };
  } catch (error) {
    app.log.error("the database cannot be read", { reason: messageOf(error) });
    const jobs = { queued: 0, running: 0, failed: 0 };
    return {
      status: 503,
      body: { status: "degraded", version: VERSION, uptimeMs, jobs, database: "degraded", embedder },
    };
  }
}
