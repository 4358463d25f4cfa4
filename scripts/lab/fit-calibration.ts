// Fits a model's calibration.json on the two retrieval collections beside the repository, and prints how many pairs
// pass the default threshold. Usage: bun scripts/lab/fit-calibration.ts [MODEL_DIRECTORY]. Takes two minutes on two
// cores.

import { join } from "node:path";
import {
  type CalibrationPoint,
  createCalibration,
  readCalibration,
} from "../../src/engine/embedding/calibration.ts";
import { type EmbeddingApi, serveEmbedding } from "../../src/engine/embedding/worker.ts";
import { LIMITS } from "../../src/kernel/limits.ts";

const COLLECTIONS = ["cranfield", "cisi"];
const DATA = join(import.meta.dir, "../../..", "shared", "data", "retrieval");
const DEFAULT_MODEL = join(import.meta.dir, "../..", "models", "all-MiniLM-L6-v2");

/** Minimum share of the relevant documents that pass the default threshold, in every collection. */
const MIN_RELEVANT = 0.95;

/** Maximum share of unrelated windows that pass it. */
const MAX_FOREIGN = 0.01;

/** Score of the median relevant pair. */
const MEDIAN_SCORE = 0.6;

interface Collection {
  name: string;
  queries: { id: string; vector: Float32Array }[];
  /** By document id. */
  windows: Map<string, Float32Array[]>;
  relevant: Map<string, string[]>;
}

async function linesOf(collection: string, file: string): Promise<string[]> {
  return (await Bun.file(join(DATA, collection, file)).text()).trim().split("\n");
}

async function readCollection(api: EmbeddingApi, name: string): Promise<Collection> {
  const documents = (await linesOf(name, "corpus.jsonl")).map((line) => JSON.parse(line));
  const windows = new Map<string, Float32Array[]>();
  for (let i = 0; i < documents.length; i += 64) {
    const group = documents.slice(i, i + 64);
    const passages = group.map(({ title, text }) => ({ context: title, text }));
    const embedded = await api.embedPassages({ passages });
    for (const [j, { _id }] of group.entries()) windows.set(_id, embedded.windows[j]!);
  }
  const relevant = new Map<string, string[]>();
  for (const line of (await linesOf(name, "qrels.tsv")).slice(1)) {
    const [query, document, score] = line.split("\t");
    if (Number(score) <= 0 || !windows.has(document!)) continue;
    relevant.set(query!, [...(relevant.get(query!) ?? []), document!]);
  }
  const queries = [];
  for (const line of await linesOf(name, "queries.jsonl")) {
    const { _id, text } = JSON.parse(line);
    if (relevant.has(_id)) queries.push({ id: _id, vector: (await api.embedQuery({ text })).vector });
  }
  return { name, queries, windows, relevant };
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Cosine of the best window for every pair of a query and a relevant document, ascending. */
function relevantPairs({ queries, windows, relevant }: Collection): Float64Array {
  return Float64Array.from(
    queries.flatMap(({ id, vector }) =>
      relevant.get(id)!.map((document) => {
        return Math.max(...windows.get(document)!.map((window) => cosine(vector, window)));
      }),
    ),
  ).sort();
}

/** Cosine of every pair of a query and a window of the other collection, ascending. */
function foreignPairs({ queries }: Collection, { windows }: Collection): Float64Array {
  const all = [...windows.values()].flat();
  return Float64Array.from(
    queries.flatMap(({ vector }) => all.map((window) => cosine(vector, window))),
  ).sort();
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function shareAbove(values: Float64Array, passes: (cosine: number) => boolean): string {
  return `${((100 * values.filter(passes).length) / values.length).toFixed(2)} %`;
}

const modelDirectory = process.argv[2] ?? DEFAULT_MODEL;
const api = await serveEmbedding({ modelDirectory, runtime: { kind: "native" } });
const { revision } = await api.describe(null);
const [first, second] = await Promise.all(COLLECTIONS.map((name) => readCollection(api, name)));
const relevant = [first!, second!].map(relevantPairs);
const foreign = [foreignPairs(first!, second!), foreignPairs(second!, first!)];

const threshold = LIMITS.search.defaultThreshold;
const floor = (cosine: number) => Math.floor(cosine * 1000) / 1000;
const cut = floor(Math.min(...relevant.map((pairs) => quantile(pairs, 1 - MIN_RELEVANT))));
const median = floor(relevant.reduce((sum, pairs) => sum + quantile(pairs, 0.5), 0) / relevant.length);
const points: CalibrationPoint[] = [
  [0, 0],
  [cut, threshold],
  [median, MEDIAN_SCORE],
  [1, 1],
];
const score = createCalibration(points);
const passes = (value: number) => score(value) >= threshold;
const passesRaw = (value: number) => value >= threshold;
for (const [i, name] of COLLECTIONS.entries()) {
  const pairs = relevant[i]!;
  const others = foreign[i]!;
  console.log(`${name}: ${pairs.length} relevant pairs, ${others.length} unrelated pairs`);
  console.log(
    `  score >= ${threshold}: relevant ${shareAbove(pairs, passes)}, unrelated ${shareAbove(others, passes)}`,
  );
  console.log(
    `  cosine >= ${threshold}: relevant ${shareAbove(pairs, passesRaw)}, unrelated ${shareAbove(others, passesRaw)}`,
  );
  console.log(
    `  median relevant cosine ${quantile(pairs, 0.5).toFixed(3)}, 99th percentile of unrelated pairs ${quantile(others, 1 - MAX_FOREIGN).toFixed(3)}`,
  );
  if (quantile(others, 1 - MAX_FOREIGN) > cut)
    console.log(`  more than ${100 * MAX_FOREIGN} % of the unrelated pairs pass`);
}
const fitted =
  `best window of the documents judged relevant in ${COLLECTIONS.join(" and ")}: ${100 * MIN_RELEVANT} % pass at ` +
  `${threshold} in the worse one, the median pair scores ${MEDIAN_SCORE}; weights ${revision.slice(0, 12)}; ` +
  "scripts/lab/fit-calibration.ts";
const { scripts } = await readCalibration(modelDirectory);
await Bun.write(join(modelDirectory, "calibration.json"), `${JSON.stringify({ scripts, points, fitted })}\n`);
console.log(JSON.stringify(points));
