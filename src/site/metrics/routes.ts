// GET /metrics, with --metrics only. On a loopback address it needs no credential, because /health does not either; a
// server that other machines can reach requires any valid one.

import { isLoopback } from "../../base/config.ts";
import { authenticate } from "../../http/authenticate.ts";
import type { Page } from "../../http/plugin.ts";
import { type Sample, writeSamples } from "../../kernel/metrics.ts";
import { METRICS, type MetricName } from "./definitions.ts";
import type { MetricsRecorder } from "./recorder.ts";
import { openSizes, type Sizes } from "./sizes.ts";
import { currentState, type MetricsDeps } from "./state.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The page /metrics, or no page without --metrics: it is then unknown like any other path. */
export function metricsPages(deps: MetricsDeps, baseUrl: string): Record<string, Page> {
  const { metrics, settings, credentials } = deps;
  if (!metrics) return {};
  const sizes = openSizes(deps);
  const needsCredential = !isLoopback(settings.host);
  return {
    "/metrics": async (request) => {
      if (needsCredential) await authenticate(credentials, request.headers, baseUrl);
      const text = exposition(deps, metrics, await sizes.read());
      return { status: 200, text, headers: { "Content-Type": CONTENT_TYPE } };
    },
  };
}

function exposition(deps: MetricsDeps, metrics: MetricsRecorder, sizes: Sizes | undefined): string {
  const state: Partial<Record<MetricName, readonly Sample[]>> = currentState(deps, sizes);
  const names = Object.keys(METRICS) as MetricName[];
  return names
    .map((name) => metrics.write(name) ?? writeSamples(name, METRICS[name], state[name] ?? []))
    .join("");
}
