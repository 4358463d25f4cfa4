// Group ingest: how fast documents become searchable, compared with the bare model; the latency of embedding a query;
// the size of the file; the latency of other requests during the import.

import { statSync } from "node:fs";
import { openReader } from "../../src/db/handles.ts";
import { databasePath } from "../../src/db/open.ts";
import { additionalWorkersFor } from "../../src/engine/embedding/additional-worker.ts";
import { loadModel, type Model } from "../../src/engine/embedding/model.ts";
import { findModelDirectory } from "../../src/base/models.ts";
import { type BareSession, openBareSession, type TokenBatch } from "./bare-session-client.ts";
import { type Bench, inLanes } from "./bench.ts";
import { clientOf, cpuMs, createKey, startChild } from "./child-server.ts";
import { readCollections, type SourceDocument } from "./collections.ts";
import { indexWriteDurations } from "./index-writes.ts";
import { openLocalEmbedder } from "./local-embedder.ts";
import { type Finding, mean, median, percentile } from "./measures.ts";

const DOCUMENTS = 2_000;
/** Documents that are imported in one go; the bare session runs in between. */
const PART = 500;
const LANES = 4;
const HEALTH_EVERY_MS = 20;
const IDLE_MS = 3_000;

/** Runs of the bare session: 8 rows of 100 tokens are its best shape. */
const ROWS = 8;
const ROW_TOKENS = 100;
const BARE_RUNS = 60;

const QUERY_BLOCKS = 10;
const QUERIES_A_BLOCK = 20;

/** Uses one core until it is killed. */
const BUSY_PROCESS = [process.execPath, "-e", "while (true);"];

/** Yields throughput and latencies, sizes, query embedding, and the duration of index writes. */
export async function* ingest(bench: Bench): AsyncGenerator<Finding> {
  const [cranfield, cisi] = readCollections();
  // Alternating, so that the mix of lengths does not change during the import.
  const documents = cranfield.documents
    .flatMap((document, index) => [document, cisi.documents[index]!])
    .slice(0, DOCUMENTS);
  const model = await loadModel(findModelDirectory(null), { kind: "native" });
  const bare = await openBareSession(bench);
  const alike = await Promise.all(
    Array.from({ length: Math.max(1, additionalWorkersFor()) }, () => openBareSession(bench, 1)),
  );
  yield* importing(bench, { bare, alike, model, documents });
  for (const session of alike) session.close();
  const queries = [...cranfield.queries, ...cisi.queries].map(({ text }) => text);
  yield* embedding(bare, model, queries.slice(0, QUERY_BLOCKS * QUERIES_A_BLOCK));
  bare.close();
  const durations = await indexWriteDurations(bench);
  yield {
    measure: "longest write transaction, document of 3,000 paragraphs",
    value: Math.max(...durations),
    unit: "ms",
  };
}

interface Import {
  /** The fastest bare session. */
  bare: BareSession;
  /** As many sessions as the program has embedding workers, of one thread each. */
  alike: readonly BareSession[];
  model: Model;
  documents: readonly SourceDocument[];
}

async function* importing(bench: Bench, { bare, alike, model, documents }: Import): AsyncGenerator<Finding> {
  const tokens = documents.map(({ title, text }) => [model.tokenize(title), model.tokenize(text)].flat());
  const count = countTokens(tokens);
  const batches = bareBatches(tokens);
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  await server.idle();

  const idle = watchHealth(server.health);
  await Bun.sleep(IDLE_MS);
  const idleWaits = await idle.stop();

  bench.note(`ingest: importing ${documents.length} documents`);
  const bareRates = [await tokensPerSecond(bare, batches)];
  const alikeRates = [await tokensPerSecondAlike(alike, batches)];
  const waits: number[] = [];
  let acknowledgedMs = 0;
  let searchableMs = 0;
  let usedMs = 0;
  const importPart = async (part: readonly SourceDocument[]) => {
    const startedAt = performance.now();
    await inLanes(part, LANES, ({ title, text }) =>
      client("POST", "/v1/documents", { title, content: text }),
    );
    const acknowledged = performance.now() - startedAt;
    await server.idle();
    return { acknowledged, searchable: performance.now() - startedAt };
  };
  for (let from = 0; from < documents.length; from += PART) {
    const watched = watchHealth(server.health);
    const usedBefore = cpuMs(server.pid);
    const { acknowledged, searchable } = await importPart(documents.slice(from, from + PART));
    acknowledgedMs += acknowledged;
    searchableMs += searchable;
    usedMs += cpuMs(server.pid) - usedBefore;
    waits.push(...(await watched.stop()));
    bareRates.push(await tokensPerSecond(bare, batches));
    alikeRates.push(await tokensPerSecondAlike(alike, batches));
  }

  bench.note(`ingest: importing ${PART} documents again, beside a busy process`);
  const busy = bench.own(Bun.spawn(BUSY_PROCESS));
  const bareBesideBusy = [await tokensPerSecond(bare, batches)];
  const alikeBesideBusy = [await tokensPerSecondAlike(alike, batches)];
  const besideBusy = await importPart(documents.slice(0, PART));
  bareBesideBusy.push(await tokensPerSecond(bare, batches));
  alikeBesideBusy.push(await tokensPerSecondAlike(alike, batches));
  busy.kill();
  await server.stop();

  const whole = (1000 * count) / searchableMs;
  const beside = (1000 * countTokens(tokens.slice(0, PART))) / besideBusy.searchable;
  const measures = [
    { measure: `${documents.length} documents, POST to searchable`, value: whole, bareRates, alikeRates },
    {
      measure: `${PART} documents, POST to searchable, beside a busy process`,
      value: beside,
      bareRates: bareBesideBusy,
      alikeRates: alikeBesideBusy,
    },
  ];
  for (const { measure, value, bareRates, alikeRates } of measures) {
    const baseline = { name: "bare ONNX session, 8 rows per run", value: mean(bareRates) };
    yield { measure, value, unit: "tokens/s", baseline };
    const name = `${alike.length} bare sessions of one thread, one row per run`;
    yield { measure, value, unit: "tokens/s", baseline: { name, value: mean(alikeRates) } };
  }
  yield { measure: "CPU time of the server", value: (1000 * usedMs) / count, unit: "ms/1,000 tokens" };
  yield { measure: "documents made searchable", value: (1000 * documents.length) / searchableMs, unit: "/s" };
  yield { measure: "documents acknowledged", value: (1000 * documents.length) / acknowledgedMs, unit: "/s" };
  yield { measure: "slowest GET /health during the import", value: Math.max(...waits), unit: "ms" };
  yield {
    measure: "GET /health during the import, p99",
    value: percentile(waits, 0.99),
    unit: "ms",
    baseline: { name: "the same server idle, p99", value: percentile(idleWaits, 0.99) },
  };
  yield bytesPerVector(dataDir);
  bench.discard(dataDir);
}

const countTokens = (texts: readonly number[][]) => texts.reduce((sum, { length }) => sum + length, 0);

/** Real token ids in rows of equal length, so that nothing is padded. */
function bareBatches(tokens: readonly number[][]): TokenBatch[] {
  const ids = tokens.flat();
  return Array.from({ length: BARE_RUNS }, (_, run) =>
    Array.from({ length: ROWS }, (_, row) => {
      const start = (run * ROWS + row) * ROW_TOKENS;
      return ids.slice(start, start + ROW_TOKENS);
    }),
  );
}

async function tokensPerSecond(bare: BareSession, batches: readonly TokenBatch[]): Promise<number> {
  await bare.run(batches.slice(0, 5));
  return (1000 * ROWS * ROW_TOKENS) / mean(await bare.run(batches));
}

/** The same of sessions that run at the same time, each a share of the rows, one row per run. */
async function tokensPerSecondAlike(
  sessions: readonly BareSession[],
  batches: readonly TokenBatch[],
): Promise<number> {
  const rows = batches.slice(0, BARE_RUNS / 2).flat();
  const shares = sessions.map((_, share) => rows.filter((_row, i) => i % sessions.length === share));
  const durations = await Promise.all(
    sessions.map((session, share) => session.run(shares[share]!.map((row) => [row]))),
  );
  return durations.reduce((sum, ofSession) => sum + (1000 * ROW_TOKENS) / mean(ofSession), 0);
}

/** Requests /health repeatedly until it is stopped; `stop` returns the duration of each request, ms. */
function watchHealth(health: () => Promise<unknown>): { stop(): Promise<number[]> } {
  const waits: number[] = [];
  let watching = true;
  const loop = (async () => {
    while (watching) {
      const startedAt = performance.now();
      await health();
      waits.push(performance.now() - startedAt);
      await Bun.sleep(HEALTH_EVERY_MS);
    }
  })();
  return {
    async stop() {
      watching = false;
      await loop;
      return waits;
    },
  };
}

function bytesPerVector(dataDir: string): Finding {
  const path = databasePath(dataDir);
  const database = openReader(path);
  const { vectors, bytes } = database
    .query<{ vectors: number; bytes: number }, []>(
      `SELECT (SELECT count(*) FROM chunk_vectors) AS vectors,
              (SELECT sum(length(embedding)) FROM chunk_vectors) + (SELECT sum(length(CAST(text AS BLOB))) FROM bodies) AS bytes`,
    )
    .get()!;
  database.close();
  return {
    measure: "database file, bytes per vector",
    value: statSync(path).size / vectors,
    unit: "bytes",
    baseline: { name: "vectors and document texts alone", value: bytes / vectors },
  };
}

/** Latency of embedding a query through the embedder and its worker, compared with a bare run on the same tokens. */
async function* embedding(
  bare: BareSession,
  model: Model,
  queries: readonly string[],
): AsyncGenerator<Finding> {
  const embedder = openLocalEmbedder();
  const frame = (text: string) => [
    model.frames.passage.before[0]!,
    ...model.tokenize(text),
    model.frames.passage.after[0]!,
  ];
  const ours: number[] = [];
  const theirs: number[] = [];
  // Other texts than those that are timed: the embedder caches query vectors.
  for (const text of queries.slice(0, QUERIES_A_BLOCK)) await embedder.embedQuery(`${text} warm`);
  await bare.run(queries.slice(0, QUERIES_A_BLOCK).map((text) => [frame(text)]));
  for (let block = 0; block < QUERY_BLOCKS; block++) {
    const texts = queries.slice(block * QUERIES_A_BLOCK, (block + 1) * QUERIES_A_BLOCK);
    theirs.push(...(await bare.run(texts.map((text) => [frame(text)]))));
    for (const text of texts) {
      const startedAt = performance.now();
      await embedder.embedQuery(text);
      ours.push(performance.now() - startedAt);
    }
  }
  const repeated: number[] = [];
  for (const text of queries) {
    const startedAt = performance.now();
    await embedder.embedQuery(text);
    repeated.push(performance.now() - startedAt);
  }
  embedder.close();
  const baseline = { name: "bare session.run, same tokens", value: median(theirs) };
  yield { measure: "query embedding, p50", value: median(ours), unit: "ms", baseline };
  yield { measure: "embedding of a repeated query, p50", value: median(repeated), unit: "ms", baseline };
}
