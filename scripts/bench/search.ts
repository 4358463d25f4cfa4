// Group search: the program's searches compared with the scans they replace, over the same rows, interleaved in this
// process; then how searches slow down other requests, through a real server.

import { loadModel } from "../../src/engine/embedding/model.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { VectorEngine } from "../../src/retrieval/vectors/dense.ts";
import { openHybridSearch } from "../../src/retrieval/search/hybrid.ts";
import { searchLiteral } from "../../src/retrieval/search/literal.ts";
import { findModelDirectory } from "../../src/base/models.ts";
import { openBareSession } from "./bare-session-client.ts";
import type { Bench } from "./bench.ts";
import { clientOf, createKey, headersOf, startChild } from "./child-server.ts";
import { openExactScan, openWithExtension } from "./exact-scan.ts";
import { type FilledDatabase, filledDatabase, RARE_WORD } from "./filled-database.ts";
import { type LoadOptions, load, type RequestShape } from "./load.ts";
import { type Finding, mean, median, percentile, timed } from "./measures.ts";
import { httpSearch } from "./search-http.ts";
import { RECALL_DEPTH, signBitSearch, type VectorData } from "./sign-bits.ts";
import { type RealVectors, realVectors } from "./vectors.ts";

const SMALL = 10_000;
const LARGE = 100_000;
const ENGINES: VectorEngine[] = ["sqlite-vec", "javascript"];
const LITERAL_ROUNDS = 9;
const LITERAL_QUERIES = { "a rare substring": RARE_WORD, "two characters": "zz", "one character": "q" };

/** Rounds alone and rounds beside searches, of one connection that asks every few milliseconds. */
const BESIDE_ROUNDS = 4;
const BESIDE: LoadOptions = { connections: 1, durationMs: 2_500, pauseMs: 2 };

/** Yields vector search at both sizes, literal search, and the latency of a small request while searches run. */
export async function* search(bench: Bench): AsyncGenerator<Finding> {
  const real = await realVectors(bench);
  const { queries } = real;
  for (const chunks of [SMALL, LARGE]) {
    const filled = await filledDatabase(bench, chunks);
    const exact = openExactScan(bench, filled.dataDir);
    yield* hybrid({ filled, chunks, real, exact });
    yield* signBitSearch(bench, { filled, chunks, real, exact });
    yield* overHttp(bench, { filled, chunks, real, exact });
    exact.close();
  }
  yield* overHttpWhenEmpty(bench, real);
  const large = await filledDatabase(bench, LARGE);
  yield* literal(large);
  yield* besideSearches(bench, large, queries);
}

/** A whole search without the embedding of its query: words, nearest vectors, both scores, neighbours. */
async function* hybrid({
  filled: { dataDir, userId, spaceId },
  chunks,
  real: { queries, model },
  exact,
}: VectorData): AsyncGenerator<Finding> {
  const filter = { userId, tags: [] };
  const databases = ENGINES.map(() => openWithExtension(dataDir));
  const searches = ENGINES.map((engine, index) => openHybridSearch(databases[index]!, engine));
  const times = { exact: [] as number[], "sqlite-vec": [] as number[], javascript: [] as number[] };
  const recalls: number[] = [];
  for (const [round, { text, vector }] of queries.entries()) {
    const query = {
      text,
      vectors: [{ spaceId, dimension: model.dimension, vector, calibration: model.calibration }],
    };
    let nearest: number[] = [];
    const exactMs = timed(() => {
      nearest = exact.nearest(vector);
    });
    const found = searches.map(({ engine, search }) => {
      let keys: number[] = [];
      const ms = timed(() => {
        keys = search(query, filter)
          .sort((a, b) => (b.parts.cosine ?? 0) - (a.parts.cosine ?? 0))
          .map(({ chunkKey }) => chunkKey);
      });
      return { engine, keys, ms };
    });
    // The first round only warms the caches.
    if (round === 0) continue;
    times.exact.push(exactMs);
    for (const { engine, ms } of found) times[engine].push(ms);
    const best = new Set(found[0]!.keys.slice(0, RECALL_DEPTH));
    recalls.push(nearest.slice(0, RECALL_DEPTH).filter((key) => best.has(key)).length / RECALL_DEPTH);
  }
  for (const database of databases) database.close();
  const size = `${chunks / 1000}k vectors`;
  const baseline = { name: "vec0 exact scan, cosine, k=256", value: median(times.exact) };
  for (const engine of ENGINES)
    yield { measure: `search over ${size}, ${engine}`, value: median(times[engine]), unit: "ms", baseline };
  yield { measure: `recall@10 of the nearest against exact, ${size}`, value: mean(recalls), unit: "" };
}

/** The whole way of a search through HTTP, compared with the exact scan of the same vectors alone. */
async function* overHttp(
  bench: Bench,
  { filled, chunks, real: { queries }, exact }: VectorData,
): AsyncGenerator<Finding> {
  const { fresh, repeated, baseline } = await httpSearch(bench, filled.dataDir, {
    queries,
    baseline: ({ vector }) => timed(() => exact.nearest(vector)),
  });
  const compared = { unit: "ms", baseline: { name: "vec0 exact scan, cosine, k=256", value: baseline } };
  const what = `GET /v1/search, ${chunks / 1000}k chunks`;
  yield { measure: `${what}, new queries, p50`, value: fresh, ...compared };
  yield { measure: `${what}, repeated queries, p50`, value: repeated, ...compared };
}

/** Nothing is stored: what remains is the embedding of the query and the way through HTTP. */
async function* overHttpWhenEmpty(bench: Bench, { queries }: RealVectors): AsyncGenerator<Finding> {
  const model = await loadModel(findModelDirectory(null), { kind: "native" });
  const bare = await openBareSession(bench);
  const dataDir = bench.folder();
  const { fresh, repeated, baseline } = await httpSearch(bench, dataDir, {
    queries,
    baseline: async ({ text }) => {
      const tokens = [
        model.frames.passage.before[0]!,
        ...model.tokenize(text),
        model.frames.passage.after[0]!,
      ];
      return (await bare.run([[tokens]]))[0]!;
    },
  });
  bare.close();
  bench.discard(dataDir);
  const compared = { unit: "ms", baseline: { name: "bare session.run, same tokens", value: baseline } };
  yield { measure: "GET /v1/search, empty store, new queries, p50", value: fresh, ...compared };
  yield { measure: "GET /v1/search, empty store, repeated queries, p50", value: repeated, ...compared };
}

async function* literal({ dataDir, userId }: FilledDatabase): AsyncGenerator<Finding> {
  const database = openWithExtension(dataDir);
  const like = (query: string) =>
    database.query<{ key: number }, [string]>("SELECT key FROM chunks WHERE text LIKE ?").all(`%${query}%`)
      .length;
  for (const [name, query] of Object.entries(LITERAL_QUERIES)) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round <= LITERAL_ROUNDS; round++) {
      const ms = timed(() =>
        searchLiteral(database, { query, filter: { userId, tags: [] }, limit: LIMITS.search.maxLimit }),
      );
      const likeMs = timed(() => like(query));
      if (round === 0) continue;
      ours.push(ms);
      theirs.push(likeMs);
    }
    const baseline = { name: "LIKE scan of the same texts", value: median(theirs) };
    yield { measure: `literal, ${name}, ${LARGE / 1000}k chunks`, value: median(ours), unit: "ms", baseline };
  }
  database.close();
}

/** A small request on one connection, alone and while searches run; rounds take turns. */
async function* besideSearches(
  bench: Bench,
  { dataDir }: FilledDatabase,
  queries: RealVectors["queries"],
): AsyncGenerator<Finding> {
  const server = await startChild(bench, dataDir);
  const key = await createKey(bench, dataDir);
  await server.idle();
  const client = clientOf(server, key);
  const searchMs: number[] = [];
  let next = 0;
  const searchOnce = async () => {
    const begun = performance.now();
    const { text } = queries[next++ % queries.length]!;
    await client("GET", `/v1/search?${new URLSearchParams({ q: text })}`);
    searchMs.push(performance.now() - begun);
  };
  for (let warm = 0; warm < 5; warm++) await searchOnce();
  searchMs.length = 0;

  const shape: RequestShape = {
    url: server.url,
    method: "GET",
    path: "/v1/user/me",
    headers: headersOf(key),
  };
  await load(shape, BESIDE);
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < BESIDE_ROUNDS; round++) {
    idle.push(...(await load(shape, BESIDE)).latencies);
    let searching = true;
    const searches = (async () => {
      while (searching) await searchOnce();
    })();
    busy.push(...(await load(shape, BESIDE)).latencies);
    searching = false;
    await searches;
  }
  await server.stop();
  yield {
    measure: "GET /v1/user/me while 100k chunks are searched, p99",
    value: percentile(busy, 0.99),
    unit: "ms",
    baseline: { name: "same server idle, p99", value: percentile(idle, 0.99) },
  };
  yield { measure: "slowest of these GETs", value: Math.max(...busy), unit: "ms" };
  yield { measure: "these searches (GET /v1/search), p50", value: median(searchMs), unit: "ms" };
}
