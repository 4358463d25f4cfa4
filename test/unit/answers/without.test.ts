// Leaving out one step of the pipeline, as `bun run bench reason --without STEP` does.

import { expect, test } from "bun:test";
import { answer, type SwitchableStep } from "../../../src/engine/answers/answer.ts";
import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { render } from "../../../src/features/reason/render.ts";
import { MEANS } from "./ask.ts";
import { chunk, inputOf } from "./evidence.ts";

const askWithout = async (step: SwitchableStep | undefined, question: string, evidence: Evidence[]) =>
  render(
    (
      await answer(inputOf(question, evidence), {
        ...MEANS,
        without: new Set(step === undefined ? [] : [step]),
      })
    ).blocks,
  );

test("without tables, nothing is computed", async () => {
  const boats = chunk(
    "b",
    "| Boat | Price |\n|---|---|\n| Lorelei | £40 |\n| Sisu | £25.50 |\n| Aino | £19.25 |",
  );
  const computed = /3 rows/;
  expect((await askWithout(undefined, "Which boat is the cheapest?", [boats])).answer).toMatch(computed);
  expect((await askWithout("tables", "Which boat is the cheapest?", [boats])).answer).not.toMatch(computed);
});

test("without conflicts, none is reported", async () => {
  const evidence = [35, 21].map((days) => chunk(`d${days}`, `Daily backups are kept for ${days} days.`));
  const question = "How long are daily backups kept?";
  expect((await askWithout(undefined, question, evidence)).conflicts.length).toBe(1);
  expect((await askWithout("conflicts", question, evidence)).conflicts).toEqual([]);
});

test("without reading, a passage with the words of the question is taken for its answer", async () => {
  const question = "Who built the kiln?";
  const kiln = [chunk("k", "The kiln is red.")];
  expect((await askWithout(undefined, question, kiln)).gaps.length).toBe(1);
  expect((await askWithout("read", question, kiln)).gaps).toEqual([]);
});
