// Group soak: an hour of load at ten times the default rate limits on data that stays the same size. Memory, log,
// descriptors, latencies and the job queue must not grow. Each sample is also a line of a JSON file, for a run that is
// interrupted.

import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReader } from "../../src/db/handles.ts";
import { databasePath } from "../../src/db/open.ts";
import { cleanEnvironment, inLanes } from "../bench/bench.ts";
import {
  cacheFolder,
  type ChildServer,
  clientOf,
  createKey,
  REPOSITORY,
  startChild,
} from "../bench/child-server.ts";
import { percentile } from "../bench/measures.ts";
import { type Paced, pace } from "./soak/pace.ts";
import { servePages } from "./soak/pages.ts";
import { type Sample, slopeOf, takeSample } from "./soak/samples.ts";
import { createDocument, createPrompt, type Records, scrape, streamsOf } from "./soak/streams.ts";
import { createTexts, type Texts } from "./soak/texts.ts";
import type { Check, Torture } from "./torture.ts";

const DURATION_MS = 60 * 60_000;
/** Samples of a shorter run are not kept. */
const MIN_KEPT_MS = 60_000;
const SAMPLES = 360;
const MIN_SAMPLE_MS = 250;
/** Share of the time after which memory must not grow: caches are full, and every size of record has been seen. */
const WARM_SHARE = 0.25;

/** The rate is that of the load. */
const FLAGS = ["--scrape-private-network", "allow", "--rate-limit-scrape", "0"];

const DOCUMENTS = 300;
const PROMPTS = 100;
const SCRAPED = 80;
const COLLECTIONS = 5;
const FILES = 40;
const FILLING_LANES = 4;
/** Records of each kind at least, in a short run. */
const MIN_RECORDS = 12;

const MAX_SLOPE_MB = 0.3;
const MAX_WAL_MB = 64;
const MAX_P99_RATIO = 1.2;
const MAX_JOB_S = 60;

/** Yields the growth of memory, log, descriptors, threads, latencies and job ages. */
export async function* soak(torture: Torture): AsyncGenerator<Check> {
  const dataDir = torture.folder();
  const texts = createTexts(torture.seed);
  const pages = servePages(texts);
  const server = await startChild(torture, dataDir, { flags: FLAGS });
  const key = await createKey(torture, dataDir);
  const client = clientOf(server, key);
  const importFolder = await createImport(torture, dataDir, texts);
  const records: Records = { documents: [], prompts: [], scraped: [], collections: [] };
  await fill(torture, { client, texts, pagesUrl: pages.url }, records);
  await importFolder();
  await server.idle();

  const load = { client, texts, records, pagesUrl: pages.url, importFolder };
  const { samples, paced } = await run(torture, { server, dataDir, streams: streamsOf(load) });
  await server.idle();
  await server.stop();
  pages.stop();
  for (const error of paced.errors) torture.note(error);
  yield* judge(samples, paced);
}

const countFor = ({ repetitions }: Torture, full: number) => Math.max(MIN_RECORDS, repetitions(full));

type Filling = Parameters<typeof createDocument>[0] & { pagesUrl: string };

async function fill(torture: Torture, filling: Filling, records: Records): Promise<void> {
  const several = (count: number, make: () => Promise<string>, ids: string[]) =>
    inLanes(
      Array.from({ length: countFor(torture, count) }),
      FILLING_LANES,
      async () => void ids.push(await make()),
    );
  await several(DOCUMENTS, () => createDocument(filling), records.documents);
  await several(PROMPTS, () => createPrompt(filling), records.prompts);
  await several(SCRAPED, () => scrape(filling), records.scraped);
  for (let i = 0; i < COLLECTIONS; i++) {
    const body = { name: `collection ${i}` };
    const { data } = await filling.client<{ data: { id: string } }>("POST", "/v1/collections", body);
    records.collections.push(data.id);
  }
}

/** Returns a function that changes half of the files of a folder and imports it with the command of the program. */
async function createImport(torture: Torture, dataDir: string, texts: Texts): Promise<() => Promise<void>> {
  const folder = torture.folder();
  const env = cleanEnvironment(await cacheFolder(torture));
  let imports = 0;
  return async () => {
    for (let file = 0; file < countFor(torture, FILES); file++) {
      if (imports === 0 || file % 2 === imports % 2)
        writeFileSync(join(folder, `${file}.md`), `# ${texts.title()}\n\n${texts.markdown()}`);
    }
    imports++;
    await Bun.$`${REPOSITORY} import ${folder} --data-dir ${dataDir}`.env(env).quiet();
  };
}

interface Run {
  server: ChildServer;
  dataDir: string;
  streams: ReturnType<typeof streamsOf>;
}

async function run(
  torture: Torture,
  { server, dataDir, streams }: Run,
): Promise<{ samples: Sample[]; paced: Paced }> {
  const durationMs = torture.repetitions(DURATION_MS);
  const intervalMs = Math.max(MIN_SAMPLE_MS, durationMs / SAMPLES);
  // That of a long run is kept.
  const isShort = durationMs < MIN_KEPT_MS;
  const folder = isShort ? torture.folder() : mkdtempSync(join(tmpdir(), "ctxrepo-soak-"));
  const file = join(folder, "samples.jsonl");
  torture.note(`${Math.round(durationMs / 60_000)} minutes; samples in ${file}`);
  const samples: Sample[] = [];
  const reader = openReader(databasePath(dataDir));
  const { paced, finished } = pace(streams, durationMs);
  const startedAt = performance.now();
  let notedMinute = 0;
  const sample = () => {
    const minute = (performance.now() - startedAt) / 60_000;
    const taken = takeSample(server.pid, reader, minute);
    samples.push(taken);
    const line = JSON.stringify(progressOf(taken, paced));
    appendFileSync(file, `${line}\n`);
    if (minute < notedMinute + 1) return;
    notedMinute = Math.floor(minute);
    torture.note(line);
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  await finished;
  clearInterval(timer);
  sample();
  reader.close();
  return { samples, paced };
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** A sample with the latencies of the last minute. */
function progressOf(sample: Sample, { served, failures, skipped }: Paced): Record<string, number> {
  const since = (sample.minute - 1) * 60_000;
  const latencies = served
    .filter(({ at, stream }) => at >= since && stream.includes("search"))
    .map(({ ms }) => ms);
  const facts = { ...sample, requests: served.length, failures, skipped };
  const times =
    latencies.length > 0
      ? { searchP50: percentile(latencies, 0.5), searchP99: percentile(latencies, 0.99) }
      : {};
  return Object.fromEntries(
    Object.entries({ ...facts, ...times }).map(([name, value]) => [name, rounded(value)]),
  );
}

function* judge(samples: readonly Sample[], { served, failures, skipped }: Paced): Generator<Check> {
  const minutes = samples.at(-1)!.minute;
  const warm = samples.filter(({ minute }) => minute >= minutes * WARM_SHARE);
  const slope = (read: (sample: Sample) => number) =>
    slopeOf(warm.map((sample) => ({ x: sample.minute, y: read(sample) })));
  const all = (read: (sample: Sample) => number, quarter?: number) =>
    samples
      .filter(({ minute }) => quarter === undefined || quarterOf(minute / minutes) === quarter)
      .map(read);
  const highest = (...of: Parameters<typeof all>) => Math.max(...all(...of));
  yield { check: "requests answered", value: served.length, unit: "" };
  yield { check: "requests failed", value: failures, unit: "", atMost: 0 };
  yield { check: "turns left out, server too slow", value: skipped, unit: "" };
  yield {
    check: "growth of its own memory",
    value: slope(({ anonMb }) => anonMb),
    unit: "MB/min",
    atMost: MAX_SLOPE_MB,
  };
  const resident = slope(({ anonMb, fileMb }) => anonMb + fileMb);
  yield { check: "growth of resident memory", value: resident, unit: "MB/min" };
  yield { check: "peak of its own memory", value: highest(({ anonMb }) => anonMb), unit: "MB" };
  yield {
    check: "growth of the database file",
    value: slope(({ databaseMb }) => databaseMb),
    unit: "MB/min",
  };
  yield { check: "largest WAL", value: highest(({ walMb }) => walMb), unit: "MB", atMost: MAX_WAL_MB };
  for (const [name, read, atMost] of [
    ["file descriptors without connections", ({ files }: Sample) => files, 0],
    // Additional threads embed for a while.
    ["threads", ({ threads }: Sample) => threads, 3],
  ] as const) {
    const more = highest(read, 3) - highest(read, 1);
    yield { check: `more ${name} in the last quarter than in the second`, value: more, unit: "", atMost };
  }
  // Clients open more while responses are slow. Connections that are never closed would also increase the minimum.
  const fewest = (quarter: number) => Math.min(...all(({ sockets }) => sockets, quarter));
  yield {
    check: "more connections in the last quarter than in the second, by the minimum",
    value: fewest(3) - fewest(1),
    unit: "",
    atMost: 1,
  };
  yield* latencies(served, minutes * 60_000);
  const oldest = highest(({ oldestJobS }) => oldestJobS);
  yield { check: "longest wait of a job", value: oldest, unit: "s", atMost: MAX_JOB_S };
}

const quarterOf = (share: number) => Math.min(3, Math.floor(share * 4));

function* latencies(served: Paced["served"], durationMs: number): Generator<Check> {
  const quarters: number[][] = [[], [], [], []];
  for (const { stream, at, ms } of served) {
    if (stream !== "import") quarters[quarterOf(at / durationMs)]!.push(ms);
  }
  const p99: number[] = [];
  for (const [index, times] of quarters.entries()) {
    if (times.length === 0) continue;
    p99[index] = percentile(times, 0.99);
    yield { check: `p50 of quarter ${index + 1}`, value: percentile(times, 0.5), unit: "ms" };
    yield { check: `p99 of quarter ${index + 1}`, value: p99[index], unit: "ms" };
  }
  const ratio = (p99[3] ?? Number.NaN) / (p99[1] ?? Number.NaN);
  yield {
    check: "p99 of the last quarter, as a share of the second",
    value: ratio,
    unit: "",
    atMost: MAX_P99_RATIO,
  };
}
