// Group reason: the questions of each set are answered by a real server through the API and judged, overall, by set and
// by type of question; then the latency of an answer with 10,000 other chunks stored. With `--without STEP`, instead,
// what one step of the pipeline is worth.

import { type Bench, inLanes, type Options } from "./bench.ts";
import { type Client, clientOf, createKey, startChild } from "./child-server.ts";
import { filledDatabase } from "./filled-database.ts";
import { type Finding, median, percentile } from "./measures.ts";
import {
  type CitedAnswer,
  type CitedChunk,
  judge,
  type QuestionSet,
  readSets,
  titleOf,
} from "./reason-cases.ts";
import { findings, type Judged, summary } from "./reason-findings.ts";
import { reasonWithout } from "./reason-without.ts";

const CHUNKS = 10_000;
const LANES = 4;

/** Yields the quality of answers, then their latency compared with that of a search. */
export async function* reason(bench: Bench, { without }: Options): AsyncGenerator<Finding> {
  if (without !== undefined) {
    yield* reasonWithout(bench, without);
    return;
  }
  const sets = readSets();
  const all: Judged[] = [];
  for (const set of sets) {
    bench.note(`reason: asking the ${set.cases.length} questions of ${set.name}`);
    const judged = await askServer(bench, set);
    all.push(...judged);
    yield* findings(`${set.name}: `, judged);
  }
  yield* summary(all);
  yield* latency(bench, sets);
}

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
