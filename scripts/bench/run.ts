// bun run bench [GROUP…] [--json] [--save] [--without STEP]: runs groups one after another and prints the results;
// --save also writes them into results.json, --without is of the group reason. No measure passes or fails: the exit
// code is 1 only if a group throws, 2 for wrong usage.

import { cpus } from "node:os";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { messageOf } from "../../src/kernel/errors.ts";
import { VERSION } from "../../src/base/version.ts";
import { backup } from "./backup.ts";
import { type Group, Missing, openBench } from "./bench.ts";
import { extraction } from "./extraction.ts";
import { http } from "./http.ts";
import { ingest } from "./ingest.ts";
import { languages } from "./languages.ts";
import { mcp } from "./mcp.ts";
import { type Measure, table, toMeasure } from "./measures.ts";
import { memory } from "./memory.ts";
import { peers } from "./peers.ts";
import { reason } from "./reason.ts";
import { reasonReal } from "./reason-real.ts";
import { saveResults } from "./results.ts";
import { retrieval } from "./retrieval.ts";
import { search } from "./search.ts";
import { searchImport } from "./search-import.ts";
import { searchMillion } from "./search-million.ts";
import { searchCost } from "./search-parts.ts";
import { start } from "./start.ts";

const GROUPS: Record<string, Group> = {
  start,
  ingest,
  search,
  "search-cost": searchCost,
  "search-import": searchImport,
  "search-1m": searchMillion,
  peers,
  retrieval,
  languages,
  http,
  memory,
  extraction,
  reason,
  "reason-real": reasonReal,
  backup,
  mcp,
};
/** Groups that run only when they are named. */
const ON_REQUEST = new Set(["search-1m", "peers"]);

const OPTIONS = {
  json: { type: "boolean" },
  save: { type: "boolean" },
  without: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

/** The value of `action`, or the error that it throws. */
function attempt<Value>(action: () => Value): Value | Error {
  try {
    return action();
  } catch (error) {
    return error as Error;
  }
}

async function main(args: string[]): Promise<number> {
  const usage = (problem: string) => {
    process.stderr.write(
      `bench: ${problem}. Usage: bun run bench [GROUP…] [--json] [--save] [--without STEP]\ngroups: ${Object.keys(GROUPS).join(", ")}\n`,
    );
    return 2;
  };
  const parsed = attempt(() => parseArgs({ args, allowPositionals: true, options: OPTIONS }));
  if (parsed instanceof Error) return usage(parsed.message);
  const { values, positionals: names } = parsed;
  const unknown = names.find((name) => !(name in GROUPS));
  if (unknown !== undefined) return usage(`no group "${unknown}"`);
  const wanted = Object.keys(GROUPS).filter((name) =>
    names.length === 0 ? !ON_REQUEST.has(name) : names.includes(name),
  );
  const bench = openBench();
  process.on("exit", () => bench.close());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

  const measures: Measure[] = [];
  let broken = false;
  for (const name of wanted) {
    const startedAt = performance.now();
    const found: Measure[] = [];
    try {
      for await (const finding of GROUPS[name]!(bench, { without: values.without }))
        found.push(toMeasure(name, finding));
      measures.push(...found);
      bench.note(`${name}: done in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    } catch (error) {
      const missing = error instanceof Missing;
      bench.note(`${name} ${missing ? "is skipped" : "failed"}: ${messageOf(error)}`);
      if (missing) continue;
      broken = true;
      measures.push(...found);
    }
  }
  if (values.save) saveResults(measures);
  if (values.json) {
    console.log(JSON.stringify(measures, null, 2));
  } else {
    const [processor] = cpus();
    const machine = `${cpus().length} × ${processor?.model ?? "unknown processor"}, ${process.platform}`;
    const date = new Date().toISOString().slice(0, 10);
    console.log(`ctxrepo ${VERSION}, ${date}, ${machine}, Bun ${Bun.version}\n\n${table(measures)}`);
  }
  return broken ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
