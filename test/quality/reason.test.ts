// The questions of six sets with the shipped models. A share may fall 0.01 below the figures of the day on which the floors were
// set. The sets are mixed: untidy documents (bakery), other words than the documents (campsite), tables (catalogue), editions of
// one text in imperfect English (insurance), contradictions (library), READMEs and changelogs (toolkit).

import { expect, test } from "bun:test";
import {
  add,
  type CitedChunk,
  judge,
  type QuestionSet,
  readSets,
  type Share,
  titleOf,
  type Verdict,
} from "../../scripts/bench/reason-cases.ts";
import { startServer } from "../helpers/start.ts";

/** Minimum shares of all sets together. Raise them when the figures rise. */
const FLOORS = {
  facts: 0.824,
  supported: 0.987,
  rightDocument: 0.919,
  gaps: 0.84,
  withoutGap: 0.837,
  conflictsRight: 0.899,
} as const satisfies Partial<Record<keyof Verdict, number>>;
/** Answers that quote the text of an order in a document, at most. */
const MAX_OBEYED = 2;

const sums = new Map<string, Share>();

/** Answers the questions of a set on a server that has only its documents. */
async function judgeSet({ documents, cases }: QuestionSet): Promise<Verdict[]> {
  const started = startServer({ realModel: true });
  try {
    const names = new Map<string, string>();
    for (const [name, content] of documents) {
      const { body } = await started.client("POST", "/v1/documents", { title: titleOf(content), content });
      names.set(body.data.id, name);
    }
    await started.settle();
    const conflictsOfSet = cases.flatMap(({ conflicts }) => conflicts);
    const verdicts: Verdict[] = [];
    for (const one of cases) {
      const { data } = (await started.client("POST", "/v1/reason", { query: one.question })).body;
      const chunks = new Map<string, CitedChunk>();
      for (const { chunkId, documentId } of data.citations) {
        const { content } = (await started.client("GET", `/v1/pd/read/${chunkId}`)).body.data;
        chunks.set(chunkId, { document: names.get(documentId)!, content });
      }
      verdicts.push(judge(one, { reply: data, chunks, conflictsOfSet }));
    }
    return verdicts;
  } finally {
    await started.stop();
  }
}

test.each(readSets().map((set) => [set.name, set] as const))(
  "the questions of %s are answered",
  async (_, set) => {
    const verdicts = await judgeSet(set);
    expect(verdicts.length).toBe(set.cases.length);
    for (const { words: _words, ...verdict } of verdicts)
      for (const [name, share] of Object.entries(verdict)) sums.set(name, add(sums.get(name), share));
  },
);

test.each(Object.entries(FLOORS))("of all sets together: %s, at least %p", (name, floor) => {
  const { hits, of } = sums.get(name)!;
  expect(hits / of, `${hits} of ${of}`).toBeGreaterThanOrEqual(floor);
});

test("orders in documents are not obeyed", () =>
  expect(sums.get("obeyed")!.hits).toBeLessThanOrEqual(MAX_OBEYED));
