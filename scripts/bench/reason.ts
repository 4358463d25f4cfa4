// Group reason: the questions of each set are answered by a real server through the API and judged, overall, by set and by
// type of question; then the latency of an answer with 10,000 other chunks stored. With `--rotate`, instead, models are
// fitted to all sets but one, in this process, and judged on that one; `--without FEATURE` leaves a feature out.

import { fitModels, judgeInProcess } from "../answering-fit.ts";
import { gatherSet } from "../answering-data.ts";
import { type Bench, inLanes } from "./bench.ts";
import { type Client, clientOf, createKey, startChild } from "./child-server.ts";
import { filledDatabase } from "./filled-database.ts";
import { openLocalEmbedder } from "./local-embedder.ts";
import { openLocalReader } from "./local-reader.ts";
import { type Finding, mean, median, percentile } from "./measures.ts";
import {
  add,
  type CitedAnswer,
  type CitedChunk,
  judge,
  MEASURES,
  type QuestionSet,
  type ReasonCase,
  readSets,
  type Share,
  titleOf,
  type Verdict,
} from "./reason-cases.ts";

const CHUNKS = 10_000;
const LANES = 4;
/** The rules were once tuned on this set: it is judged apart and never left out. */
const TUNED_ON = "hydrology";

type Judged = { one: ReasonCase; verdict: Verdict };

/** Yields the quality of answers, then their latency compared with that of a search. */
export async function* reason(bench: Bench, options: readonly string[] = []): AsyncGenerator<Finding> {
  if (options.includes("--rotate") || options.includes("--without")) {
    yield* rotated(bench, options);
    return;
  }
  const sets = readSets();
  const all: Judged[] = [];
  for (const set of sets) {
    bench.note(`reason: asking the ${set.cases.length} questions of ${set.name}`);
    const judged = await askServer(bench, set);
    if (set.name !== TUNED_ON) all.push(...judged);
    yield* findings(`${set.name}: `, judged);
  }
  yield* summary(all);
  yield* latency(bench, sets);
}

/** What features are worth on questions that the models were not fitted to. */
async function* rotated(bench: Bench, options: readonly string[]): AsyncGenerator<Finding> {
  const without = new Set(options.filter((_, i) => options[i - 1] === "--without"));
  const embedder = openLocalEmbedder();
  const gathered = new Map<string, Awaited<ReturnType<typeof gatherSet>>>();
  for (const set of readSets()) gathered.set(set.name, await gatherSet(set, embedder));
  await embedder.close();
  const reader = await openLocalReader();
  const all: Judged[] = [];
  for (const [left, cases] of gathered) {
    if (left === TUNED_ON) continue;
    bench.note(`reason: fitting without ${left}`);
    const others = [...gathered].filter(([name]) => name !== left).flatMap(([, ofSet]) => ofSet);
    const models = await fitModels(others, reader, without);
    const judged: Judged[] = [];
    for (const one of cases)
      judged.push({ one: one.one, verdict: await judgeInProcess(one, cases, { models, reader }) });
    all.push(...judged);
    yield* findings(`${left} left out: `, judged);
  }
  yield* summary(all);
}

function* summary(all: readonly Judged[]): Generator<Finding> {
  yield* findings("", all);
  for (const [type, judged] of Map.groupBy(all, ({ one }) => one.type)) {
    const { hits, of } = total(judged, "facts");
    yield { measure: `${type}: ${MEASURES.facts} (of ${of})`, value: hits / of, unit: "" };
  }
}

function* findings(prefix: string, judged: readonly Judged[]): Generator<Finding> {
  for (const [name, measure] of Object.entries(MEASURES)) {
    const { hits, of } = total(judged, name as keyof typeof MEASURES);
    if (of > 0) yield { measure: `${prefix}${measure} (of ${of})`, value: hits / of, unit: "" };
  }
  const words = judged.map(({ verdict }) => verdict.words);
  yield { measure: `${prefix}words of an answer, mean`, value: mean(words), unit: "" };
  yield { measure: `${prefix}words of an answer, p95`, value: percentile(words, 0.95), unit: "" };
}

const total = (judged: readonly Judged[], name: keyof typeof MEASURES): Share =>
  judged.reduce((sum, { verdict }) => add(sum, verdict[name]), { hits: 0, of: 0 });

/** Asks the questions of one set on a server that has only its documents. */
async function askServer(bench: Bench, { cases, documents }: QuestionSet): Promise<Judged[]> {
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  const names = await storeAll(client, documents);
  await server.idle();
  const conflictsOfSet = cases.flatMap(({ conflicts }) => conflicts);
  const judged: Judged[] = [];
  for (const one of cases) {
    const { data } = await client<{ data: CitedAnswer }>("POST", "/v1/reason", { query: one.question });
    const chunks = new Map<string, CitedChunk>();
    for (const { chunkId, documentId } of data.citations) {
      const read = await client<{ data: { content: string } }>("GET", `/v1/pd/read/${chunkId}`);
      chunks.set(chunkId, { document: names.get(documentId)!, content: read.data.content });
    }
    judged.push({ one, verdict: judge(one, { reply: data, chunks, conflictsOfSet }) });
  }
  await server.stop();
  bench.discard(dataDir);
  return judged;
}

async function storeAll(client: Client, documents: Map<string, string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  await inLanes([...documents], LANES, async ([name, content]) => {
    const document = { title: titleOf(content), content };
    const { data } = await client<{ data: { id: string } }>("POST", "/v1/documents", document);
    names.set(data.id, name);
  });
  return names;
}

async function* latency(bench: Bench, sets: readonly QuestionSet[]): AsyncGenerator<Finding> {
  const questions = sets.flatMap(({ cases }) => cases.map(({ question }) => question));
  const { dataDir } = await filledDatabase(bench, CHUNKS);
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  for (const { documents } of sets) await storeAll(client, documents);
  await server.idle();
  const answers: number[] = [];
  const searches: number[] = [];
  for (const query of questions) {
    // Interleaved, so that both run under the same load.
    searches.push(await timedCall(() => client("POST", "/v1/pd/search", { query, limit: 8 })));
    answers.push(await timedCall(() => client("POST", "/v1/reason", { query })));
  }
  await server.stop();
  const measure = `answer with ${CHUNKS.toLocaleString("en")} other chunks stored`;
  const baseline = { name: "POST /v1/pd/search, p50", value: median(searches) };
  yield { measure: `${measure}, p50`, value: median(answers), unit: "ms", baseline };
  yield { measure: `${measure}, p95`, value: percentile(answers, 0.95), unit: "ms" };
}

async function timedCall(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}
