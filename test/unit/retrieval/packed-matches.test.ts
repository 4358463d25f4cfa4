// Matches survive the way to another thread.

import { expect, test } from "bun:test";
import { packMatches, unpackMatches } from "../../../src/retrieval/search/packed-matches.ts";

const parts = { dense: 0.3, lexical: 0.4, exact: 0.62, neighbours: 0.05, denseWeight: 0.6 };

test("no matches", () => {
  expect(unpackMatches(packMatches([]))).toEqual([]);
});

test("matches with and without a cosine, in their order", () => {
  const matches = [
    {
      chunkKey: 2 ** 40 + 1,
      documentId: "b",
      position: 7,
      score: 0.1 + 0.2,
      parts: { cosine: -0.25, ...parts },
    },
    { chunkKey: 3, documentId: "a", position: 0, score: 0, parts },
  ];
  expect(unpackMatches(structuredClone(packMatches(matches)))).toStrictEqual(matches);
});
