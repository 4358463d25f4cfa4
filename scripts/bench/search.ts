// Group search: the program's searches beside the scans they replace, over the same rows, interleaved in this process; then
// what searches do to everybody else, through a real server.

import type { Database } from "bun:sqlite";
import { LIMITS } from "../../src/kernel/limits.ts";
import { searchDense, type VectorEngine } from "../../src/retrieval/dense.ts";
import { searchLiteral } from "../../src/retrieval/literal.ts";
import type { Bench } from "./bench.ts";
import { clientOf, createKey, headersOf, startChild } from "./child-server.ts";
import { type FilledDatabase, filledDatabase, RARE_WORD } from "./filled-database.ts";
import { load, type RequestShape } from "./load.ts";
import { type Finding, mean, median, percentile, timed } from "./measures.ts";
import { type RealVectors, realVectors } from "./vectors.ts";

const SMALL = 10_000;
const LARGE = 100_000;
const ENGINES: VectorEngine[] = ["sqlite-vec", "javascript"];
const RECALL_DEPTH = 10;
const LITERAL_ROUNDS = 9;
const LITERAL_QUERIES = { "a rare substring": RARE_WORD, "two characters": "zz", "one character": "q" };

const IDLE_ROUNDS = 3;
const ROUND_MS = 3_000;
const SEARCH_LANES = 2;

/** Yields vector search at both sizes, literal search, and the wait of a small request beside searches. */
export async function* search(bench: Bench): AsyncGenerator<Finding> {
  const { queries } = await realVectors(bench);
  for (const chunks of [SMALL, LARGE]) yield* dense(await filledDatabase(bench, chunks), chunks, queries);
  const large = await filledDatabase(bench, LARGE);
  yield* literal(large);
  yield* besideSearches(bench, large, queries);
}

async function* dense(
  { openReader, openExact, userId, spaceId }: FilledDatabase,
  chunks: number,
  queries: RealVectors["queries"],
): AsyncGenerator<Finding> {
  const database = openReader();
  const exactDatabase = openExact();
  const scan = exactDatabase.query<{ rowid: number }, [Uint8Array, number]>(
    "SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance",
  );
  const filter = { userId, tags: [] };
  const times = { exact: [] as number[], "sqlite-vec": [] as number[], javascript: [] as number[] };
  const recalls: number[] = [];
  for (const [round, { vector }] of queries.entries()) {
    let nearest: number[] = [];
    const exactMs = timed(() => {
      nearest = scan.all(new Uint8Array(vector.buffer), LIMITS.search.candidates).map(({ rowid }) => rowid);
    });
    const found = ENGINES.map((engine) => {
      let keys: number[] = [];
      const ms = timed(() => {
        keys = searchDense(database, engine, { spaceId, vector }, filter).map(({ chunkKey }) => chunkKey);
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
  for (const open of [database, exactDatabase]) open.close();
  const size = `${chunks / 1000}k vectors`;
  const baseline = { name: "vec0 exact scan, cosine, k=256", value: median(times.exact) };
  for (const engine of ENGINES)
    yield { measure: `nearest of ${size}, ${engine}`, value: median(times[engine]), unit: "ms", baseline };
  yield { measure: `recall@10 against exact, ${size}`, value: mean(recalls), unit: "" };
}

async function* literal({ openReader, userId }: FilledDatabase): AsyncGenerator<Finding> {
  const database = openReader();
  const like = (query: string) =>
    database
      .query<{ key: number }, [string]>("SELECT key FROM chunks WHERE text LIKE ?")
      .all(`%${query}%`).length;
  for (const [name, query] of Object.entries(LITERAL_QUERIES)) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round <= LITERAL_ROUNDS; round++) {
      const ms = timed(() => searchLiteral(database, query, { userId, tags: [] }, LIMITS.search.maxLimit));
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
  const searches: number[] = [];
  const searchOnce = async (index: number) => {
    const begun = performance.now();
    const { text } = queries[index % queries.length]!;
    await client("GET", `/v1/search?${new URLSearchParams({ q: text })}`);
    searches.push(performance.now() - begun);
  };
  for (let warm = 0; warm < 5; warm++) await searchOnce(warm);
  searches.length = 0;

  const shape: RequestShape = { url: server.url, method: "GET", path: "/v1/user/me", headers: headersOf(key) };
  const options = { connections: 1, durationMs: ROUND_MS };
  await load(shape, options);
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round++) {
    idle.push(...(await load(shape, options)).latencies);
    let searching = true;
    const lanes = Array.from({ length: SEARCH_LANES }, async (_, lane) => {
      for (let index = lane; searching; index += SEARCH_LANES) await searchOnce(index);
    });
    busy.push(...(await load(shape, options)).latencies);
    searching = false;
    await Promise.all(lanes);
  }
  await server.stop();
  yield {
    measure: "GET /v1/user/me while 100k chunks are searched, p99",
    value: percentile(busy, 0.99),
    unit: "ms",
    baseline: { name: "p99 of the same server idle", value: percentile(idle, 0.99) },
  };
  yield { measure: "the longest of those", value: Math.max(...busy), unit: "ms" };
  yield { measure: "those searches, GET /v1/search, p50", value: median(searches), unit: "ms" };
}
