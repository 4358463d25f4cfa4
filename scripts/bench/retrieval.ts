// Group retrieval: how good the shipped search is on two judged collections, beside full-text search in the same run, and
// what the default threshold keeps. All of it through the API of a real server, one user for each collection.

import { type Bench, inLanes } from "./bench.ts";
import { startChild } from "./child-server.ts";
import { type Query, readCollections } from "./collections.ts";
import { openFtsBaseline } from "./fts-baseline.ts";
import { type Finding, mean } from "./measures.ts";
import { averagePrecision, ndcg, recall } from "./ranking.ts";
import { type StoredCollection, storeCollection } from "./stored-collections.ts";

/** Searches at a time: one is embedded while another is scanned. */
const LANES = 3;

const RANKING = [
  { name: "nDCG@10", of: ndcg, depth: 10 },
  { name: "MAP@50", of: averagePrecision, depth: 50 },
  { name: "Recall@50", of: recall, depth: 50 },
];

/** Yields quality on each collection, then what the default threshold lets through. */
export async function* retrieval(bench: Bench): AsyncGenerator<Finding> {
  const collections = readCollections();
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  bench.note(
    `retrieval: storing ${collections.map(({ documents }) => documents.length).join(" + ")} documents`,
  );
  const stored: StoredCollection[] = [];
  for (const collection of collections)
    stored.push(await storeCollection(bench, server, dataDir, collection));
  await server.idle();

  bench.note("retrieval: searching");
  for (const one of stored) yield* quality(one);
  for (const [index, one] of stored.entries()) yield* threshold(one, stored[1 - index]!);
  await server.stop();
  bench.discard(dataDir);
}

async function* quality({ collection, ranked, searchable }: StoredCollection): AsyncGenerator<Finding> {
  const { name, documents, queries } = collection;
  const everything = await answers(queries, ({ text }) => ranked(text, { scoreThreshold: "0" }));
  const byDefault = await answers(queries, ({ text }) => ranked(text));
  const embedded = await searchable();
  if (embedded < documents.length)
    throw new Error(`${name}: ${embedded} of ${documents.length} documents can be found`);
  yield { measure: `${name}: documents acknowledged and embedded`, value: embedded, unit: "" };

  const baseline = openFtsBaseline(documents);
  const byWords = new Map(queries.map((query) => [query, baseline(query.text)]));
  const idsOf = (found: Map<Query, { id: string }[]>) =>
    new Map([...found].map(([query, hits]) => [query, hits.map(({ id }) => id)]));
  for (const { name: measure, of, depth } of RANKING) {
    const score = (found: Map<Query, string[]>) =>
      mean(queries.map((query) => of(found.get(query)!, query.relevant, depth)));
    const words = { name: "FTS5 porter, OR of words", value: score(byWords) };
    yield { measure: `${name}: ${measure}`, value: score(idsOf(everything)), unit: "", baseline: words };
    if (measure !== "nDCG@10") continue;
    const value = score(idsOf(byDefault));
    yield { measure: `${name}: ${measure} at the default threshold`, value, unit: "", baseline: words };
  }
}

/** Shares of what passes the default threshold; a document stands for its best chunk. */
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
    measure: `${name}'s queries: documents of ${other.collection.name} whose best chunk passes it`,
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
