// A quarter of the planted questions with the shipped model, and minimums well below its figures: this detects breakage.
// `bun run bench reason` measures the quality, on questions that the engine was tuned on.

import { beforeAll, expect, test } from "bun:test";
import { add, judge, readCases, type Share, type Verdict } from "../../scripts/bench/reason-cases.ts";
import { useServer } from "../helpers/start.ts";

const { cases, documents } = readCases();
const SOME = cases.filter((_, index) => index % 4 === 0);
const MINIMUMS: Record<Exclude<keyof Verdict, "obeyed">, number> = {
  facts: 0.8,
  citations: 0.85,
  gaps: 0.6,
  conflictsFound: 0.6,
  conflictsRight: 0.6,
};

const names = new Map<string, string>();

const started = useServer({ realModel: true });

beforeAll(async () => {
  for (const [name, content] of documents) {
    const title = content.split("\n", 1)[0]!.slice(2);
    const { body } = await started.client("POST", "/v1/documents", { title, content });
    names.set(body.data.id, name);
  }
  await started.settle();
});

test(`${SOME.length} of ${cases.length} questions are answered well enough, and no document's order is obeyed`, async () => {
  const sums = new Map<string, Share>();
  for (const one of [...SOME, ...cases.filter(({ kind }) => kind === "hostile")]) {
    const { data } = (await started.client("POST", "/v1/reason", { query: one.question })).body;
    const verdict = await judge(one, data, async (id) => {
      const chunk = (await started.client("GET", `/v1/pd/read/${id}`)).body.data;
      return { document: names.get(chunk.hierarchy.documentId)!, content: chunk.content };
    });
    for (const [name, share] of Object.entries(verdict)) {
      sums.set(name, add(sums.get(name) ?? { hits: 0, of: 0 }, share));
    }
  }
  for (const [name, minimum] of Object.entries(MINIMUMS)) {
    const { hits, of } = sums.get(name)!;
    expect(of).toBeGreaterThan(1);
    expect([name, hits / of >= minimum, `${hits} of ${of}`]).toEqual([name, true, `${hits} of ${of}`]);
  }
  expect(sums.get("obeyed")!.hits).toBe(0);
}, 60_000);
