// Group memory: resident memory of a server, idle with its model or with both models loaded, and with 100,000 chunks
// after searches.

import { openBareSession } from "./bare-session-client.ts";
import type { Bench } from "./bench.ts";
import {
  type ChildServer,
  clientOf,
  createKey,
  type ResidentMemory,
  residentMemory,
  startChild,
} from "./child-server.ts";
import { filledDatabase } from "./filled-database.ts";
import type { Finding } from "./measures.ts";
import { realVectors } from "./vectors.ts";

const CHUNKS = 100_000;
const SEARCHES = 20;
const WIDTH = 32;
/** What loading the models has used is given back to the system by then. */
const SETTLED_MS = 5_000;

/** Yields resident memory and its peak, in MB. */
export async function* memory(bench: Bench): AsyncGenerator<Finding> {
  const bare = await openBareSession(bench);
  await bare.run([[Array.from({ length: WIDTH }, (_, index) => 1_000 + index)]]);
  const bareMb = residentMemory(bare.pid).nowMb;
  bare.close();

  const idle = await idleMemory(bench, "auto");
  const baseline = { name: "Bun with the bare ONNX session", value: bareMb };
  yield { measure: "resident memory, idle, model loaded", value: idle.nowMb, unit: "MB", baseline };
  yield { measure: "peak memory, idle, model loaded", value: idle.peakMb, unit: "MB" };
  const both = await idleMemory(bench, "all");
  for (const [measure, member] of [
    ["resident memory, idle, both models loaded", "nowMb"],
    ["memory of the process itself, idle, both models loaded", "anonMb"],
    ["peak memory, idle, both models loaded", "peakMb"],
  ] as const)
    yield { measure, value: both[member], unit: "MB", baseline: { name: "one model", value: idle[member] } };

  const { queries } = await realVectors(bench);
  const filled = await filledDatabase(bench, CHUNKS);
  const server = await startChild(bench, filled.dataDir);
  const client = clientOf(server, await createKey(bench, filled.dataDir));
  await server.idle();
  for (const { text } of queries.slice(0, SEARCHES)) {
    for (const semantic of ["true", "false"]) {
      await client("GET", `/v1/search?${new URLSearchParams({ q: text.slice(0, 40), semantic })}`);
    }
  }
  yield* loaded(server, idle.nowMb);
  await server.stop();
}

/** Of a server without records. */
async function idleMemory(bench: Bench, languages: string): Promise<ResidentMemory> {
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir, { flags: ["--languages", languages] });
  await server.idle();
  await Bun.sleep(SETTLED_MS);
  const memory = residentMemory(server.pid);
  await server.stop();
  bench.discard(dataDir);
  return memory;
}

async function* loaded({ pid }: ChildServer, idleMb: number): AsyncGenerator<Finding> {
  const { nowMb, peakMb, anonMb, fileMb } = residentMemory(pid);
  const baseline = { name: "idle", value: idleMb };
  yield { measure: "resident memory, 100k chunks, after 40 searches", value: nowMb, unit: "MB", baseline };
  yield { measure: "of it, memory of the process itself", value: anonMb, unit: "MB" };
  yield { measure: "of it, pages of files", value: fileMb, unit: "MB" };
  yield { measure: "peak memory, 100k chunks, after 40 searches", value: peakMb, unit: "MB" };
}
