// Measures how many pairs of contradicting statements are reported, and how many hard pairs that do not contradict.
// Each file is by another author who had not seen the engine; nothing was fitted to them, but the misses of
// `all-trades` were looked at.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { partsOf } from "../../src/engine/answers/1-question/question.ts";
import type { ChunkHit, Evidence } from "../../src/engine/answers/2-passages/passages.ts";
import { answer } from "../../src/engine/answers/answer.ts";
import models from "../../src/engine/answers/weights.json";
import { LIMITS } from "../../src/kernel/limits.ts";
import { openLocalReader } from "../bench/local-reader.ts";
import type { Finding } from "../bench/measures.ts";
import { print } from "./print.ts";

const FOLDER = join(import.meta.dir, "pairs");
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
const FOUND: ChunkHit = { score: 0.7, cosine: 0.6, lexical: 0.6, rank: 0 };

const evidenceOf = (id: string, title: string, text: string): Evidence => ({
  id,
  documentId: id,
  title,
  path: [],
  index: 0,
  text,
  opening: "",
});

/** Yields for each author the share of contradictions that are reported, and that of the other pairs. */
async function* conflicts(): AsyncGenerator<Finding> {
  const reader = await openLocalReader();
  const isReported = async ({ question, a, titleA, b, titleB }: Pair) => {
    const evidence = [evidenceOf("a", titleA, a), evidenceOf("b", titleB, b)];
    const hits = new Map(evidence.map(({ id }) => [id, FOUND]));
    const input = { parts: partsOf(question).map((part) => ({ ...part, hits })), evidence, near: [a, b] };
    const { blocks } = await answer(input, { models, reader, bounds: BOUNDS });
    return blocks.some(({ kind }) => kind === "conflict");
  };
  for (const file of readdirSync(FOLDER).sort()) {
    const author = file.replace(".json", "");
    const pairs = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Pair[];
    for (const isConflict of [true, false]) {
      const of = pairs.filter(({ conflict }) => conflict === isConflict);
      let reported = 0;
      for (const pair of of) if (await isReported(pair)) reported++;
      yield {
        measure: `${author}: hard pairs that ${isConflict ? "contradict each other" : "do not"}, reported (of ${of.length})`,
        value: reported / of.length,
        unit: "",
      };
    }
  }
}

await print("conflicts", conflicts());
