// Client of the embedding workers: texts to unit vectors, and the state of the first worker, derived from its calls
// without waiting for any.

import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { superviseWorker } from "../../workers/supervisor.ts";
import type { SharedParts } from "../inference/load.ts";
import { additionalWorkersFor, openAdditionalWorker } from "./additional-worker.ts";
import { createBulkQueue } from "./bulk-queue.ts";
import { groupsOf, joined } from "./passage-groups.ts";
import { createQueryCache } from "./query-cache.ts";
import type { Lane } from "./scheduler.ts";
import type { EmbeddedPassages, EmbedderInfo, EmbeddingApi, EmbeddingOptions, Passage } from "./worker.ts";

export interface Embedder {
  /**
   * The loaded model, which has passed its self-test. Rejects with Failure("unavailable") and the reason if it cannot
   * be loaded or computes wrong vectors.
   */
  describe(): Promise<EmbedderInfo>;
  /**
   * A unit vector of 1,536; takes precedence over indexing. Recent texts are cached: callers share the array and must
   * not write into it. Rejects with Failure("unavailable").
   */
  embedQuery(text: string): Promise<Float32Array>;
  /** Whether `embedQuery` returns this text's vector without running the model for it. */
  hasQuery(text: string): boolean;
  /**
   * For each passage one unit vector of 1,536 per window, in order. The lane `urgent` takes precedence over indexing.
   * Rejects with Failure("unavailable").
   */
  embedPassages(passages: readonly Passage[], lane?: Lane): Promise<EmbeddedPassages>;
  /** `loading` until the model is loaded, `degraded` while its last call failed or is overdue. Never waits. */
  state(): "loading" | "ok" | "degraded";
  /** Why it is `degraded`, for callers; undefined if it is not. Never waits. */
  problem(): string | undefined;
  /** What it has done since it was opened. Never waits. */
  usage(): EmbedderUsage;
  /** Rejects calls in flight, and ends the worker after the run of the model that it is in. */
  close(): Promise<void>;
}

interface EmbedderUsage {
  /** Texts that the model embedded; cached queries do not count. */
  queries: number;
  passages: number;
  /** Tokens of the passages. */
  tokens: number;
  /** Time during which there was at least one call. */
  busyMs: number;
  /** Calls in flight. */
  waitingCalls: number;
}

/** Maximum number of concurrent calls; further ones are rejected. */
const MAX_CALLS = 1_000;

/** A call is overdue after this time plus 1 ms per character that was waiting when it was made. */
const OVERDUE_MS = 30_000;

/** After this time without calls, `state` sends a short query as a probe; earlier if the last call failed. */
const PROBE_IDLE_MS = 60_000;
const PROBE_FAILED_MS = 5_000;

const NO_RESPONSE = "semantic search is degraded: the embedding model has not responded for a long time";
const LAST_CALL_FAILED =
  "semantic search is degraded: the embedding model failed when it was last used; the log says why";

interface Call {
  overdueAt: number;
  characters: number;
}

export interface EmbedderOptions extends EmbeddingOptions {
  /** Measures ages and back-off only. */
  clock?: Clock;
  /** Creates the thread; tests pass workers of their own. */
  spawn?: () => Worker;
  /** Maximum number of additional workers; default: by cores and memory, see `additionalWorkersFor`. */
  maxAdditional?: number;
}

/** An embedder whose worker loads the model with the first call. */
export function openEmbedder(settings: EmbedderOptions): Embedder {
  const { clock = systemClock, spawn, maxAdditional = additionalWorkersFor(), ...options } = settings;
  const calls = new Set<Call>();
  const queries = createQueryCache();
  let loaded: Promise<EmbedderInfo> | undefined;
  let loadedOnce = false;
  let shared: SharedParts | undefined;
  let failure: Failure | undefined;
  let settledAt = clock.monotonic();
  let closed = false;
  const done = { queries: 0, passages: 0, tokens: 0 };
  let busyMs = 0;
  let busySince = 0;

  const worker = superviseWorker<EmbeddingApi>({
    role: "embedding",
    options,
    spawn,
    clock,
    // A worker without a model is replaced: its folder may have been repaired by then.
    ready(call) {
      // The folder may contain another model by now.
      queries.clear();
      loaded = track(0, () => call.describe(null)).then(({ shared: parts, ...info }) => {
        shared = parts;
        loadedOnce = true;
        return info;
      });
      return loaded;
    },
    // Terminating a thread inside a native run aborts the whole process, so it is asked to stop first.
    shutDown: (call) => call.stop(null),
    onCrash(crash) {
      failure = crash;
      settledAt = clock.monotonic();
      queries.clear();
      worker.start();
    },
  });

  /** The model's description from the running worker. Throws when no worker may be started now. */
  const whenLoaded = (): Promise<EmbedderInfo> => {
    if (closed || !worker.start() || !loaded)
      throw failure ?? new Failure("unavailable", "the embedder is closed");
    return loaded;
  };

  const describe = async () => whenLoaded();

  /** Runs one call; records its age while it runs and its outcome afterwards. */
  const track = async <Result>(characters: number, run: () => Promise<Result>): Promise<Result> => {
    let waiting = characters;
    for (const call of calls) waiting += call.characters;
    if (calls.size === 0) busySince = clock.monotonic();
    const call: Call = { characters, overdueAt: clock.monotonic() + OVERDUE_MS + waiting };
    calls.add(call);
    try {
      const result = await run();
      failure = undefined;
      return result;
    } catch (error) {
      failure = asFailure(error);
      throw error;
    } finally {
      calls.delete(call);
      settledAt = clock.monotonic();
      if (calls.size === 0) busyMs += settledAt - busySince;
    }
  };

  const ask = async <Result>(
    characters: number,
    run: (call: typeof worker.call) => Promise<Result>,
  ): Promise<Result> => {
    const ready = whenLoaded();
    if (calls.size >= MAX_CALLS)
      throw new Failure("unavailable", "too many texts are waiting to be embedded");
    return track(characters, () => ready.then(() => run(worker.call)));
  };

  const bulk = createBulkQueue({
    embedInFirst: (passages) => worker.call.embedPassages({ passages }),
    openAdditional: (onReady) =>
      openAdditionalWorker({ options: { ...options, shared }, spawn, clock, first: describe, onReady }),
    maxAdditional,
    clock,
  });

  const probeIfDue = () => {
    const idleMs = clock.monotonic() - settledAt;
    if (calls.size > 0 || idleMs < (failure ? PROBE_FAILED_MS : PROBE_IDLE_MS)) return;
    ask(0, (call) => call.embedQuery({ text: "probe" })).catch(() => {});
  };

  const problem = () => {
    if (closed) return "the server is stopping";
    const now = clock.monotonic();
    for (const call of calls) if (now > call.overdueAt) return NO_RESPONSE;
    return failure && (failure.publicMessage ?? LAST_CALL_FAILED);
  };

  return {
    describe,
    embedQuery: (text) =>
      queries.get(text, async () => {
        const { vector } = await ask(text.length, (call) => call.embedQuery({ text }));
        done.queries++;
        return vector;
      }),
    hasQuery: (text) => queries.has(text),
    async embedPassages(passages, lane = "patient") {
      const embedded = groupsOf(passages).map(async ({ group, characters }) => {
        const result = await ask(characters, (call) =>
          lane === "urgent" ? call.embedPassages({ passages: group, lane }) : bulk.embed(group, characters),
        );
        done.passages += group.length;
        done.tokens += result.tokens;
        return result;
      });
      return joined(await Promise.all(embedded));
    },
    state() {
      if (!closed) {
        worker.start();
        probeIfDue();
      }
      if (problem()) return "degraded";
      return loadedOnce ? "ok" : "loading";
    },
    problem,
    usage() {
      const current = calls.size > 0 ? clock.monotonic() - busySince : 0;
      return { ...done, busyMs: busyMs + current, waitingCalls: calls.size };
    },
    async close() {
      closed = true;
      queries.clear();
      failure = new Failure("unavailable", "the embedder is closed");
      await Promise.all([bulk.close(), worker.close()]);
    },
  };
}

function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure("unavailable", messageOf(error), { cause: error });
}
