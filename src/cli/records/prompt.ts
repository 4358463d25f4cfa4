// ctxrepo prompt: prints a prompt with its placeholders filled in; lists, adds and edits prompts.

import { readFileSync } from "node:fs";
import { Command } from "commander";
import { decodeText } from "../../importing/decode.ts";
import { badRequest, Failure, messageOf } from "../../kernel/errors.ts";
import { fill, placeholdersIn } from "../../kernel/placeholders.ts";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, collect, withClientOptions } from "../client-options.ts";
import { print, printJson, printMessage } from "../output.ts";
import { printable } from "../printable.ts";
import { listPromptsCommand } from "../list.ts";
import { addCommand } from "./add.ts";
import { copyText } from "./clipboard.ts";
import { editCommand } from "./edit.ts";
import { historyCommand } from "./history.ts";
import { NAME_HELP, PATH_OF, recordNamed } from "./named.ts";

interface PromptOptions extends ClientCommandOptions {
  var?: string[];
  clipboard?: boolean;
  label?: string;
}

/** The command `prompt`. */
export function promptCommand(): Command {
  return (
    withClientOptions(new Command("prompt"))
      .description("print a prompt with its placeholders filled in")
      .argument("<NAME>", NAME_HELP)
      .option(
        "--var <NAME=VALUE>",
        "value of a placeholder; @FILE is the text of a file; repeatable",
        collect,
      )
      .option("--label <LABEL>", "the version with this label, such as production")
      .option("--clipboard", "also copy the text to the clipboard")
      .action(fillPrompt)
      // The commands below it have the same options.
      .enablePositionalOptions()
      .addCommand(listPromptsCommand())
      .addCommand(addCommand("prompt"))
      .addCommand(editCommand(["prompt"]))
      .addCommand(historyCommand(["prompt"]))
  );
}

async function fillPrompt(
  name: string,
  { var: given = [], clipboard, json, label, ...options }: PromptOptions,
) {
  const values = Object.fromEntries(given.map(readVariable));
  await withClient(options, async (client) => {
    const record = await recordNamed(client, { argument: "NAME", name, types: ["prompt"] });
    const { content } = dataOf(
      await client.request("GET", `${PATH_OF.prompt}/${record.id}`, { query: { label } }),
    );
    const names = placeholdersIn(content);
    const list = (some: string[]) => some.map((one) => JSON.stringify(one)).join(", ");
    const unknown = Object.keys(values).filter((one) => !names.includes(one));
    if (unknown.length > 0) {
      const known = names.length === 0 ? "it has no placeholders" : `its placeholders are ${list(names)}`;
      throw badRequest({ path: "--var", message: `the prompt does not have ${list(unknown)}: ${known}` });
    }
    const missing = names.filter((one) => !Object.hasOwn(values, one));
    if (missing.length > 0) {
      throw badRequest({ path: "--var", message: `a value is missing for ${list(missing)}` });
    }
    const text = fill(content, values);
    if (json) printJson({ id: record.id, text });
    else print(printable(text));
    if (clipboard) printMessage(`copied with ${await copyText(text)}`);
  });
}

/** `name=value`, or `name=@FILE` for the text of a file. `name=@@x` is the value `@x`. */
function readVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw badRequest({ path: "--var", message: `${text} must be NAME=VALUE or NAME=@FILE` });
  }
  if (!value.startsWith("@") || value.startsWith("@@")) return [name.trim(), value.replace(/^@/, "")];
  try {
    return [name.trim(), decodeText(readFileSync(value.slice(1))).replace(/\r?\n$/, "")];
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unavailable", messageOf(error), { cause: error });
  }
}
