// The embedding engine as the rest of the program sees it: text to unit vectors, in a thread of its own that comes back
// when it dies. How it fares is known from its work, never from waiting for it. It knows no document and no route.

import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { openThread, type Thread } from "../../kernel/thread.ts";
import { createRespawnLimit } from "./respawn.ts";
import type { Lane } from "./scheduler.ts";
import type { EmbeddedPassages, EmbedderInfo, EmbeddingApi, EmbeddingOptions, Passage } from "./thread.ts";

export interface Embedder {
  /** What is loaded. Rejects with Failure("unavailable") when the model cannot be loaded, saying why. */
  describe(): Promise<EmbedderInfo>;
  /** A unit vector of 1,536; goes past all indexing. Rejects with Failure("unavailable"). */
  embedQuery(text: string): Promise<Float32Array>;
  /**
   * For each passage one unit vector of 1,536 per window, in order; somebody waits for `urgent` ones, so they go past all
   * indexing. Rejects with Failure("unavailable").
   */
  embedPassages(passages: readonly Passage[], lane?: Lane): Promise<EmbeddedPassages>;
  /** `loading` until the model answered for the first time, `degraded` while its last work failed or hangs. Never waits. */
  state(): "loading" | "ok" | "degraded";
  /** Calls in flight are refused; the thread ends after the run it is in. */
  close(): void;
}

/** One call of the thread holds at most this much, so that it ends in a second or two and its age means something. */
const PASSAGES_PER_CALL = 64;
const CHARACTERS_PER_CALL = 64_000;

/** More calls than this at once are refused: the callers are faster than the machine. */
const MAX_CALLS = 1_000;

/** A call is overdue after this long, plus a millisecond for each character that was waiting when it was made. */
const PATIENCE_MS = 30_000;

/** After this long without work `state` sends a tiny query, to know; sooner when the last work failed. */
const PROBE_IDLE_MS = 60_000;
const PROBE_FAILED_MS = 5_000;

interface Call {
  overdueAt: number;
  characters: number;
}

interface Serving {
  thread: Thread<EmbeddingApi>;
  loaded: Promise<EmbedderInfo>;
}

/**
 * Starts the thread and its loading, and answers at once. `spawn` makes the worker of src/thread.ts; `clock` measures
 * ages only.
 */
export function openEmbedder(spawn: () => Worker, options: EmbeddingOptions & { clock?: Clock }): Embedder {
  const { clock = systemClock, ...threadOptions } = options;
  const respawnLimit = createRespawnLimit();
  const calls = new Set<Call>();
  let serving: Serving | undefined;
  let loadedOnce = false;
  let failure: Failure | undefined;
  let settledAt = clock.monotonic();
  let closed = false;

  const lose = (reason: Failure) => {
    serving = undefined;
    failure = reason;
    settledAt = clock.monotonic();
  };

  const serve = (): Serving => {
    const thread: Thread<EmbeddingApi> = openThread(
      spawn(),
      { role: "embed", options: threadOptions },
      (reason) => {
        if (serving?.thread !== thread) return;
        lose(new Failure("unavailable", reason));
        revive();
      },
    );
    const loaded = track(0, () => thread.call.describe(null)).then(
      (info) => {
        loadedOnce = true;
        return info;
      },
      (error) => {
        // A thread without a model is of no use; the next one may find its folder mended.
        if (serving?.thread === thread) lose(asFailure(error));
        end(thread);
        throw error;
      },
    );
    loaded.catch(() => {});
    return { thread, loaded };
  };

  /** The thread that serves, a new one when the last is gone and it is time; undefined while it is not. */
  const revive = (): Serving | undefined => {
    if (!serving && !closed && respawnLimit.allows(clock.monotonic())) serving = serve();
    return serving;
  };

  /** Runs one call, keeps its age while it runs and its outcome afterwards. */
  const track = async <Result>(characters: number, run: () => Promise<Result>): Promise<Result> => {
    let waiting = characters;
    for (const call of calls) waiting += call.characters;
    const call: Call = { characters, overdueAt: clock.monotonic() + PATIENCE_MS + waiting };
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
    }
  };

  const ask = async <Result>(
    characters: number,
    run: (call: Thread<EmbeddingApi>["call"]) => Promise<Result>,
  ): Promise<Result> => {
    const current = revive();
    if (!current) throw failure ?? new Failure("unavailable", "the embedder is closed");
    if (calls.size >= MAX_CALLS)
      throw new Failure("unavailable", "too many texts are waiting to be embedded");
    return track(characters, () => current.loaded.then(() => run(current.thread.call)));
  };

  const probeIfDue = () => {
    const idleMs = clock.monotonic() - settledAt;
    if (calls.size > 0 || idleMs < (failure ? PROBE_FAILED_MS : PROBE_IDLE_MS)) return;
    ask(0, (call) => call.embedQuery({ text: "probe" })).catch(() => {});
  };

  serving = revive();
  return {
    async describe() {
      const current = revive();
      if (!current) throw failure ?? new Failure("unavailable", "the embedder is closed");
      return current.loaded;
    },
    async embedQuery(text) {
      return (await ask(text.length, (call) => call.embedQuery({ text }))).vector;
    },
    async embedPassages(passages, lane = "patient") {
      const result: EmbeddedPassages = { windows: [], tokens: 0 };
      for (const { group, characters } of groups(passages)) {
        const { windows, tokens } = await ask(characters, (call) =>
          call.embedPassages({ passages: group, lane }),
        );
        result.windows.push(...windows);
        result.tokens += tokens;
      }
      return result;
    },
    state() {
      if (closed) return "degraded";
      revive();
      probeIfDue();
      const now = clock.monotonic();
      for (const call of calls) if (now > call.overdueAt) return "degraded";
      if (failure) return "degraded";
      return loadedOnce ? "ok" : "loading";
    },
    close() {
      if (closed) return;
      closed = true;
      if (serving) end(serving.thread);
      lose(new Failure("unavailable", "the embedder is closed"));
    },
  };
}

/** Terminating a thread inside a native run aborts the whole process (napi's error reaches no JavaScript), so it is asked first. */
function end(thread: Thread<EmbeddingApi>): void {
  const close = () => thread.close();
  thread.call.stop(null).then(close, close);
}

/** Cuts a list of passages into calls; a passage longer than a call's share is a call of its own. */
function* groups(passages: readonly Passage[]): Generator<{ group: Passage[]; characters: number }> {
  let group: Passage[] = [];
  let characters = 0;
  for (const passage of passages) {
    const length = passage.context.length + passage.text.length;
    const isFull = group.length === PASSAGES_PER_CALL || characters + length > CHARACTERS_PER_CALL;
    if (group.length > 0 && isFull) {
      yield { group, characters };
      group = [];
      characters = 0;
    }
    group.push(passage);
    characters += length;
  }
  if (group.length > 0) yield { group, characters };
}

function asFailure(error: unknown): Failure {
  return error instanceof Failure
    ? error
    : new Failure("unavailable", messageOf(error), undefined, { cause: error });
}
