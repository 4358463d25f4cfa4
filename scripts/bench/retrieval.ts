// Group retrieval: quality of search on two judged collections, compared with full-text search in the same run, and the
// effect of the default threshold. Uses the API of a real server, with one user per collection.

import { type Bench, inLanes } from "./bench.ts";
import { startChild } from "./child-server.ts";
import { type Query, readCollections } from "./collections.ts";
import { openFtsBaseline } from "./fts-baseline.ts";
import { type Finding, mean } from "./measures.ts";
import { averagePrecision, ndcg, recall } from "./ranking.ts";
import { type Legs, rankedByLegs } from "./retrieval-legs.ts";
import { type StoredCollection, storeCollection } from "./stored-collections.ts";

/** Concurrent searches: one is embedded while another scans. */
const LANES = 3;

const RANKING = [
  { name: "nDCG@10", of: ndcg, depth: 10 },
  { name: "MAP@50", of: averagePrecision, depth: 50 },
  { name: "Recall@50", of: recall, depth: 50 },
];

/** Yields quality on each collection, then what passes the default threshold. */
export async function* retrieval(bench: Bench): AsyncGenerator<Finding> {
  const collections = readCollections();
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  bench.note(
    `retrieval: storing ${collections.map(({ documents }) => documents.length).join(" + ")} documents`,
  );
  const stored: StoredCollection[] = [];
  for (const collection of collections)
    stored.push(await storeCollection(bench, { server, dataDir }, collection));
  await server.idle();

  bench.note("retrieval: searching");
  const found: Found[] = [];
  for (const one of stored) found.push(await searched(one));
  const passing: Finding[] = [];
  for (const [index, one] of stored.entries()) {
    for await (const finding of threshold(one, stored[1 - index]!)) passing.push(finding);
  }
  await server.stop();
  for (const one of found) yield* quality(one, await rankedByLegs(bench, dataDir, one.stored));
  yield* passing;
  bench.discard(dataDir);
}

/** Responses of the API, and the number of documents that can be found at all. */
interface Found {
  stored: StoredCollection;
  everything: Map<Query, string[]>;
  byDefault: Map<Query, string[]>;
  embedded: number;
}

async function searched(stored: StoredCollection): Promise<Found> {
  const { collection, ranked, searchable } = stored;
  const { name, documents, queries } = collection;
  const idsOf = async (query: string, parameters?: Record<string, string>) =>
    (await ranked(query, parameters)).map(({ id }) => id);
  const everything = await answers(queries, ({ text }) => idsOf(text, { scoreThreshold: "0" }));
  const byDefault = await answers(queries, ({ text }) => idsOf(text));
  const embedded = await searchable();
  if (embedded < documents.length)
    throw new Error(`${name}: ${embedded} of ${documents.length} documents can be found`);
  return { stored, everything, byDefault, embedded };
}

function* quality(
  { stored: { collection }, everything, byDefault, embedded }: Found,
  legs: Map<string, Legs>,
): Generator<Finding> {
  const { name, documents, queries } = collection;
  yield { measure: `${name}: documents acknowledged and embedded`, value: embedded, unit: "" };
  const plain = openFtsBaseline(documents);
  const plainWords = new Map(queries.map((query) => [query, plain(query.text)]));
  const leg = (which: keyof Legs) => new Map(queries.map((query) => [query, legs.get(query.id)![which]]));
  for (const { name: measure, of, depth } of RANKING) {
    const score = (found: Map<Query, string[]>) =>
      mean(queries.map((query) => of(found.get(query)!, query.relevant, depth)));
    const baseline = { name: "FTS5 porter, OR of words", value: score(plainWords) };
    const rows: [string, Map<Query, string[]>][] = [
      ["", everything],
      ["BM25 alone, ", leg("words")],
      ["dense alone, ", leg("dense")],
    ];
    for (const [which, found] of rows)
      yield { measure: `${name}: ${which}${measure}`, value: score(found), unit: "", baseline };
    if (measure !== "nDCG@10") continue;
    const better = Math.max(score(leg("words")), score(leg("dense")));
    const single = { name: "better of BM25 and dense", value: better };
    yield {
      measure: `${name}: hybrid, nDCG@10`,
      value: score(everything),
      unit: "",
      baseline: single,
    };
    const value = score(byDefault);
    yield { measure: `${name}: ${measure} at the default threshold`, value, unit: "", baseline };
  }
  const deep = mean(queries.map((query) => recall(legs.get(query.id)!.fused, query.relevant, 100)));
  yield { measure: `${name}: Recall@100 of the retrieval function`, value: deep, unit: "" };
}

/** Shares of documents whose best chunk passes the default threshold. */
async function* threshold(own: StoredCollection, other: StoredCollection): AsyncGenerator<Finding> {
  const { queries, name } = own.collection;
  let relevant = 0;
  let kept = 0;
  let foreign = 0;
  await inLanes(queries, LANES, async ({ text, relevant: judged }) => {
    const wanted = new Set(judged.keys());
    const passed = (await own.passing(text, wanted)).intersection(wanted);
    const strangers = await other.passing(text);
    relevant += wanted.size;
    kept += passed.size;
    foreign += strangers.size;
  });
  yield {
    measure: `${name}: judged-relevant documents whose best chunk passes the default threshold`,
    value: (100 * kept) / relevant,
    unit: "%",
  };
  yield {
    measure: `${name} queries: ${other.collection.name} documents whose best chunk passes the default threshold`,
    value: (100 * foreign) / (queries.length * other.collection.documents.length),
    unit: "%",
  };
}

async function answers<Answer>(
  queries: readonly Query[],
  ask: (query: Query) => Promise<Answer>,
): Promise<Map<Query, Answer>> {
  const answered = new Map<Query, Answer>();
  await inLanes(queries, LANES, async (query) => answered.set(query, await ask(query)));
  return answered;
}
