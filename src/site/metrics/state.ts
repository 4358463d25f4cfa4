// The metrics that are read when /metrics is requested: the process, the jobs, the index, the embedder.

import type { Credentials } from "../../auth/credentials.ts";
import type { Settings } from "../../base/config.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { LogOutput } from "../../kernel/log-output.ts";
import type { Sample } from "../../kernel/metrics.ts";
import type { SearchWorker } from "../../retrieval/search/worker.ts";
import { VERSION } from "../../base/version.ts";
import type { MetricName } from "./definitions.ts";
import type { MetricsRecorder } from "./recorder.ts";
import type { Sizes } from "./sizes.ts";

/** What /metrics reports on. */
export interface MetricsDeps {
  settings: Settings;
  clock: Clock;
  credentials: Credentials;
  embedder: Pick<Embedder, "state" | "problem" | "usage">;
  searchWorker: SearchWorker;
  /** Null without --metrics. */
  metrics: MetricsRecorder | null;
  /** Undefined if the log is written elsewhere. */
  logOutput: Pick<LogOutput, "dropped"> | undefined;
  /** Monotonic instant of the start, ms. */
  startedAt: number;
}

type State = Partial<Record<MetricName, readonly Sample[]>>;

const one = (value: number): readonly Sample[] => [{ labels: [], value }];

/** The samples by metric; those that need `sizes` are absent without them. */
export function currentState(
  { clock, startedAt, embedder, logOutput }: Omit<MetricsDeps, "settings">,
  sizes: Sizes | undefined,
): State {
  const { user, system } = process.cpuUsage();
  const usage = embedder.usage();
  return {
    ctxrepo_build_info: [{ labels: [VERSION, Bun.version], value: 1 }],
    ctxrepo_uptime_seconds: one((clock.monotonic() - startedAt) / 1000),
    process_resident_memory_bytes: one(process.memoryUsage.rss()),
    process_cpu_seconds_total: one((user + system) / 1e6),
    ctxrepo_embedder_up: one(embedder.state() === "ok" ? 1 : 0),
    ctxrepo_embedder_texts_total: [
      { labels: ["query"], value: usage.queries },
      { labels: ["passage"], value: usage.passages },
    ],
    ctxrepo_embedder_tokens_total: one(usage.tokens),
    ctxrepo_embedder_busy_seconds_total: one(usage.busyMs / 1000),
    ctxrepo_embedder_waiting_calls: one(usage.waitingCalls),
    ctxrepo_log_lines_dropped_total: logOutput && one(logOutput.dropped),
    ...(sizes && stateOfDatabase(sizes)),
  };
}

function stateOfDatabase(sizes: Sizes): State {
  return {
    ctxrepo_jobs: sizes.jobs.map(({ kind, state, jobs }) => ({ labels: [kind, state], value: jobs })),
    ctxrepo_documents: one(sizes.documents),
    ctxrepo_prompts: one(sizes.prompts),
    ctxrepo_index_live_generations: one(sizes.liveGenerations),
    ctxrepo_index_chunks: one(sizes.liveChunks),
    ctxrepo_database_bytes: one(sizes.databaseBytes),
    ctxrepo_database_wal_bytes: one(sizes.walBytes),
  };
}
