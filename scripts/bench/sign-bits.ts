// The 256 nearest vectors by sign bits, rescored by exact cosines: the program's WebAssembly kernel compared with the
// column type `bit[1536]` of sqlite-vec's table vec0, over the same vectors, interleaved in this process.

import { openReader } from "../../src/db/handles.ts";
import { databasePath, openDatabase } from "../../src/db/open.ts";
import { ONE_MODEL } from "../../src/retrieval/vectors/query-parts.ts";
import { signBits } from "../../src/engine/embedding/bits.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { openCosines } from "../../src/retrieval/vectors/dense.ts";
import { openLiveIndex } from "../../src/retrieval/search/live-index.ts";
import type { Bench } from "./bench.ts";
import { type ExactScan, extended, openWithExtension } from "./exact-scan.ts";
import type { FilledDatabase } from "./filled-database.ts";
import { type Finding, mean, median, timed } from "./measures.ts";
import type { RealVectors } from "./vectors.ts";

/** A filled database, and what its searches are compared with. */
export interface VectorData {
  filled: FilledDatabase;
  chunks: number;
  real: RealVectors;
  exact: ExactScan;
}

/** Recall counts how many of this many nearest chunks of the exact scan are found. */
export const RECALL_DEPTH = 10;

/** Keys of the nearest chunks, nearest first. */
type Search = (vector: Float32Array) => number[];

/** Yields time and recall of both, and the time until the first result after the database was opened. */
export async function* signBitSearch(
  bench: Bench,
  { filled, chunks, real: { queries }, exact }: VectorData,
): AsyncGenerator<Finding> {
  const { dataDir } = filled;
  const table = createBitTable(bench, dataDir);
  const searches = { kernel: openKernelSearch(filled), vec0: openBitTable(table, dataDir) };
  const times = { kernel: [] as number[], vec0: [] as number[] };
  const recalls = { kernel: [] as number[], vec0: [] as number[] };
  const first = { kernel: 0, vec0: 0 };
  for (const [round, { vector }] of queries.entries()) {
    const nearest = exact.nearest(vector).slice(0, RECALL_DEPTH);
    for (const name of ["kernel", "vec0"] as const) {
      let keys: number[] = [];
      const ms = timed(() => {
        keys = searches[name].search(vector);
      });
      if (round === 0) {
        first[name] = ms;
        continue;
      }
      times[name].push(ms);
      const best = new Set(keys.slice(0, RECALL_DEPTH));
      recalls[name].push(nearest.filter((key) => best.has(key)).length / RECALL_DEPTH);
    }
  }
  for (const { close } of Object.values(searches)) close();
  bench.discard(table);
  const size = `${chunks / 1000}k vectors`;
  const compared = (values: { kernel: number; vec0: number }) => ({
    value: values.kernel,
    baseline: { name: "vec0 bit[1536], same steps", value: values.vec0 },
  });
  const medians = { kernel: median(times.kernel), vec0: median(times.vec0) };
  const means = { kernel: mean(recalls.kernel), vec0: mean(recalls.vec0) };
  yield { measure: `256 nearest by sign bits, rescored, ${size}`, unit: "ms", ...compared(medians) };
  yield {
    measure: `256 nearest by sign bits, first search after opening, ${size}`,
    unit: "ms",
    ...compared(first),
  };
  yield {
    measure: `256 nearest by sign bits, recall@10 against exact, ${size}`,
    unit: "",
    ...compared(means),
  };
}

interface OpenSearch {
  search: Search;
  close(): void;
}

/** The program's own coarse and exact step. */
function openKernelSearch({ dataDir, userId, spaceId }: FilledDatabase): OpenSearch {
  const database = openWithExtension(dataDir);
  const index = openLiveIndex(database);
  const cosines = openCosines(database, "sqlite-vec");
  return {
    search(vector) {
      const view = index.view({ userId, tags: [] });
      const near = view.nearest(
        { bits: signBits(vector), weights: ONE_MODEL, count: LIMITS.search.candidates },
        spaceId,
      );
      const cosineOf = cosines(
        { start: 0, values: vector },
        near.map(({ vectorKey }) => vectorKey),
      );
      return near
        .map(({ vectorKey, chunkKey }) => ({ chunkKey, cosine: cosineOf.get(vectorKey) ?? 0 }))
        .sort((a, b) => b.cosine - a.cosine)
        .map(({ chunkKey }) => chunkKey);
    },
    close: () => database.close(),
  };
}

/** Copies the sign bits of a data directory into a table vec0 in a new folder, and returns the folder. */
function createBitTable(bench: Bench, dataDir: string): string {
  const folder = bench.folder();
  const target = extended(openDatabase(folder));
  target.run("PRAGMA synchronous = OFF");
  target.run("CREATE VIRTUAL TABLE vector_bits USING vec0 (bits bit[1536])");
  const insert = target.query("INSERT INTO vector_bits (rowid, bits) VALUES (?, vec_bit(?))");
  const source = openReader(databasePath(dataDir));
  const rows = source.query<{ key: number; bits: Uint8Array }, []>(
    "SELECT vector_key AS key, bits FROM chunk_bits ORDER BY vector_key",
  );
  target.transaction(() => {
    for (const { key, bits } of rows.iterate()) insert.run(key, bits);
  })();
  source.close();
  target.run("PRAGMA wal_checkpoint(TRUNCATE)");
  target.close();
  return folder;
}

function openBitTable(folder: string, dataDir: string): OpenSearch {
  const bits = openWithExtension(folder);
  // The whole table stays in memory, as the kernel's bit strings do.
  bits.run("PRAGMA cache_size = -262144");
  const vectors = openWithExtension(dataDir);
  const nearest = bits.query<{ rowid: number }, [Uint8Array, number]>(
    "SELECT rowid FROM vector_bits WHERE bits MATCH vec_bit(?) AND k = ? ORDER BY distance",
  );
  const cosines = openCosines(vectors, "sqlite-vec");
  const chunkOf = new Map(
    vectors
      .query<{ vectorKey: number; chunkKey: number }, []>(
        "SELECT vector_key AS vectorKey, chunk_key AS chunkKey FROM chunk_bits",
      )
      .all()
      .map(({ vectorKey, chunkKey }) => [vectorKey, chunkKey]),
  );
  return {
    search(vector) {
      const keys = nearest.all(signBits(vector), LIMITS.search.candidates).map(({ rowid }) => rowid);
      return [...cosines({ start: 0, values: vector }, keys)]
        .sort((a, b) => b[1] - a[1])
        .map(([key]) => chunkOf.get(key) ?? 0);
    },
    close() {
      bits.close();
      vectors.close();
    },
  };
}
