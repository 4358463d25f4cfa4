// Semantic search through HTTP, with queries that are new and queries that were searched before.

import type { Bench } from "./bench.ts";
import { type ChildServer, type Client, clientOf, createKey, startChild } from "./child-server.ts";
import { median } from "./measures.ts";
import type { RealVectors } from "./vectors.ts";

/** So many queries are searched first, in other words. */
const WARM_QUERIES = 5;

/** Median times of GET /v1/search, and of what is done in between with the same queries, ms. */
export interface HttpSearchTimes {
  fresh: number;
  repeated: number;
  baseline: number;
}

export interface HttpSearch {
  queries: RealVectors["queries"];
  /** Runs in turn with the searches. Returns its duration, ms. */
  baseline(query: RealVectors["queries"][number]): Promise<number> | number;
  /** Called before the server stops. */
  atEnd?(server: ChildServer): void;
}

/** Searches a data directory through a server of its own. */
export async function httpSearch(
  bench: Bench,
  dataDir: string,
  { queries, baseline, atEnd }: HttpSearch,
): Promise<HttpSearchTimes> {
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  await server.idle();
  for (const query of queries.slice(0, WARM_QUERIES)) {
    await searchMs(client, `warm ${query.text}`);
    await baseline(query);
  }
  const times = { fresh: [] as number[], repeated: [] as number[], baseline: [] as number[] };
  for (const query of queries.slice(WARM_QUERIES)) {
    times.fresh.push(await searchMs(client, query.text));
    times.repeated.push(await searchMs(client, query.text));
    times.baseline.push(await baseline(query));
  }
  atEnd?.(server);
  await server.stop();
  return {
    fresh: median(times.fresh),
    repeated: median(times.repeated),
    baseline: median(times.baseline),
  };
}

/** The duration of one semantic search, ms. */
export async function searchMs(client: Client, q: string): Promise<number> {
  const startedAt = performance.now();
  await client("GET", `/v1/search?${new URLSearchParams({ q })}`);
  return performance.now() - startedAt;
}
