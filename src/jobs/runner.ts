// Drains the queue: a few jobs at a time, woken by commits of this process and, within half a second, of others.
// It knows no kind of work; src/worker.ts hands it one handler for each.

import type { Store } from "../db/store.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { type JobKind, LANES } from "./kinds.ts";
import {
  fail,
  forgetGivenUp,
  givenUpSubjects,
  type Job,
  nextDueAt,
  type Room,
  release,
  turnOver,
} from "./queue.ts";

/** Does the work of one job. Must stop soon after `signal` fires, by throwing. */
export type JobHandler = (subject: string, signal: AbortSignal) => Promise<void>;

/**
 * Is told the subject of each job of its kind that was given up: as it happens, and at the start those that a process before
 * gave up. The job is forgotten then. Must not throw.
 */
export type GivenUpHandler = (subject: string) => void;

export interface JobRunner {
  start(handlers: Record<JobKind, JobHandler>, givenUp?: Partial<Record<JobKind, GivenUpHandler>>): void;
  /** Something may be due: look now. */
  wake(): void;
  /** Resolves when nothing runs and nothing is due. */
  idle(): Promise<void>;
  /** Takes no new job, aborts those that run and gives them back to the queue, and resolves when all have ended. */
  stop(): Promise<void>;
}

const POLL_MS = 500;

export function createRunner(store: Store, clock: Clock, log: Log): JobRunner {
  const stopping = new AbortController();
  const running = new Map<Promise<void>, JobKind>();
  let handlers: Record<JobKind, JobHandler> | undefined;
  let tellGivenUp: Partial<Record<JobKind, GivenUpHandler>> = {};
  let retryTimer: Timer | undefined;
  let poll: Timer | undefined;
  let dataVersion = 0;
  let waiters: (() => void)[] = [];
  let scheduled = false;

  /** Jobs that have ended well; their rows are forgotten with the next turn. */
  const done: Job[] = [];

  const roomLeft = (): Room[] =>
    LANES.map(({ kinds, atOnce }) => ({
      kinds,
      jobs: atOnce - [...running.values()].filter((kind) => kinds.includes(kind)).length,
    })).filter(({ jobs }) => jobs > 0);
  const nextStartAt = () =>
    nextDueAt(
      store,
      roomLeft().flatMap(({ kinds }) => kinds),
    );

  const drain = () => {
    scheduled = false;
    if (!handlers || stopping.signal.aborted) return;
    try {
      const at = nextStartAt();
      // A claim that finds nothing would still be a write.
      if (done.length > 0 || (at !== null && at <= clock.now())) {
        const taken = turnOver(store, done, roomLeft());
        done.length = 0;
        for (const job of taken) start(job);
      }
      scheduleRetry();
    } catch (error) {
      // A full disk or a locked file: the rows are still there, so look again a little later.
      log.error("cannot claim jobs", { reason: messageOf(error) });
      clearTimeout(retryTimer);
      retryTimer = setTimeout(wake, POLL_MS);
    }
    if (running.size === 0 && done.length === 0) {
      for (const resolve of waiters) resolve();
      waiters = [];
    }
  };

  const start = (job: Job) => {
    const run = work(job)
      .catch((error) => log.error("job could not be settled", { reason: messageOf(error) }))
      .finally(() => {
        running.delete(run);
        wake();
      });
    running.set(run, job.kind);
  };

  const work = async (job: Job) => {
    try {
      await handlers![job.kind](job.subject, stopping.signal);
      done.push(job);
    } catch (error) {
      if (stopping.signal.aborted) return release(store, job);
      const outcome = fail(store, job, messageOf(error));
      const detail = {
        kind: job.kind,
        subject: job.subject,
        attempt: job.attempts,
        reason: messageOf(error),
      };
      if (outcome === "failed") {
        log.error("job failed", detail);
        giveUp(job.kind, job.subject);
      } else log.warn("job will be retried", detail);
    }
  };

  /** Tells the subject; then the row says nothing more. */
  const giveUp = (kind: JobKind, subject: string) => {
    const tell = tellGivenUp[kind];
    if (!tell) return;
    tell(subject);
    forgetGivenUp(store, kind, subject);
  };

  const wake = () => {
    if (scheduled || stopping.signal.aborted) return;
    scheduled = true;
    setImmediate(drain);
  };

  const scheduleRetry = () => {
    clearTimeout(retryTimer);
    const at = nextStartAt();
    if (at === null) return;
    retryTimer = setTimeout(wake, Math.max(0, at - clock.now()) + 1);
    retryTimer.unref();
  };

  const noticeOthers = () => {
    const { data_version } = store.sql.query<{ data_version: number }, []>("PRAGMA data_version").get()!;
    if (data_version !== dataVersion) wake();
    dataVersion = data_version;
  };

  return {
    start(given, givenUp = {}) {
      handlers = given;
      tellGivenUp = givenUp;
      for (const kind of Object.keys(givenUp)) {
        for (const subject of givenUpSubjects(store, kind as JobKind)) giveUp(kind as JobKind, subject);
      }
      poll = setInterval(noticeOthers, POLL_MS);
      poll.unref();
      wake();
    },
    wake,
    idle: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        wake();
      }),
    async stop() {
      stopping.abort();
      clearTimeout(retryTimer);
      clearInterval(poll);
      await Promise.all(running.keys());
      if (done.length > 0) turnOver(store, done.splice(0), []);
    },
  };
}
