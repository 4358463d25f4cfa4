// Group search-cost: the parts of a search at several numbers of chunks, in this process, and which of them grows
// fastest.

import { openLocalStore } from "../../src/app.ts";
import { ONE_MODEL } from "../../src/retrieval/vectors/query-parts.ts";
import { signBits } from "../../src/engine/embedding/bits.ts";
import { rotationSize } from "../../src/engine/embedding/lift.ts";
import { findHit } from "../../src/retrieval/search/hit-rows.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { openCosines } from "../../src/retrieval/vectors/dense.ts";
import { openHybridSearch } from "../../src/retrieval/search/hybrid.ts";
import { openLexicalSearch } from "../../src/retrieval/search/lexical.ts";
import { openLiveIndex } from "../../src/retrieval/search/live-index.ts";
import type { Bench } from "./bench.ts";
import { openWithExtension } from "./exact-scan.ts";
import { type FilledDatabase, filledDatabase } from "./filled-database.ts";
import { type Finding, median, timed } from "./measures.ts";
import { type RealVectors, realVectors } from "./vectors.ts";

const SIZES = [1_000, 10_000, 100_000];
/** Queries that are searched before the measured ones, so that all code is compiled. */
const WARM_QUERIES = 10;
const ROUNDS = 3;
/** The scores of the last words that were searched are used again: these are searched in between. */
const OTHER_WORDS = "?";

const PARTS = {
  coarse: "nearest vectors by sign bits",
  cosines: "exact cosines of 256 vectors",
  postings: "posting lists of the words, first time",
  words: "scores of all chunks by words",
  best: "best chunks by words",
  rest: "everything else: combining, neighbours, vectors of the words' chunks",
  rows: "rows of the results",
} as const;
type Part = keyof typeof PARTS;

/** Median times at one number of chunks, ms. */
export interface SearchCost {
  chunks: number;
  parts: Record<Part, number>;
  /** A whole search whose words were searched before, and one whose words were not. */
  repeated: number;
  whole: number;
  /** Reading the index into memory. */
  load: number;
}

/** Yields the cost of each part at every size, compared with the size before, and the part that grows fastest. */
export async function* searchCost(bench: Bench): AsyncGenerator<Finding> {
  let before: SearchCost | undefined;
  for (const chunks of SIZES) {
    const cost = await searchCostAt(bench, chunks);
    yield* costFindings(cost, before);
    before = cost;
  }
}

/** Measures the parts over a filled database of this size, once per run. */
export function searchCostAt(bench: Bench, chunks: number): Promise<SearchCost> {
  return bench.once(`search cost at ${chunks}`, async () =>
    measure(await realVectors(bench), await filledDatabase(bench, chunks), chunks),
  );
}

/** The cost of each part, with the cost at a smaller size as the baseline, and the part that grows fastest. */
export function* costFindings(cost: SearchCost, before: SearchCost | undefined): Generator<Finding> {
  const size = sizeName(cost.chunks);
  const finding = (name: string, value: number, smaller: number | undefined): Finding => ({
    measure: `${size} chunks: ${name}`,
    value,
    unit: "ms",
    ...(smaller !== undefined && {
      baseline: { name: `${sizeName(before!.chunks)} chunks`, value: smaller },
    }),
  });
  for (const part of partNames()) yield finding(PARTS[part], cost.parts[part], before?.parts[part]);
  yield finding("whole search in the worker, words searched before", cost.repeated, before?.repeated);
  yield finding("whole search in the worker, new words", cost.whole, before?.whole);
  yield finding("reading the index into memory", cost.load, before?.load);
  if (!before) return;
  const growth = (part: Part) => cost.parts[part] - before.parts[part];
  const fastest = partNames().reduce((a, b) => (growth(b) > growth(a) ? b : a));
  yield finding(`grows most: ${PARTS[fastest]}`, cost.parts[fastest], before.parts[fastest]);
}

const partNames = () => Object.keys(PARTS) as Part[];

/** `10k`, `1M` */
export function sizeName(chunks: number): string {
  return chunks >= 1_000_000 ? `${chunks / 1_000_000}M` : `${chunks / 1_000}k`;
}

function measure(
  { queries, model }: RealVectors,
  { dataDir, userId, spaceId }: FilledDatabase,
  chunks: number,
): SearchCost {
  const filter = { userId, tags: [] };
  const size = rotationSize(model.dimension);
  const queryOf = ({ text, vector }: RealVectors["queries"][number]) => ({
    text,
    vectors: [{ spaceId, dimension: model.dimension, vector, calibration: model.calibration }],
  });

  const database = openWithExtension(dataDir);
  const index = openLiveIndex(database);
  const load = timed(() => index.view(filter));
  const cosines = openCosines(database, "sqlite-vec");
  const store = openLocalStore(dataDir);
  const times = Object.fromEntries(partNames().map((part) => [part, [] as number[]])) as Record<
    Part,
    number[]
  >;
  const whole: number[] = [];
  const repeated: number[] = [];
  const hybrid = openHybridSearch(database, "sqlite-vec");
  for (const query of queries.slice(0, WARM_QUERIES)) hybrid.search(queryOf(query), filter);
  for (const query of queries.slice(WARM_QUERIES)) {
    const found = hybrid.search(queryOf(query), filter);
    const again: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      hybrid.prepare(OTHER_WORDS, filter);
      again.push(timed(() => hybrid.search(queryOf(query), filter)));
    }
    repeated.push(median(again));

    // Nothing is cached on another handle.
    const fresh = openWithExtension(dataDir);
    const view = index.view(filter);
    const lexical = openLexicalSearch(fresh);
    const first = timed(() => lexical.search(view, query.text));
    lexical.search(view, OTHER_WORDS);
    const words = timed(() => lexical.search(view, query.text));
    const scores = lexical.search(view, query.text);
    const best = timed(() => scores.best(LIMITS.search.candidates / 2));
    fresh.close();

    let near = view.nearest(
      { bits: signBits(query.vector), weights: ONE_MODEL, count: LIMITS.search.candidates },
      spaceId,
    );
    const coarse = timed(() => {
      near = view.nearest(
        { bits: signBits(query.vector), weights: ONE_MODEL, count: LIMITS.search.candidates },
        spaceId,
      );
    });
    const keys = near.map(({ vectorKey }) => vectorKey);
    const exact = timed(() => cosines({ start: 0, values: query.vector.subarray(0, size) }, keys));
    const rows = timed(() =>
      found.slice(0, LIMITS.search.defaultLimit).map(({ chunkKey }) => findHit(store, chunkKey)),
    );
    const measured = { coarse, cosines: exact, postings: Math.max(0, first - words), words, best, rows };
    for (const [part, ms] of Object.entries(measured)) times[part as Part].push(ms);
    times.rest.push(Math.max(0, median(again) - coarse - exact - words - best));
    whole.push(median(again) + measured.postings);
  }
  store.close();
  database.close();
  const parts = Object.fromEntries(partNames().map((part) => [part, median(times[part])]));
  return {
    chunks,
    parts: parts as Record<Part, number>,
    repeated: median(repeated),
    whole: median(whole),
    load,
  };
}
