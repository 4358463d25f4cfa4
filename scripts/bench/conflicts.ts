// Group conflicts: how many pairs of contradicting statements are reported, and how many hard pairs that do not contradict. The
// pairs were invented by an author who had not seen the engine, without other evidence, and nothing was fitted to them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../../src/engine/answering/answer.ts";
import type { Evidence } from "../../src/engine/answering/passages.ts";
import models from "../../src/engine/answering/weights.json";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { Bench } from "./bench.ts";
import { openLocalReader } from "./local-reader.ts";
import type { Finding } from "./measures.ts";

const FILE = join(import.meta.dir, "../../test/quality/conflicts/pairs.json");
const BOUNDS = { limit: LIMITS.reason.defaultLimit, maxTokens: LIMITS.reason.defaultTokens };

/** Two statements, each from a document with its title. */
interface Pair {
  question: string;
  a: string;
  titleA: string;
  b: string;
  titleB: string;
  conflict: boolean;
}

/** As if search had found both first. */
const evidenceOf = (id: string, title: string, text: string): Evidence => ({
  id,
  documentId: id,
  title,
  path: [],
  text,
  hits: Array(8).fill({ score: 0.7, cosine: 0.6, lexical: 0.6, rank: 0 }),
  opening: "",
});

/** Yields the share of contradictions that are reported, then that of the other pairs. */
export async function* conflicts(_: Bench): AsyncGenerator<Finding> {
  const pairs = JSON.parse(readFileSync(FILE, "utf8")) as Pair[];
  const reader = await openLocalReader();
  const isReported = async ({ question, a, titleA, b, titleB }: Pair) => {
    const evidence = [evidenceOf("a", titleA, a), evidenceOf("b", titleB, b)];
    const input = { question, evidence, near: [a, b] };
    return (await answer(input, { models, reader, bounds: BOUNDS })).conflicts.length > 0;
  };
  const shareOf = async (of: readonly Pair[]) => {
    let reported = 0;
    for (const pair of of) if (await isReported(pair)) reported++;
    return reported / of.length;
  };
  const [real, other] = [pairs.filter(({ conflict }) => conflict), pairs.filter(({ conflict }) => !conflict)];
  yield {
    measure: `hard pairs that contradict each other, reported (of ${real.length})`,
    value: await shareOf(real),
    unit: "",
  };
  yield {
    measure: `hard pairs that do not, reported (of ${other.length})`,
    value: await shareOf(other),
    unit: "",
  };
}
