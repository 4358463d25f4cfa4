// Operations of /console/api: jobs, sizes and throughput.

import { databaseSize } from "../../../db/size.ts";
import type { Store } from "../../../db/store.ts";
import type { Embedder } from "../../../engine/embedding/embedder.ts";
import { operationOf } from "../../../http/operation.ts";
import { listJobs, retryJob } from "../../../jobs/listing.ts";
import { countPending } from "../../../jobs/owners.ts";
import { countJobs } from "../../../jobs/queue.ts";
import { notFound } from "../../../kernel/errors.ts";
import type { Following } from "../../../kernel/following.ts";
import { countOfOneModel } from "../../../retrieval/generations/generations.ts";
import type { Spaces } from "../../../retrieval/generations/spaces.ts";
import type { SearchWorker } from "../../../retrieval/search/worker.ts";
import { VERSION } from "../../../base/version.ts";
import { common, retryBody } from "../contract.ts";
import { listFolders } from "../folders/store.ts";
import type { FailedFetch, Job, Status, Storage } from "../replies.ts";
import { countAll, listFailedFetches, pendingBytes } from "./store.ts";

/** What these operations need. */
export interface ActivityDeps {
  store: Store;
  embedder: Pick<Embedder, "state" | "problem" | "usage">;
  spaces: Pick<Spaces, "isMultilingual">;
  following: Following | null;
  searchWorker: SearchWorker;
}

const MAX_JOBS_OF_STATE = 100;
const MAX_FAILED_FETCHES = 100;

const reads = { anyOf: ["documents.read", "prompts.read"] } as const;
const writes = { anyOf: ["documents.write", "prompts.write"] } as const;

const declare = operationOf<ActivityDeps>();

export const activityApi = [
  declare({
    ...common,
    name: "console.status.get",
    method: "GET",
    path: "/console/api/status",
    summary: "Report jobs, sizes and throughput",
    requires: reads,
    handle({ caller: { userId } }, { store, embedder, spaces, following }) {
      const throughput = throughputOf(embedder);
      const data: Status = {
        version: VERSION,
        jobs: countJobs(store),
        pending: countPending(store, userId),
        pendingSeconds: secondsFor(pendingBytes(store, userId), throughput.tokensPerSecond),
        failedFetches: listFailedFetches(store, userId, MAX_FAILED_FETCHES).length,
        database: databaseSize(store),
        records: countAll(store, userId),
        folders: listFolders(store, userId),
        follows: following,
        multilingual: spaces.isMultilingual() ? { waiting: countOfOneModel(store, userId) } : null,
        embedder: { state: embedder.state(), problem: embedder.problem(), ...throughput },
      };
      return { status: 200, body: { data } };
    },
  }),
  declare({
    ...common,
    name: "console.storage.get",
    method: "GET",
    path: "/console/api/storage",
    summary: "Report the sizes of documents by collection",
    requires: { anyOf: ["documents.read"] },
    handle: async ({ caller: { userId } }, { searchWorker }) => ({
      status: 200,
      body: { data: (await searchWorker.call.storage({ userId })) satisfies Storage },
    }),
  }),
  declare({
    ...common,
    name: "console.jobs.list",
    method: "GET",
    path: "/console/api/jobs",
    summary: "List jobs and failed fetches",
    requires: reads,
    handle: ({ caller }, { store }) => ({
      status: 200,
      body: {
        data: {
          jobs: listJobs(store, caller.userId, MAX_JOBS_OF_STATE),
          failedFetches: listFailedFetches(store, caller.userId, MAX_FAILED_FETCHES),
        } satisfies { jobs: Job[]; failedFetches: FailedFetch[] },
      },
    }),
  }),
  declare({
    ...common,
    name: "console.jobs.retry",
    method: "POST",
    path: "/console/api/jobs/retry",
    summary: "Queue a failed job again",
    requires: writes,
    body: retryBody,
    handle: ({ caller, body, commit }) =>
      commit((write) => {
        if (!retryJob(write, caller.userId, body.jobId)) throw notFound("failed job");
        return { status: 200, body: { success: true } };
      }),
  }),
];

/**
 * Bytes of text for one token of the model, with the words that its windows and headings repeat: about 4 in English
 * prose.
 */
const BYTES_A_TOKEN = 4;

function secondsFor(bytes: number, tokensPerSecond: number): number | undefined {
  if (bytes === 0 || tokensPerSecond === 0) return undefined;
  return Math.ceil(bytes / BYTES_A_TOKEN / tokensPerSecond);
}

/** Tokens of all passages since the start, and tokens per second of the time in which the embedder had work. */
function throughputOf(embedder: Pick<Embedder, "usage">): { tokens: number; tokensPerSecond: number } {
  const { tokens, busyMs } = embedder.usage();
  return { tokens, tokensPerSecond: busyMs === 0 ? 0 : Math.round((tokens * 1000) / busyMs) };
}
