// Operation of /console/api: running a prompt with the configured language model.

import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { badRequest, Failure, notFound } from "../../../kernel/errors.ts";
import { type FairQueue, openFairQueue } from "../../../kernel/fair-queue.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import type { Log } from "../../../kernel/log.ts";
import { fill } from "../../../kernel/placeholders.ts";
import { ownPrompt, visiblePrompt } from "../../prompts/access.ts";
import { findVersion, type PromptRow, type VersionRow } from "../../prompts/store.ts";
import type { ModelServer } from "../../reason/llm.ts";
import { streamModel } from "../../reason/llm-stream.ts";
import { common, runBody } from "../contract.ts";
import { streamRun } from "./stream.ts";

/** What this operation needs. */
export interface RunsDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** The configured language model; null for none. */
  modelServer: ModelServer | null;
  promptRuns: PromptRuns;
}

export interface PromptRuns {
  /** Where runs wait for each other. */
  queue: FairQueue;
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal;
  /** Ends all runs. */
  close(): void;
}

/** Opens the queue of runs: a person compares two versions, and a model on this machine does little at a time. */
export function openPromptRuns(): PromptRuns {
  const stopping = new AbortController();
  const queue = openFairQueue({
    what: "prompts are run",
    running: 8,
    runningOfUser: 2,
    waiting: 32,
    waitingOfUser: 4,
    retryAfterS: 10,
  });
  return { queue, stopping: stopping.signal, close: () => stopping.abort() };
}

/** A version of a prompt. Throws `not-found`. */
function versionOf(store: Store, { id }: PromptRow, versionId: string): VersionRow {
  const version = findVersion(store, versionId);
  if (version?.promptId !== id) throw notFound("version");
  return version;
}

const declare = operationOf<RunsDeps>();

export const runsApi = [
  declare({
    ...common,
    name: "console.prompts.run",
    method: "POST",
    path: "/console/api/prompts/:id/run",
    summary: "Run a version of a prompt with these values, as server-sent events",
    requires: { anyOf: ["prompts.read"] },
    body: runBody,
    handle({ caller, id, body: { versionId, values } }, { store, modelServer, promptRuns, ...deps }) {
      if (modelServer === null) {
        throw new Failure(
          "unprocessable",
          "no language model is configured: start with --llm-url and --llm-model",
        );
      }
      const version =
        versionId === undefined
          ? visiblePrompt(store, caller, id)
          : versionOf(store, ownPrompt(store, caller, id), versionId);
      const content = fill(
        version.content,
        Object.fromEntries(values.map(({ name, value }) => [name, value])),
      );
      const { promptBytes } = LIMITS.run;
      if (Buffer.byteLength(content) > promptBytes) {
        throw badRequest({
          path: "values",
          message: `the filled prompt is larger than ${promptBytes} bytes`,
        });
      }
      const { parameters } = version;
      const stream = streamRun({
        ...deps,
        ...promptRuns,
        userId: caller.userId,
        ask: (stopping) => streamModel(modelServer, [{ role: "user", content }], { stopping, parameters }),
      });
      return { status: 200, headers: { "Content-Type": "text/event-stream" }, stream };
    },
  }),
];
