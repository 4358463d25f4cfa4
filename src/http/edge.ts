// What all requests of one server share.

import type { ConsoleSessions } from "../auth/console-sessions.ts";
import type { Credentials } from "../auth/credentials.ts";
import type { StorageWatch } from "../db/storage-watch.ts";
import type { Store } from "../db/store.ts";
import type { JobRunner } from "../jobs/runner.ts";
import type { Changes } from "../kernel/changes.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Following } from "../kernel/following.ts";
import type { Log } from "../kernel/log.ts";
import type { ActivityLog } from "../kernel/noted.ts";
import type { InFlight } from "./idempotency.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { BodyReader } from "./read-body.ts";
import type { Turns } from "./turns.ts";

export interface Edge extends BodyReader {
  store: Store;
  clock: Clock;
  log: Log;
  credentials: Credentials;
  consoleSessions: ConsoleSessions;
  /** Woken after each commit: there may be new jobs. */
  jobs: Pick<JobRunner, "wake">;
  /** The URL by which clients reach this server; never taken from a Host header. */
  baseUrl: string;
  limiter: RateLimiter;
  inFlight: InFlight;
  turns: Turns;
  /** Told about what requests have changed. */
  changes: Changes;
  /** Not null if this server is a read-only twin. */
  following: Following | null;
  /** Told about what agents read, search, ask and delete. */
  activityLog: ActivityLog;
  /** Told about every error: it may show a problem of the disk or the file. */
  storage: Pick<StorageWatch, "observe">;
}
