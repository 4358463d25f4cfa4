// The texts and the cited documents of a reply of POST /v1/reason.

import { expect, test } from "bun:test";
import { citedDocuments, textsOf } from "../../../src/requests/answer.ts";

const reply = { answer: "all of it", gaps: ["The documents do not establish: b"], conflicts: ["x or y?"] };
const block = (kind: string, text: string) => ({ kind, text });

test("the texts are those of the blocks, by kind", () => {
  const blocks = [
    block("direct", "1"),
    block("gap", "b"),
    block("computed", "2"),
    block("support", "3"),
    block("related", "4"),
    block("conflict", "5"),
  ];
  expect(textsOf({ ...reply, blocks })).toMatchObject({
    direct: ["1", "2"],
    support: ["3"],
    related: ["4"],
    gaps: ["b"],
    conflicts: ["5"],
  });
});

test("an answer of a language model is one text", () =>
  expect(textsOf(reply)).toMatchObject({
    direct: ["all of it"],
    support: [],
    related: [],
    gaps: reply.gaps,
    conflicts: reply.conflicts,
  }));

test("a question of one part that nothing answers has no list of gaps", () => {
  expect(textsOf({ ...reply, blocks: [block("gap", "a")] }).gaps).toEqual([]);
  expect(textsOf({ ...reply, blocks: [block("gap", "a"), block("gap", "b")] }).gaps).toEqual(["a", "b"]);
});

test("documents are listed once, with the numbers of their citations and their innermost headings", () => {
  const citation = (documentId: string, heading?: string) => ({
    chunkId: `${documentId}-${heading}`,
    documentId,
    documentTitle: documentId,
    score: 0.5,
    source: { path: `notes/${documentId}.md`, heading },
  });
  const documents = citedDocuments([
    citation("Tea", "Tea > Boiling"),
    citation("Milk"),
    citation("Tea", "Tea > Boiling"),
    citation("Tea", "Tea"),
    citation("Tea", "Tea > Cups"),
  ]);
  expect(documents).toMatchObject([
    { title: "Tea", place: "notes/Tea.md", headings: ["Boiling", "Cups"] },
    { title: "Milk", place: "notes/Milk.md", headings: [] },
  ]);
  expect(documents.map(({ cited }) => cited.map(({ number }) => number))).toEqual([[1, 3, 4, 5], [2]]);
});

test("a document without a path has the URL of its page, or no place", () => {
  const citation = { chunkId: "c", documentId: "d", documentTitle: "t", score: 1 };
  const placeOf = (source?: { url: string }) => citedDocuments([{ ...citation, source }])[0]!.place;
  expect(placeOf({ url: "https://example.org/tea" })).toBe("https://example.org/tea");
  expect(placeOf()).toBeUndefined();
});
