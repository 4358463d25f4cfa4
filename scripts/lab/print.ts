// Prints findings as benchmarks do.

import { type Finding, table, toMeasure } from "../bench/measures.ts";

/** Prints all findings as a table, or as JSON with `--json`. Ends the process: models keep it running. */
export async function print(name: string, findings: AsyncIterable<Finding>): Promise<never> {
  const measures = (await Array.fromAsync(findings)).map((finding) => toMeasure(name, finding));
  console.log(process.argv.includes("--json") ? JSON.stringify(measures, null, 2) : table(measures));
  process.exit(0);
}
