// Group http: requests per second of the whole edge, compared with Bun.serve and a fixed body; and of a create,
// compared with the bare transaction. Rounds are interleaved; the load runs in this process, each server in its own
// process.

import { join } from "node:path";
import { openDatabase } from "../../src/db/open.ts";
import { type Bench, cleanEnvironment } from "./bench.ts";
import { type Client, clientOf, createKey, headersOf, startChild } from "./child-server.ts";
import { openFiveInserts } from "./five-inserts.ts";
import { type LoadOptions, load, type RequestShape } from "./load.ts";
import { type Finding, median, percentile } from "./measures.ts";

const ROUNDS = 7;
const ROUND: LoadOptions = { connections: 16, durationMs: 1_000 };
const DOCUMENT_BYTES = 1_024;
const CONTENT = "The kettle whistles when the water boils. ".repeat(26).slice(0, DOCUMENT_BYTES);
const ITEMS = 200;
const SMALL = "The kettle whistles when the water boils.";

/** Yields the rates of reading and of creating. */
export async function* http(bench: Bench): AsyncGenerator<Finding> {
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  const key = await createKey(bench, dataDir);
  yield* reading(bench, server.url, key);
  yield* creating(bench, server.url, key);
  yield* itemsWithContent(clientOf(server, key));
  await server.stop();
  bench.discard(dataDir);
}

async function* reading(bench: Bench, url: string, key: string): AsyncGenerator<Finding> {
  const client = clientOf({ url }, key);
  const { data } = await client<{ data: { id: string } }>("POST", "/v1/documents", {
    title: "Kettles",
    content: CONTENT,
  });
  const path = `/v1/documents/${data.id}`;
  const bytes = JSON.stringify(await client("GET", path)).length;
  const get: RequestShape = { url, method: "GET", path, headers: headersOf(key) };
  const bareUrl = await childLine(bench, "bare-server.ts", String(bytes));
  const bare: RequestShape = { url: bareUrl, method: "GET", path: "/" };
  const health: RequestShape = { url, method: "GET", path: "/health" };

  const ours: number[] = [];
  const theirs: number[] = [];
  const checks: number[] = [];
  const latencies: number[] = [];
  for (const shape of [get, bare]) await load(shape, ROUND);
  for (let round = 0; round < ROUNDS; round++) {
    const loaded = await load(get, ROUND);
    latencies.push(...loaded.latencies);
    ours.push(loaded.perSecond);
    theirs.push((await load(bare, ROUND)).perSecond);
    checks.push((await load(health, ROUND)).perSecond);
  }
  const baseline = { name: "Bun.serve, fixed JSON of the same length", value: median(theirs) };
  yield { measure: "authenticated GET of a 1 kB document", value: median(ours), unit: "/s", baseline };
  yield { measure: "authenticated GET, 16 connections, p99", value: percentile(latencies, 0.99), unit: "ms" };
  yield { measure: "GET /health", value: median(checks), unit: "/s", baseline };
}

async function* creating(bench: Bench, url: string, key: string): AsyncGenerator<Finding> {
  const folder = bench.folder();
  const quiet = JSON.parse(await childLine(bench, "quiet-server.ts", join(folder, "quiet")));
  const database = openDatabase(join(folder, "bare"));
  const commit = openFiveInserts(database, SMALL.length);
  const createAt = (at: { url: string; key: string }): RequestShape => ({
    url: at.url,
    method: "POST",
    path: "/v1/documents",
    headers: headersOf(at.key),
    body: (index) => JSON.stringify({ title: `Note ${index}`, content: SMALL }),
  });

  const rates = { quiet: [] as number[], bare: [] as number[], busy: [] as number[] };
  await load(createAt(quiet), ROUND);
  for (let round = 0; round < ROUNDS; round++) {
    rates.quiet.push((await load(createAt(quiet), ROUND)).perSecond);
    rates.bare.push(perSecond(commit, ROUND.durationMs));
  }
  for (let round = 0; round < 2; round++)
    rates.busy.push((await load(createAt({ url, key }), ROUND)).perSecond);
  database.close();
  const baseline = { name: "bare transaction of five inserts", value: median(rates.bare) };
  yield { measure: "create, without indexing", value: median(rates.quiet), unit: "/s", baseline };
  yield { measure: "create, during indexing", value: median(rates.busy), unit: "/s", baseline };
}

/** All items of a collection in one response, compared with one request for each document. */
async function* itemsWithContent(client: Client): AsyncGenerator<Finding> {
  const { data } = await client<{ data: { id: string } }>("POST", "/v1/collections", { name: "Kettles" });
  const paths: string[] = [];
  for (let i = 0; i < ITEMS; i++) {
    const document = { title: `Kettle ${i}`, content: CONTENT, collectionIds: [data.id] };
    const created = await client<{ data: { id: string } }>("POST", "/v1/documents", document);
    paths.push(`/v1/documents/${created.data.id}`);
  }
  const together: number[] = [];
  const single: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let startedAt = performance.now();
    await client("GET", `/v1/collections/${data.id}/items?includeContent=true`);
    together.push((performance.now() - startedAt) / ITEMS);
    startedAt = performance.now();
    for (const path of paths) await client("GET", path);
    single.push((performance.now() - startedAt) / ITEMS);
  }
  yield {
    measure: `${ITEMS} items of a collection with content, per item`,
    value: median(together),
    unit: "ms",
    baseline: { name: "GET of a document", value: median(single) },
  };
}

function perSecond(action: () => void, durationMs: number): number {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < durationMs) {
    action();
    count++;
  }
  return count / ((performance.now() - startedAt) / 1000);
}

/** Starts a script of this folder, which is stopped with the benchmark, and returns the first line that it prints. */
async function childLine(bench: Bench, script: string, argument: string): Promise<string> {
  const child = bench.own(
    Bun.spawn([process.execPath, join(import.meta.dir, script), argument], {
      env: cleanEnvironment(bench.folder()),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  for await (const bytes of child.stdout) return new TextDecoder().decode(bytes).trim();
  throw new Error(`${script} ended with ${await child.exited} and printed nothing`);
}
