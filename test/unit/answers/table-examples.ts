// Invented tables, and what is computed from them for a question.

import { describe, expect, test } from "bun:test";
import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { prepare, rank } from "../../../src/engine/answers/3-rank/rank.ts";
import { computeFromTables } from "../../../src/engine/answers/5-tables/tables.ts";
import models from "../../../src/engine/answers/weights.json";
import { chunk, inputOf } from "./evidence.ts";

/** Rows in Markdown. */
export const lines = (...rows: string[]) => rows.map((row) => `| ${row} |`).join("\n");
let count = 0;
/** A chunk with a table. */
export const table = (head: string, ...rows: string[]) =>
  chunk(`table-${++count}`, lines(head, head.replace(/[^|]+/g, "-"), ...rows));

function resultOf(question: string, evidence: Evidence[]) {
  const rankings = rank(
    prepare(inputOf(question, evidence, { near: evidence.map(({ text }) => text) })),
    models,
  );
  return computeFromTables(rankings, evidence).get(0);
}

/** The statement and the first cells of its rows; empty if nothing is computed. */
export function computed(question: string, ...evidence: Evidence[]): string {
  const result = resultOf(question, evidence);
  if (!result) return "";
  return `${result.statement} ${result.rows.map(({ cells }) => cells![0]!.value).join(", ")}`;
}

/** One test for each question about the same tables. */
export function examples(
  name: string,
  evidence: Evidence | Evidence[],
  cases: [question: string, expected: string][],
) {
  describe(name, () => {
    test.each(cases)("%s", (question, expected) =>
      expect(computed(question, ...[evidence].flat())).toBe(expected),
    );
  });
}
