// bun run torture [GROUP…] [--share N] [--seed N]: runs groups one after another against the real program and prints
// their checks. The exit code is 1 if a check fails or a group throws, 2 for wrong usage.

import { parseArgs } from "node:util";
import { messageOf } from "../../src/kernel/errors.ts";
import { VERSION } from "../../src/base/version.ts";
import { Missing } from "../bench/bench.ts";
import { clock } from "./clock.ts";
import { concurrency } from "./concurrency.ts";
import { disk } from "./disk.ts";
import { hostile } from "./hostile.ts";
import { kill } from "./kill.ts";
import { model } from "./model.ts";
import { power } from "./power.ts";
import { replication, replicationS3 } from "./replication.ts";
import { soak } from "./soak.ts";
import { sync } from "./sync.ts";
import { type Check, isMet, openTorture, type TortureGroup } from "./torture.ts";
import { upgrade } from "./upgrade.ts";

const GROUPS: Record<string, TortureGroup> = {
  kill,
  power,
  disk,
  clock,
  concurrency,
  model,
  hostile,
  soak,
  upgrade,
  sync,
  replication,
  "replication-s3": replicationS3,
};

const USAGE = `Usage: bun run torture [GROUP…] [--share N] [--seed N]\ngroups: ${Object.keys(GROUPS).join(", ")}\n`;

async function main(args: string[]): Promise<number> {
  const options = { share: { type: "string", default: "1" }, seed: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const share = Number(values.share);
  const seed = values.seed === undefined ? Date.now() % 1e9 : Number(values.seed);
  const unknown = positionals.find((name) => !(name in GROUPS));
  if (unknown !== undefined || !(share > 0) || !Number.isInteger(seed)) {
    process.stderr.write(unknown === undefined ? USAGE : `torture: no group "${unknown}". ${USAGE}`);
    return 2;
  }
  const torture = openTorture({ seed, share });
  process.on("exit", () => torture.close());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

  console.log(`ctxrepo ${VERSION}, ${new Date().toISOString().slice(0, 10)}, seed ${seed}, share ${share}`);
  let failures = 0;
  for (const name of positionals.length > 0 ? positionals : Object.keys(GROUPS)) {
    console.log(`\n${name}`);
    const startedAt = performance.now();
    try {
      for await (const check of GROUPS[name]!(torture)) {
        console.log(lineOf(check));
        if (!isMet(check)) failures++;
      }
    } catch (error) {
      const isMissing = error instanceof Missing;
      console.log(`  ${isMissing ? "skipped" : "FAILED"}: ${messageOf(error)}`);
      if (!isMissing) failures++;
    }
    torture.note(`${name}: done in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  console.log(failures === 0 ? "\nall checks are met" : `\n${failures} checks are not met`);
  return failures === 0 ? 0 : 1;
}

function lineOf(check: Check): string {
  const { value, unit, atMost, atLeast } = check;
  const limit = [
    atLeast !== undefined && `at least ${atLeast}`,
    atMost !== undefined && `at most ${atMost}`,
  ].filter((text) => text !== false);
  const shown = value.toLocaleString("en-US", { maximumFractionDigits: 3 });
  const required = limit.length > 0 ? ` (${limit.join(", ")})` : "";
  return `  ${isMet(check) ? "ok  " : "FAIL"} ${check.check}: ${shown} ${unit}${required}`;
}

process.exit(await main(process.argv.slice(2)));
