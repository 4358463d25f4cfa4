// Group backup: how long a backup of 100,000 chunks takes while a server writes, and how long it delays those writes.

import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { type Bench, cleanEnvironment } from "./bench.ts";
import { type Client, clientOf, createKey, REPOSITORY, startChild } from "./child-server.ts";
import { filledDatabase } from "./filled-database.ts";
import { type Finding, percentile, timed } from "./measures.ts";

const CHUNKS = 100_000;
const PAUSE_MS = 5;
const ALONE_MS = 5_000;
/** Writes just after the backup move the log that has grown meanwhile into the file. */
const AFTERWARDS_MS = 1_000;

/** Yields the duration of the backup and the latency of writes alone and beside it, and the time of a plain copy. */
export async function* backup(bench: Bench): AsyncGenerator<Finding> {
  const filled = await filledDatabase(bench, CHUNKS);
  const dataDir = bench.folder();
  copyFileSync(databasePath(filled.dataDir), databasePath(dataDir));
  const server = await startChild(bench, dataDir);
  await server.idle();
  const client = clientOf(server, await createKey(bench, dataDir));
  await latencies(client, Bun.sleep(1_000));
  const alone = await latencies(client, Bun.sleep(ALONE_MS));

  const folder = bench.folder();
  const file = join(folder, "backup.db");
  const env = cleanEnvironment(bench.folder());
  const startedAt = performance.now();
  let processMs = 0;
  const child = bench.own(
    Bun.spawn([...REPOSITORY, "backup", file, "--data-dir", dataDir, "--json"], {
      env,
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const finished = child.exited.then(async (code) => {
    processMs = performance.now() - startedAt;
    if (code !== 0) throw new Error(`the backup exited with ${code}`);
    await Bun.sleep(AFTERWARDS_MS);
  });
  const beside = await latencies(client, finished);
  const { durationMs } = (await new Response(child.stdout).json()) as { durationMs: number };
  await server.stop();
  const copyMs = timed(() => copyFileSync(file, join(folder, "copy.db")));
  const megabytes = statSync(file).size / 1e6;
  bench.discard(folder);
  bench.discard(dataDir);

  const size = `${CHUNKS / 1000}k chunks (${Math.round(megabytes)} MB) during writes`;
  const copy = { name: "plain copy of the file, not checked", value: copyMs / 1000 };
  yield { measure: `backup of ${size}`, value: durationMs / 1000, unit: "s", baseline: copy };
  yield { measure: "the same with the start of the program", value: processMs / 1000, unit: "s" };
  const than = (value: number) => ({ name: "the same without a backup", value });
  yield { measure: "write, median", value: at(beside, 0.5), unit: "ms", baseline: than(at(alone, 0.5)) };
  yield { measure: "write, p99", value: at(beside, 0.99), unit: "ms", baseline: than(at(alone, 0.99)) };
  yield { measure: "longest write", value: at(beside, 1), unit: "ms", baseline: than(at(alone, 1)) };
}

const at = (values: readonly number[], share: number) => percentile(values, share);

/** The latencies of writes, one after another with a short pause, until the promise is settled. */
async function latencies(client: Client, until: Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    await client("POST", "/v1/collections", { name: `Collection ${found.length}` });
    found.push(performance.now() - startedAt);
    await Bun.sleep(PAUSE_MS);
  }
  await over;
  return found;
}
