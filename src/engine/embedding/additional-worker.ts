// Additional embedding workers for indexing: how many, and one of them with the same model as the first worker.

import { availableParallelism } from "node:os";
import type { Clock } from "../../kernel/clock.ts";
import { Failure } from "../../kernel/errors.ts";
import { superviseWorker } from "../../workers/supervisor.ts";
import type { EmbeddedPassages, EmbedderInfo, EmbeddingApi, EmbeddingOptions, Passage } from "./worker.ts";

export interface AdditionalWorker {
  /** Starts the worker if it does not run and the back-off allows it. */
  start(): void;
  /** True when it has loaded the model. */
  readonly isReady: boolean;
  embed(passages: Passage[]): Promise<EmbeddedPassages>;
  close(): Promise<void>;
}

const MAX_ADDITIONAL = 4;
const MIN_AVAILABLE_BYTES = 1e9;

/**
 * The number of workers that index instead of the first one: one for each core, at most four, because each uses one
 * core and 60 MB. None where little memory is available.
 */
export function additionalWorkersFor(
  cores = availableParallelism(),
  availableBytes = process.availableMemory(),
): number {
  return availableBytes < MIN_AVAILABLE_BYTES ? 0 : Math.min(MAX_ADDITIONAL, cores);
}

export interface AdditionalWorkerOptions {
  options: EmbeddingOptions;
  spawn?: () => Worker;
  clock: Clock;
  /** Describes the model of the first worker. */
  first(): Promise<EmbedderInfo>;
  /** Called when the worker has become ready. */
  onReady(): void;
}

/** Starts nothing yet. A worker that finds another model than the first one in the folder is not used. */
export function openAdditionalWorker(settings: AdditionalWorkerOptions): AdditionalWorker {
  const { first, onReady, options, ...others } = settings;
  let isReady = false;
  const worker = superviseWorker<EmbeddingApi>({
    role: "embedding",
    options: { ...options, yieldsProcessor: true },
    ...others,
    async ready(call) {
      const [expected, own] = await Promise.all([first(), call.describe(null)]);
      if (own.revision !== expected.revision)
        throw new Failure("unavailable", "the model's folder was replaced");
      isReady = true;
      onReady();
    },
    shutDown: (call) => call.stop(null),
    // Its calls were rejected; the other workers continue.
    onCrash() {
      isReady = false;
    },
  });
  return {
    start: () => void worker.start(),
    get isReady() {
      return isReady;
    },
    embed: (passages) => worker.call.embedPassages({ passages }),
    close: () => worker.close(),
  };
}
