// Fits src/engine/answers/weights.json to the question sets.
// Usage: bun scripts/lab/fit.ts [SET…]; default: all sets. Takes five minutes on two cores.

import { join } from "node:path";
import { WEIGHTS } from "../../src/engine/inference/load.ts";
import { sha256Hex } from "../../src/kernel/hash.ts";
import { readerDirectory } from "../../src/base/models.ts";
import { gatherSet } from "../bench/gather-set.ts";
import { fitModels } from "./fit-models.ts";
import { openLocalEmbedder } from "../bench/local-embedder.ts";
import { openLocalReader } from "../bench/local-reader.ts";
import { readAllSets } from "./sets.ts";

const names = process.argv.slice(2);
const embedder = openLocalEmbedder();
const all = readAllSets();
const unknown = names.filter((name) => !all.some((set) => set.name === name));
if (unknown.length > 0) throw new RangeError(`no set is named ${unknown.join(", ")}`);
const sets = all.filter(({ name }) => names.length === 0 || names.includes(name));
const cases = [];
for (const set of sets) cases.push(...(await gatherSet(set, embedder)));
const { revision } = await embedder.describe();
await embedder.close();

const models = await fitModels(cases, await openLocalReader());
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  sets: sets.map(({ name }) => name),
  embedder: revision.slice(0, 12),
  reader: sha256Hex(await Bun.file(join(readerDirectory(), WEIGHTS)).bytes()).slice(0, 12),
};
const target = join(import.meta.dir, "../../src/engine/answers/weights.json");
await Bun.write(target, `${JSON.stringify({ fitted, ...models }, null, 2)}\n`);
console.log(JSON.stringify(models.thresholds));
