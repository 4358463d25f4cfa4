// What is counted while the server runs: requests and runs of jobs. Everything else is read when /metrics is requested.

import {
  createDistributions,
  createNumbers,
  type Distributions,
  type Numbers,
  writeDistributions,
  writeSamples,
} from "../../kernel/metrics.ts";
import { METRICS, type MetricName } from "./definitions.ts";

/** A request whose response has ended. */
interface ObservedRequest {
  method: string;
  /** The pattern of the route. */
  route: string;
  status: number;
  ms: number;
  bytes: number;
}

/** One run of a job. */
interface ObservedJob {
  kind: string;
  outcome: string;
  ms: number;
}

export interface MetricsRecorder {
  observeRequest(request: ObservedRequest): void;
  observeJob(job: ObservedJob): void;
  /** The metric in the exposition format; undefined for a metric that is not recorded here. */
  write(name: MetricName): string | undefined;
}

/** A recorder that has counted nothing. */
export function createMetricsRecorder(): MetricsRecorder {
  const counters = {
    ctxrepo_http_requests_total: createNumbers(),
    ctxrepo_http_response_bytes_total: createNumbers(),
    ctxrepo_job_runs_total: createNumbers(),
  };
  const histograms = {
    ctxrepo_http_request_duration_seconds: durationsOf("ctxrepo_http_request_duration_seconds"),
    ctxrepo_job_duration_seconds: durationsOf("ctxrepo_job_duration_seconds"),
  };
  return {
    observeRequest({ method, route, status, ms, bytes }) {
      const labels = [method, route];
      counters.ctxrepo_http_requests_total.add([method, route, String(status)], 1);
      counters.ctxrepo_http_response_bytes_total.add(labels, bytes);
      histograms.ctxrepo_http_request_duration_seconds.observe(labels, ms / 1000);
    },
    observeJob({ kind, outcome, ms }) {
      counters.ctxrepo_job_runs_total.add([kind, outcome], 1);
      histograms.ctxrepo_job_duration_seconds.observe([kind], ms / 1000);
    },
    write(name) {
      const numbers = (counters as Partial<Record<MetricName, Numbers>>)[name];
      if (numbers) return writeSamples(name, METRICS[name], numbers.samples());
      const durations = (histograms as Partial<Record<MetricName, Distributions>>)[name];
      return durations && writeDistributions(name, METRICS[name], durations.distributions());
    },
  };
}

function durationsOf(name: MetricName): Distributions {
  return createDistributions(METRICS[name].buckets ?? []);
}
