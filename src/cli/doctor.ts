// ctxrepo doctor: examines the installation and prints one line per check. Works whether a server runs or not.

import { Command } from "commander";
import { databasePath } from "../db/open.ts";
import { flagOf, readSettings, SETTINGS, type Settings } from "../base/config.ts";
import { Failure } from "../kernel/errors.ts";
import { type Check, fail } from "../maintenance/checks/check.ts";
import { examine } from "../maintenance/doctor.ts";
import { withDataDir, withIgnoredUser } from "./data-dir.ts";
import { findLostDatabase, SAVE_LOST } from "./local-calls.ts";
import { print, printJson } from "./output.ts";

/** The settings of `serve` that checks depend on. */
const USED: readonly (keyof Settings)[] = [
  "host",
  "port",
  "modelsDir",
  "languages",
  "embedUrl",
  "embedModel",
  "embedKey",
];

type DoctorOptions = Partial<Record<keyof Settings, string>> & { json?: boolean; user?: string };

export function doctorCommand(): Command {
  const command = withIgnoredUser(withDataDir(new Command("doctor"))).description(
    "check the database, the search index, the models and the machine",
  );
  for (const setting of SETTINGS.filter(({ name }) => USED.includes(name))) {
    command.option(`${flagOf(setting)} <${setting.value}>`, `${setting.meaning}, as given to \`serve\``);
  }
  return command.option("--json", "print JSON").action(doctor);
}

async function doctor({ json, user: _, ...flags }: DoctorOptions): Promise<void> {
  // Nothing is bound for longer than a moment.
  const settings = readSettings({ ...flags, allowRemote: true }, process.env);
  const checks: Check[] = [];
  const report = (check: Check) => {
    checks.push(check);
    if (!json) printCheck(check);
  };
  const lost = await findLostDatabase(settings.dataDir);
  if (lost)
    report(
      fail(
        "open-file",
        `the process ${lost.pid} has a file open that is no longer ${databasePath(settings.dataDir)}`,
        SAVE_LOST,
      ),
    );
  for await (const check of examine(settings)) report(check);
  if (json) printJson(checks);
  const failed = checks.filter(({ status }) => status === "fail").length;
  if (failed > 0) throw new Failure("unavailable", `${failed} of ${checks.length} checks failed`);
}

function printCheck({ name, status, detail, fix }: Check): void {
  print(`${status.padEnd(4)}  ${name.padEnd(13)}  ${detail}${fix === undefined ? "" : ` → ${fix}`}`);
}
