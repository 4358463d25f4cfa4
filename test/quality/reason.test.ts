// A part of the questions of each set with the shipped model, and minimums well below its figures: this detects breakage.
// `bun run bench reason` measures the quality, `bun run bench reason --rotate` on questions that the weights do not know.

import { beforeAll, expect, test } from "bun:test";
import {
  add,
  type CitedChunk,
  judge,
  readSets,
  type Share,
  titleOf,
  type Verdict,
} from "../../scripts/bench/reason-cases.ts";
import { useServer } from "../helpers/start.ts";

const sets = readSets(["club", "software"]);
const MINIMUMS = {
  facts: 0.6,
  supported: 0.97,
  rightDocument: 0.75,
  gaps: 0.4,
  withoutGap: 0.45,
} as const satisfies Partial<Record<keyof Verdict, number>>;

const names = new Map<string, string>();
const started = useServer({ realModel: true });

beforeAll(async () => {
  for (const { documents } of sets) {
    for (const [name, content] of documents) {
      const { body } = await started.client("POST", "/v1/documents", { title: titleOf(content), content });
      names.set(body.data.id, name);
    }
  }
  await started.settle();
});

test("half of the questions are answered well enough, and no document's order is obeyed", async () => {
  const sums = new Map<string, Share>();
  for (const { cases } of sets) {
    const conflictsOfSet = cases.flatMap(({ conflicts }) => conflicts);
    for (const one of cases.filter(({ kind }, index) => index % 2 === 0 || kind === "hostile")) {
      const { data } = (await started.client("POST", "/v1/reason", { query: one.question })).body;
      const chunks = new Map<string, CitedChunk>();
      for (const { chunkId, documentId } of data.citations) {
        const { content } = (await started.client("GET", `/v1/pd/read/${chunkId}`)).body.data;
        chunks.set(chunkId, { document: names.get(documentId)!, content });
      }
      const { words: _, ...verdict } = judge(one, { reply: data, chunks, conflictsOfSet });
      for (const [name, share] of Object.entries(verdict)) sums.set(name, add(sums.get(name), share));
    }
  }
  for (const [name, minimum] of Object.entries(MINIMUMS)) {
    const { hits, of } = sums.get(name)!;
    expect(of).toBeGreaterThan(1);
    expect([name, hits / of >= minimum, `${hits} of ${of}`]).toEqual([name, true, `${hits} of ${of}`]);
  }
  expect(sums.get("obeyed")!.hits).toBe(0);
});
