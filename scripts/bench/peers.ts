// Group peers: what else a program may search vectors with, over the same vectors: LanceDB, usearch, and sqlite-vec.
// Each runs in a process of its own. It runs only when it is named.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rotationSize } from "../../src/engine/embedding/lift.ts";
import { dot, toUnitLength } from "../../src/kernel/vectors.ts";
import type { Bench } from "./bench.ts";
import { type Finding, mean, median } from "./measures.ts";
import { ENGINES, packageFolder } from "./peer-engines.ts";
import type { Built, PeerRequest, Searched } from "./peer-process.ts";
import { sizeName } from "./search-parts.ts";
import { createVectorSeries, type RealVectors, realVectors } from "./vectors.ts";

const SIZES = [10_000, 100_000];
const DEPTH = 10;

type PeerResult = Built & Searched;

/** Yields latency, recall@10, time to build, and memory of each engine at 10,000 and 100,000 vectors. */
export async function* peers(bench: Bench): AsyncGenerator<Finding> {
  const real = await realVectors(bench);
  // The first rotation of a lifted vector has the same cosines, so the others need not store the lifted one.
  const dimension = rotationSize(real.model.dimension);
  const queries = real.queries.map(({ vector }) => toUnitLength(vector.subarray(0, dimension)));
  for (const count of SIZES) {
    const folder = bench.folder();
    const vectors = firstRotations(real, count, dimension);
    const exact = queries.map((query) => nearest(vectors, query));
    const vectorsFile = join(folder, "vectors");
    writeFileSync(vectorsFile, vectors);
    let own: PeerResult | undefined;
    for (const [engine, { needs }] of Object.entries(ENGINES)) {
      if (needs !== undefined && !existsSync(packageFolder(needs))) {
        bench.note(
          `peers: ${engine} is left out, run: bun install --omit=optional --cwd scripts/bench/peers`,
        );
        continue;
      }
      bench.note(`peers: ${engine}, ${count} vectors`);
      const index = { engine, folder: bench.folder() };
      const result = {
        ...(await inProcess<Built>(bench, { ...index, kind: "build", vectorsFile, dimension })),
        ...(await inProcess<Searched>(bench, {
          ...{ ...index, kind: "search", depth: DEPTH },
          queries: queries.map((query) => [...query]),
        })),
      };
      bench.discard(index.folder);
      own ??= result;
      yield* findings(`${sizeName(count)} vectors, ${engine}`, { result, own, exact });
    }
    bench.discard(folder);
  }
}

/** The first values of vectors of the series, scaled to unit length, one after another. */
function firstRotations({ passages, model }: RealVectors, count: number, dimension: number): Float32Array {
  const vectorAt = createVectorSeries(
    passages.map(({ vector }) => vector),
    model.dimension,
  );
  const values = new Float32Array(count * dimension);
  for (let index = 0; index < count; index++)
    values.set(toUnitLength(vectorAt(index).subarray(0, dimension)), index * dimension);
  return values;
}

function* findings(
  name: string,
  { result, own, exact }: { result: PeerResult; own: PeerResult; exact: readonly number[][] },
): Generator<Finding> {
  const compared = (value: (of: PeerResult) => number, unit: string) => ({
    value: value(result),
    unit,
    ...(result !== own && { baseline: { name: "ctxrepo", value: value(own) } }),
  });
  yield { measure: `${name}: query, p50`, ...compared(({ queryMs }) => median(queryMs), "ms") };
  const shares = result.found.map(
    (found, query) => exact[query]!.filter((index) => found.includes(index)).length / DEPTH,
  );
  yield { measure: `${name}: recall@10`, value: mean(shares), unit: "" };
  yield { measure: `${name}: build`, ...compared(({ buildMs }) => buildMs / 1000, "s") };
  yield { measure: `${name}: memory of the process`, ...compared(({ anonMb }) => anonMb, "MB") };
  yield { measure: `${name}: mapped files`, ...compared(({ fileMb }) => fileMb, "MB") };
}

/** Builds or searches in a new process. Rejects if it fails. */
async function inProcess<Result>(bench: Bench, request: PeerRequest): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const child = bench.own(
    Bun.spawn([process.execPath, join(import.meta.dir, "peer-process.ts")], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      env: { ...process.env, LANCE_LOG: "error" },
      ipc: resolve,
    }),
  );
  child.exited.then((code) => reject(new Error(`${request.engine} ended with ${code}`)));
  child.send(request);
  return promise.finally(() => child.kill("SIGKILL"));
}

/** The indexes of the DEPTH vectors with the largest cosine to a query. */
function nearest(vectors: Float32Array, query: Float32Array): number[] {
  const best: { index: number; product: number }[] = [];
  for (let index = 0; index * query.length < vectors.length; index++) {
    const product = dot(query, vectors.subarray(index * query.length, (index + 1) * query.length));
    if (best.length === DEPTH && product <= best.at(-1)!.product) continue;
    best.push({ index, product });
    best.sort((a, b) => b.product - a.product);
    best.length = Math.min(best.length, DEPTH);
  }
  return best.map(({ index }) => index);
}
