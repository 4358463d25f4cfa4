// A process that holds the data directory while no server runs: it handles its own requests without a socket, listens
// on loopback for other commands, and gives the data directory to a server that starts.

import { openApp, warmUp } from "../app.ts";
import type { Settings } from "../base/config.ts";
import { startJobs } from "../job-handlers.ts";
import { INDEX_JOBS } from "../jobs/kinds.ts";
import { countOpenJobs } from "../jobs/queue.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import { serve } from "../server.ts";
import { writeAddress } from "./address-file.ts";
import { answerLocalCall } from "./local-calls.ts";

/** Maximum time that requests in flight have to finish. */
const GRACE_MS = 10_000;
/** How long jobs may be kept from running before nobody waits for them: others may free space meanwhile. */
const MAX_BLOCKED_MS = 5_000;
const LOOK_MS = 250;

export interface Holder {
  /** The credential of this process's own requests. */
  readonly secret: string;
  /** True from the moment at which a server takes over. */
  readonly isReleasing: boolean;
  /** Resolves when the lock is released. */
  readonly released: Promise<void>;
  /** Responds to a request of this process. Must not be called when `isReleasing`. */
  handle(request: Request): Promise<Response>;
  /** Starts running jobs; a second call changes nothing. */
  startWork(): void;
  /**
   * Resolves when no job is running or due, or when the lock is released. Rejects with a Failure if jobs are left that
   * cannot run because of the disk. Jobs must have been started.
   */
  idle(): Promise<void>;
  /** Number of jobs that make records searchable, running or not. */
  countOpenJobs(): number;
  /** Waits for the requests in flight, closes everything and releases the lock. */
  release(): Promise<void>;
}

/** Takes the lock and opens everything. Throws `conflict` if another process holds the lock. */
export function hold(settings: Settings): Holder {
  const app = openApp({ ...settings, host: "127.0.0.1", port: 0 });
  const secret = app.credentials.localSecret;
  const inFlight = new Set<Promise<void>>();
  const { promise: released, resolve: setReleased } = Promise.withResolvers<void>();
  let releasing: Promise<void> | undefined;
  let hasStarted = false;

  const startWork = () => {
    if (hasStarted) return;
    hasStarted = true;
    warmUp(app);
    startJobs(app);
  };

  const server = serve(app, (request, target) => {
    const answer = answerLocalCall(request, target, {
      secret,
      calls: { check: () => {}, "take-over": () => void release(), backup: app.saveSnapshot },
    });
    // Another command uses this process as its server, so it must do a server's work.
    if (!answer) startWork();
    return answer;
  });

  let removeAddress = () => {};
  try {
    removeAddress = writeAddress(settings.dataDir, { url: server.url, secret, isServer: false });
  } catch (error) {
    app.log.warn("other commands cannot find this process", { reason: messageOf(error) });
  }

  const close = async () => {
    // First, so that no other command finds a process that is about to end.
    removeAddress();
    await Promise.all([server.stop(GRACE_MS), Promise.race([Promise.all(inFlight), Bun.sleep(GRACE_MS)])]);
    await app.close();
    setReleased();
  };
  const release = () => {
    releasing ??= close();
    return releasing;
  };

  const openJobs = () => (releasing ? 0 : countOpenJobs(app.store, INDEX_JOBS));
  const idle = async () => {
    const finished = Promise.race([app.jobs.idle(), released]).then(() => true);
    let blockedMs = 0;
    let isFinished = false;
    while (!isFinished && blockedMs < MAX_BLOCKED_MS) {
      isFinished = await Promise.race([finished, Bun.sleep(LOOK_MS).then(() => false)]);
      blockedMs = app.jobs.blockedBy() === undefined ? 0 : blockedMs + LOOK_MS;
    }
    // Jobs of which a try failed because of the disk wait for the next one.
    const reason = app.jobs.blockedBy() ?? app.storage.problems()[0];
    if (reason === undefined || openJobs() === 0) return;
    throw new Failure(
      "unavailable",
      `${reason}. What is stored will be indexed by the next command or server`,
    );
  };

  return {
    secret,
    released,
    startWork,
    release,
    get isReleasing() {
      return releasing !== undefined;
    },
    async handle(request) {
      const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
      inFlight.add(finished);
      finished.then(() => inFlight.delete(finished));
      return whenRead(await server.handle(request), finish);
    },
    idle,
    countOpenJobs: openJobs,
  };
}

/** The same response, which calls `onEnd` when its body has been read or abandoned. */
function whenRead(response: Response, onEnd: () => void): Response {
  if (!response.body) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
