// ctxrepo history: the versions of a document or prompt, newest first, and what each changed.

import { Command } from "commander";
import { compare } from "../../kernel/compare.ts";
import { walk } from "../../requests/walk.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, parseWholeNumber, withClientOptions } from "../client-options.ts";
import { paged } from "../pager.ts";
import { printableJson, printableLine } from "../printable.ts";
import { outputStyle } from "../style.ts";
import { describeRows } from "./difference.ts";
import { NAME_HELP, PATH_OF, recordNamed, TEXT_TYPES, type TextType } from "./named.ts";

const MAX_LIMIT = 999_999_999;

interface HistoryOptions extends ClientCommandOptions {
  diff?: boolean;
  limit: string;
}

interface Version {
  version: number;
  content?: string;
  changeLog?: string;
  createdAt: number;
  createdBy?: string;
}

/** The command for records of these types. */
export function historyCommand(types: readonly TextType[] = TEXT_TYPES): Command {
  return withClientOptions(new Command("history"))
    .description(`list the versions of a ${types.join(" or ")}, newest first`)
    .argument("<NAME>", NAME_HELP)
    .option("--diff", "also show the lines that each version changed")
    .option("--limit <N>", "maximum number of versions", "20")
    .action((name: string, options: HistoryOptions) => history(name, types, options));
}

async function history(
  name: string,
  types: readonly TextType[],
  { diff, json, ...options }: HistoryOptions,
): Promise<void> {
  const limit = parseWholeNumber("--limit", options.limit, { minimum: 1, maximum: MAX_LIMIT });
  await withClient(options, async (client) => {
    const record = await recordNamed(client, { argument: "NAME", name, types });
    // One more than is shown, because the oldest one shown is compared with it.
    const versions: AsyncIterable<Version> = walk(client, `${PATH_OF[record.type]}/${record.id}/versions`, {
      maximum: diff ? limit + 1 : limit,
    });
    await paged(async (write) => {
      if (json) return write(`${printableJson(await Array.fromAsync(versions))}\n`);
      let newer: Version | undefined;
      let shown = 0;
      for await (const version of versions) {
        if (diff && newer !== undefined) await write(describeChange(version, newer));
        if (shown++ === limit) return;
        await write(`${describeVersion(version)}\n`);
        newer = version;
      }
      if (diff && newer !== undefined) await write(describeChange({ ...newer, content: "" }, newer));
    });
  });
}

function describeVersion({ version, changeLog, createdAt, createdBy }: Version): string {
  const at = new Date(createdAt).toISOString().slice(0, 16).replace("T", " ");
  const details = [at, createdBy ?? "unknown", changeLog ?? ""].filter((text) => text !== "");
  return `${outputStyle().strong(`version ${version}`)}  ${details.map(printableLine).join("  ")}`;
}

function describeChange(older: Version, newer: Version): string {
  const { rows } = compare(older.content ?? "", newer.content ?? "");
  return describeRows(rows)
    .map((line) => `  ${line}\n`)
    .join("");
}
