// ctxrepo setup: writes the configuration of a client of MCP, and a skill that says when to search the store.

import { join } from "node:path";
import { Argument, Command } from "commander";
import { badRequest } from "../kernel/errors.ts";
import { DEFAULT_SELECTION, selectTools } from "../mcp/tools/all.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { CONFIG_CLIENTS, type ConfigClient, serverEntryOf } from "./mcp-config.ts";
import { printJson, printMessage } from "./output.ts";
import { confirm } from "./records/confirm.ts";
import { mergeJson, mergeToml } from "./setup/merge.ts";
import { placesOf } from "./setup/places.ts";
import { SKILL_NAME, SKILL_TEXT } from "./setup/skill.ts";
import { type Change, describePlan, planChange, writeChange } from "./setup/write-plan.ts";
import { parseUser } from "./user-options.ts";

interface SetupOptions extends DataDirOption {
  project?: boolean;
  skill: boolean;
  tools: string;
  readOnly?: boolean;
  user?: string;
  yes?: boolean;
  json?: boolean;
}

export function setupCommand(): Command {
  return withDataDir(new Command("setup"))
    .description("connect an AI client: write its MCP configuration and a skill that says when to search")
    .addArgument(new Argument("<CLIENT>", "the client").choices(CONFIG_CLIENTS))
    .option("--project", "only for the project in this folder")
    .option("--no-skill", "write no skill")
    .option("--tools <LIST>", "core, all, or names of tools, separated by commas", DEFAULT_SELECTION.tools)
    .option("--read-only", "only tools that change nothing")
    .option("--user <EMAIL>", "user whose records are used (default: that of ctxrepo mcp)")
    .option("-y, --yes", "do not ask")
    .option("--json", "print the written files as JSON")
    .action(setup);
}

async function setup(client: ConfigClient, options: SetupOptions): Promise<void> {
  const { dataDir, tools, readOnly = false } = options;
  const selection = { tools, isReadOnly: readOnly };
  selectTools(selection);
  const user = options.user === undefined ? undefined : parseUser(options.user);
  const places = placesOf(client, options.project ? process.cwd() : undefined);
  if (places === undefined)
    throw badRequest({ path: "--project", message: `${client} has no files of projects` });
  const addition = serverEntryOf(client, { selection, user, dataDir });
  const merge = client === "codex" ? mergeToml : mergeJson;
  const { config, skills } = places;
  const planned = [planChange(config, (text) => merge(text, addition))];
  if (skills !== undefined && options.skill) {
    planned.push(planChange(join(skills, SKILL_NAME, "SKILL.md"), () => SKILL_TEXT));
  }
  const changes = planned.filter(({ before, after }) => before !== after);
  if (changes.length > 0 && !options.yes) {
    await confirm("Write these files", changes.flatMap(describePlan));
  }
  const written = changes.map((change: Change) => ({ path: change.path, copy: writeChange(change) ?? null }));
  if (options.json) printJson(written);
  for (const { path, copy } of written)
    printMessage(`wrote ${path}${copy === null ? "" : ` (before: ${copy})`}`);
  printMessage(
    changes.length === 0 ? `${client} is set up already` : `restart ${client}, so that it reads this`,
  );
}
