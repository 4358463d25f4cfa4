// The reading model as a worker thread uses it: one run at a time, and stopped before the thread ends. If it cannot be
// loaded, the next call tries again.

import { setImmediate as messagesDelivered } from "node:timers/promises";
import { Failure, messageOf } from "../../kernel/errors.ts";
import type { Runtime } from "./runtime.ts";
import { loadReader, type PassageReader } from "./reader.ts";

export interface OpenReader extends PassageReader {
  /**
   * Resolves when the model is loaded. Rejects with Failure("unavailable") and the reason if it cannot be used, as
   * `score` does.
   */
  load(): Promise<void>;
  /** Rejects what waits; resolves when no run is under way: terminating the thread in one would abort the process. */
  stop(): Promise<void>;
}

/** Starts loading and returns at once. */
export function openReader(directory: string, runtime: Runtime): OpenReader {
  let loading: Promise<PassageReader> | undefined;
  let isStopped = false;
  /** Resolves when nothing runs; never rejects. */
  let latest: Promise<void> = Promise.resolve();

  const load = () => {
    loading ??= loadReader(directory, runtime).then(
      (reader) => {
        // The weights' bytes and the tokenizer's source are garbage by now.
        Bun.gc(true);
        return reader;
      },
      (error) => {
        loading = undefined;
        const reason = `the reading model in ${directory} cannot be used: ${messageOf(error)}`;
        throw new Failure("unavailable", reason, { cause: error, publicMessage: NOT_LOADED });
      },
    );
    return loading;
  };
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = latest.then(async () => {
      // A message that stops the worker may be waiting.
      await messagesDelivered();
      if (isStopped) throw new Failure("unavailable", "the reading model is stopping");
      return run();
    });
    latest = result.then(
      () => {},
      () => {},
    );
    return result;
  };
  const open: OpenReader = {
    load: () => inTurn(async () => void (await load())),
    score: (readings) =>
      readings.length === 0 ? Promise.resolve([]) : inTurn(async () => (await load()).score(readings)),
    async stop() {
      isStopped = true;
      await latest;
    },
  };
  open.load().catch(() => {});
  return open;
}

const NOT_LOADED =
  "questions cannot be answered: the reading model cannot be loaded; ctxrepo doctor and the log say why";
