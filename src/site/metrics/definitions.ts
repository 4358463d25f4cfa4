// Every metric of GET /metrics. The table in docs/operations.md is generated from this list.

import type { MetricDefinition } from "../../kernel/metrics.ts";

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const define = <Name extends string>(metrics: Readonly<Record<Name, MetricDefinition>>) => metrics;

/** All metrics by name, in the order of the page. */
export const METRICS = define({
  ctxrepo_build_info: {
    type: "gauge",
    labels: ["version", "bun"],
    help: "Always 1. The labels are the versions of the server and of the Bun runtime.",
  },
  ctxrepo_uptime_seconds: { type: "gauge", help: "Time since the start." },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of the process, with all threads." },
  process_cpu_seconds_total: { type: "counter", help: "CPU time of the process, user and system." },
  ctxrepo_http_requests_total: {
    type: "counter",
    labels: ["method", "route", "status"],
    help: "Requests whose response has ended. The route unmatched means an unknown path or a rejected Host or User-Agent.",
  },
  ctxrepo_http_request_duration_seconds: {
    type: "histogram",
    labels: ["method", "route"],
    buckets: REQUEST_SECONDS,
    help: "Time from the arrival of a request to the end of its response.",
  },
  ctxrepo_http_response_bytes_total: {
    type: "counter",
    labels: ["method", "route"],
    help: "Bytes of response bodies, without headers.",
  },
  ctxrepo_jobs: {
    type: "gauge",
    labels: ["kind", "state"],
    help: "Background jobs by state; queued includes those that wait for a retry.",
  },
  ctxrepo_job_runs_total: {
    type: "counter",
    labels: ["kind", "outcome"],
    help: "Runs of jobs: done, retried (failed, will be tried again), failed (for good), interrupted (the server stopped).",
  },
  ctxrepo_job_duration_seconds: {
    type: "histogram",
    labels: ["kind"],
    buckets: JOB_SECONDS,
    help: "Duration of the runs of jobs.",
  },
  ctxrepo_documents: { type: "gauge", help: "Stored documents, archived ones included." },
  ctxrepo_prompts: { type: "gauge", help: "Stored prompts." },
  ctxrepo_index_live_generations: {
    type: "gauge",
    help: "Documents that can be searched. Fewer than ctxrepo_documents while documents wait to be indexed.",
  },
  ctxrepo_index_chunks: { type: "gauge", help: "Chunks that can be searched." },
  ctxrepo_database_bytes: { type: "gauge", help: "Size of the database file." },
  ctxrepo_database_wal_bytes: {
    type: "gauge",
    help: "Size of the write-ahead log. It keeps its largest size until the server stops.",
  },
  ctxrepo_embedder_up: {
    type: "gauge",
    help: "1 if the embedding model works; 0 while it is being loaded, or if its last work failed or is overdue.",
  },
  ctxrepo_embedder_texts_total: {
    type: "counter",
    labels: ["kind"],
    help: "Embedded texts by kind: query or passage. Queries that are answered from the cache do not count.",
  },
  ctxrepo_embedder_tokens_total: { type: "counter", help: "Tokens of embedded passages." },
  ctxrepo_embedder_busy_seconds_total: {
    type: "counter",
    help: "Time during which the embedder had work. Its rate is the embedder's utilization, from 0 to 1.",
  },
  ctxrepo_embedder_waiting_calls: {
    type: "gauge",
    help: "Calls that the embedder has accepted and not finished; a call has up to 64 passages.",
  },
  ctxrepo_log_lines_dropped_total: {
    type: "counter",
    help: "Log lines that were dropped because their reader was too slow or could not store them.",
  },
});

export type MetricName = keyof typeof METRICS;
