// Group search-1m: search over a million chunks, compared with 100,000. It runs only when it is named: filling the
// database takes several minutes and 10 GB of disk.

import { openReader } from "../../src/db/handles.ts";
import { databasePath } from "../../src/db/open.ts";
import { ONE_MODEL } from "../../src/retrieval/vectors/query-parts.ts";
import { signBits } from "../../src/engine/embedding/bits.ts";
import { rotationSize } from "../../src/engine/embedding/lift.ts";
import { dot } from "../../src/kernel/vectors.ts";
import { floatsOf, openCosines } from "../../src/retrieval/vectors/dense.ts";
import { openLiveIndex } from "../../src/retrieval/search/live-index.ts";
import type { Bench } from "./bench.ts";
import { residentMemory } from "./child-server.ts";
import { openWithExtension } from "./exact-scan.ts";
import { type FilledDatabase, filledDatabase } from "./filled-database.ts";
import { type Finding, mean } from "./measures.ts";
import { httpSearch } from "./search-http.ts";
import { costFindings, searchCostAt } from "./search-parts.ts";
import { RECALL_DEPTH } from "./sign-bits.ts";
import { type RealVectors, realVectors } from "./vectors.ts";

const CHUNKS = 1_000_000;
const SMALLER = 100_000;
const RECALL_QUERIES = 20;
const CANDIDATES = 256;

/** Yields the cost of each part, recall, latency through HTTP, and memory, each compared with 100,000 chunks. */
export async function* searchMillion(bench: Bench): AsyncGenerator<Finding> {
  const real = await realVectors(bench);
  const smaller = await httpTimes(bench, SMALLER);
  yield* costFindings(await searchCostAt(bench, CHUNKS), await searchCostAt(bench, SMALLER));
  const filled = await filledDatabase(bench, CHUNKS);
  const queries = real.queries.slice(0, RECALL_QUERIES);
  yield {
    measure: "recall@10 of the nearest against exact, 1M vectors",
    value: recall(filled, real.model.dimension, queries),
    unit: "",
  };
  const larger = await httpTimes(bench, CHUNKS);
  const compared = (part: keyof typeof larger, unit: string) => ({
    value: larger[part],
    unit,
    baseline: { name: "100k chunks", value: smaller[part] },
  });
  yield { measure: "GET /v1/search, 1M chunks, new queries, p50", ...compared("fresh", "ms") };
  yield { measure: "GET /v1/search, 1M chunks, repeated queries, p50", ...compared("repeated", "ms") };
  yield {
    measure: "memory of the process itself, 1M chunks, after these searches",
    ...compared("anonMb", "MB"),
  };
  yield { measure: "mapped pages of the database file, 1M chunks", ...compared("fileMb", "MB") };
}

async function httpTimes(bench: Bench, chunks: number) {
  const { queries } = await realVectors(bench);
  const { dataDir } = await filledDatabase(bench, chunks);
  let memory = { anonMb: 0, fileMb: 0 };
  const times = await httpSearch(bench, dataDir, {
    queries,
    baseline: () => 0,
    atEnd: ({ pid }) => {
      memory = residentMemory(pid);
    },
  });
  return { ...times, ...memory };
}

/** The mean share of the RECALL_DEPTH nearest vectors that the coarse and the exact step find. */
function recall(
  { dataDir, userId, spaceId }: FilledDatabase,
  dimension: number,
  queries: RealVectors["queries"],
): number {
  const size = rotationSize(dimension);
  const exact = exactNearest(dataDir, queries, size);
  const database = openWithExtension(dataDir);
  const view = openLiveIndex(database).view({ userId, tags: [] });
  const cosines = openCosines(database, "sqlite-vec");
  const shares = queries.map(({ vector }, index) => {
    const near = view
      .nearest({ bits: signBits(vector), weights: ONE_MODEL, count: CANDIDATES }, spaceId)
      .map(({ vectorKey }) => vectorKey);
    const cosineOf = cosines({ start: 0, values: vector.subarray(0, size) }, near);
    const best = [...cosineOf].sort((a, b) => b[1] - a[1]).slice(0, RECALL_DEPTH);
    const found = new Set(best.map(([key]) => key));
    return exact[index]!.filter((key) => found.has(key)).length / RECALL_DEPTH;
  });
  database.close();
  return mean(shares);
}

/** The keys of the RECALL_DEPTH vectors with the largest cosine to each query, in one pass over all vectors. */
function exactNearest(dataDir: string, queries: RealVectors["queries"], size: number): number[][] {
  const database = openReader(databasePath(dataDir));
  const vectors = database.query<{ key: number; bytes: Uint8Array }, [number]>(
    "SELECT key, substr(embedding, 1, ?) AS bytes FROM chunk_vectors",
  );
  const best = queries.map(({ vector }) => ({
    direction: vector.subarray(0, size),
    found: [] as { key: number; product: number }[],
  }));
  for (const { key, bytes } of vectors.iterate(size * Float32Array.BYTES_PER_ELEMENT)) {
    const stored = floatsOf(bytes);
    for (const { direction, found } of best) {
      const product = dot(direction, stored);
      if (found.length === RECALL_DEPTH && product <= found.at(-1)!.product) continue;
      found.push({ key, product });
      found.sort((a, b) => b.product - a.product);
      found.length = Math.min(found.length, RECALL_DEPTH);
    }
  }
  database.close();
  return best.map(({ found }) => found.map(({ key }) => key));
}
