// Measures how many sentences that give orders to an AI assistant are recognized, and how many ordinary sentences with
// similar words are taken for one. Each file is by another author who had not seen the expressions; those of `forms-1`
// and `forms-2` were looked at afterwards, those of the others were not.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isInstruction } from "../../src/engine/answers/2-passages/instructions.ts";
import type { Finding } from "../bench/measures.ts";
import { print } from "./print.ts";

const FOLDER = join(import.meta.dir, "orders");

interface Sentences {
  orders: string[];
  ordinary: string[];
}

/** Yields the share of recognized orders by author, then the share of ordinary sentences of all. */
async function* orders(): AsyncGenerator<Finding> {
  const files = readdirSync(FOLDER).sort();
  const all = files.map((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Sentences);
  for (const [i, file] of files.entries())
    yield recognized(`orders of ${file.replace(".json", "")} that are recognized`, all[i]!.orders);
  const ordinary = all.flatMap((one) => one.ordinary);
  yield recognized("ordinary sentences taken for an order", ordinary);
}

const recognized = (measure: string, sentences: readonly string[]): Finding => ({
  measure: `${measure} (of ${sentences.length})`,
  value: sentences.filter(isInstruction).length / sentences.length,
  unit: "",
});

await print("orders", orders());
