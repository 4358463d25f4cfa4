// A process of the group peers: builds the index of one engine or searches it, and reports to its parent. Building and
// searching are different processes, so that memory for building is not counted for searching.

import { readFileSync } from "node:fs";
import { residentMemory } from "./child-server.ts";
import { ENGINES } from "./peer-engines.ts";

export type PeerRequest = { engine: string; folder: string } & (
  | { kind: "build"; vectorsFile: string; dimension: number }
  | { kind: "search"; queries: number[][]; depth: number }
);

/** What is reported after building. */
export interface Built {
  buildMs: number;
}

/** What is reported after searching. */
export interface Searched {
  /** Duration of each query but those that warm up. */
  queryMs: number[];
  /** Indexes of the vectors that were found, for each query. */
  found: number[][];
  /** Memory of the process, and the mapped files, MB. */
  anonMb: number;
  fileMb: number;
}

const WARM_QUERIES = 5;

async function build({
  engine,
  folder,
  vectorsFile,
  dimension,
}: PeerRequest & { kind: "build" }): Promise<Built> {
  const bytes = readFileSync(vectorsFile);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const startedAt = performance.now();
  await ENGINES[engine]!.build(folder, { values, dimension });
  return { buildMs: performance.now() - startedAt };
}

async function search({
  engine,
  folder,
  queries,
  depth,
}: PeerRequest & { kind: "search" }): Promise<Searched> {
  const nearest = await ENGINES[engine]!.open(folder, depth);
  const vectors = queries.map((query) => Float32Array.from(query));
  for (const vector of vectors.slice(0, WARM_QUERIES)) await nearest(vector);
  const queryMs: number[] = [];
  const found: number[][] = [];
  for (const vector of vectors) {
    const startedAt = performance.now();
    found.push(await nearest(vector));
    queryMs.push(performance.now() - startedAt);
  }
  const { anonMb, fileMb } = residentMemory(process.pid);
  return { queryMs, found, anonMb, fileMb };
}

process.on("message", async (request: PeerRequest) => {
  process.send!(request.kind === "build" ? await build(request) : await search(request));
});
