// Group start: time from the start of the program to its first line and to its first semantic search, from the
// repository and, if it is built, from the executable.

import type { Bench } from "./bench.ts";
import { clientOf, createKey, executable, type Program, REPOSITORY, startChild } from "./child-server.ts";
import { type Finding, median } from "./measures.ts";

const ROUNDS = 7;

/** Yields medians for a fresh and for an existing database, and for the first search. */
export async function* start(bench: Bench): AsyncGenerator<Finding> {
  const built = executable();
  if (!built)
    bench.note("start: dist/ctxrepo does not exist (bun run build): only the repository is measured");
  yield* starting(bench, "repository", REPOSITORY);
  if (built) yield* starting(bench, "executable", built);
}

async function* starting(bench: Bench, name: string, program: Program): AsyncGenerator<Finding> {
  const existing = bench.folder();
  const key = await prepare(bench, existing);
  const times = {
    bare: [] as number[],
    fresh: [] as number[],
    existing: [] as number[],
    answer: [] as number[],
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const bareMs = await bareStart(bench);
    const folder = bench.folder();
    const fresh = await startChild(bench, folder, { program });
    await fresh.stop();
    bench.discard(folder);
    const again = await startChild(bench, existing, { program });
    await clientOf(again, key)("GET", "/v1/search?q=water%20that%20boils");
    const answerMs = performance.now() - again.spawnedAt;
    await again.stop();
    // The first round fills the system's file cache, and the executable's own.
    if (round === 0) continue;
    times.bare.push(bareMs);
    times.fresh.push(fresh.readyMs);
    times.existing.push(again.readyMs);
    times.answer.push(answerMs);
  }
  const baseline = { name: "Bun printing a line", value: median(times.bare) };
  const measures = {
    "ready, fresh database": times.fresh,
    "ready, existing database": times.existing,
    "first semantic search": times.answer,
  };
  for (const [measure, values] of Object.entries(measures))
    yield { measure: `${name}: ${measure}`, value: median(values), unit: "ms", baseline };
}

/** Creates a database with a key and one searchable document. Returns the key. */
async function prepare(bench: Bench, dataDir: string): Promise<string> {
  const server = await startChild(bench, dataDir);
  const key = await createKey(bench, dataDir);
  await clientOf(server, key)("POST", "/v1/documents", {
    title: "Kettles",
    content: "The kettle whistles when the water boils.",
  });
  await server.idle();
  await server.stop();
  return key;
}

async function bareStart(bench: Bench): Promise<number> {
  const startedAt = performance.now();
  const child = bench.own(
    Bun.spawn([process.execPath, "-e", "console.log(1)"], { stdout: "pipe", stderr: "ignore" }),
  );
  await new Response(child.stdout).text();
  return performance.now() - startedAt;
}
