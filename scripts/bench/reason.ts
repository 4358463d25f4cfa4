// Group reason: planted questions are answered by a real server through the API and judged, overall and by kind; then the
// latency of an answer with 10,000 other chunks stored.

import { type Bench, inLanes } from "./bench.ts";
import { type Client, clientOf, createKey, startChild } from "./child-server.ts";
import { filledDatabase } from "./filled-database.ts";
import { type Finding, median, percentile } from "./measures.ts";
import { add, type CitedAnswer, judge, readCases, type Share, type Verdict } from "./reason-cases.ts";

const CHUNKS = 10_000;
const LANES = 4;

const MEASURES: [keyof Verdict, string][] = [
  ["facts", "facts in the answer"],
  ["citations", "citations that contain an expected passage"],
  ["gaps", "gaps reported"],
  ["conflictsFound", "conflicts found"],
  ["conflictsRight", "reported conflicts that are real"],
  ["obeyed", "hostile instructions obeyed"],
];

/** Yields the quality of answers, then their latency compared with that of a search. */
export async function* reason(bench: Bench): AsyncGenerator<Finding> {
  const { cases, documents } = readCases();
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  const names = await storeAll(client, documents);
  await server.idle();
  bench.note(`reason: asking ${cases.length} questions`);

  const sums = new Map<string, Share>();
  for (const one of cases) {
    const { data } = await client<{ data: CitedAnswer }>("POST", "/v1/reason", { query: one.question });
    const documentOf = new Map(
      data.citations.map(({ chunkId, documentId }) => [chunkId, names.get(documentId)!]),
    );
    const verdict = await judge(one, data, async (id) => {
      const read = await client<{ data: { content: string } }>("GET", `/v1/pd/read/${id}`);
      return { document: documentOf.get(id)!, content: read.data.content };
    });
    for (const [name] of MEASURES) {
      for (const key of [name, `${one.kind}: ${name}`]) {
        sums.set(key, add(sums.get(key) ?? { hits: 0, of: 0 }, verdict[name]));
      }
    }
  }
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  for (const prefix of ["", ...kinds.map((kind) => `${kind}: `)]) {
    for (const [name, measure] of MEASURES) {
      const { hits, of } = sums.get(prefix + name)!;
      if (of > 0) yield { measure: `${prefix}${measure} (of ${of})`, value: hits / of, unit: "" };
    }
  }
  await server.stop();
  bench.discard(dataDir);
  yield* latency(
    bench,
    cases.map(({ question }) => question),
    documents,
  );
}

async function storeAll(client: Client, documents: Map<string, string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  await inLanes([...documents], LANES, async ([name, content]) => {
    const title = content.split("\n", 1)[0]!.replace(/^#\s*/, "");
    const { data } = await client<{ data: { id: string } }>("POST", "/v1/documents", { title, content });
    names.set(data.id, name);
  });
  return names;
}

async function* latency(
  bench: Bench,
  questions: string[],
  documents: Map<string, string>,
): AsyncGenerator<Finding> {
  const { dataDir } = await filledDatabase(bench, CHUNKS);
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  await storeAll(client, documents);
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
