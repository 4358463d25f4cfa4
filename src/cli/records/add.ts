// ctxrepo add and prompt add: store a new document or prompt from a file, from stdin, or from an editor.

import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { Command } from "commander";
import { badRequest, Failure, messageOf } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { addItems, collectionNamed } from "../../importing/collections.ts";
import { decodeText } from "../../importing/decode.ts";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, collect, withClientOptions } from "../client-options.ts";
import { print, printJson, printMessage } from "../output.ts";
import { editText } from "./editor.ts";
import { PATH_OF, type TextType } from "./named.ts";

interface AddOptions extends ClientCommandOptions {
  title?: string;
  description?: string;
  tag?: string[];
  collection?: string;
}

/** The command for documents or for prompts. */
export function addCommand(type: TextType = "document"): Command {
  const command = withClientOptions(new Command("add"))
    .description(`store a new ${type} from a file, from stdin, or written in your editor`)
    .argument("[FILE]", "a text file; - for stdin, which is also read if it is not a terminal")
    .option(
      "--title <TITLE>",
      "its title (default: a heading in the first line, the file's name, or the first words)",
    )
    .option("--tag <TAG>", `tag of the ${type}; repeatable`, collect)
    .option("--collection <NAME>", "collection to add it to; created if it does not exist")
    .action((file: string | undefined, options: AddOptions) => add(file, type, options));
  if (type === "prompt") command.option("--description <TEXT>", "what the prompt is for", "");
  return command;
}

async function add(
  file: string | undefined,
  type: TextType,
  { title, description, tag, collection, json, ...options }: AddOptions,
): Promise<void> {
  const { content, name, done } = await readInput(file);
  if (content.trim() === "")
    throw badRequest({ path: "FILE", message: "the text is empty: nothing was stored" });
  const body = { title: title ?? titleOf(content, name), description, content, tags: tag };
  await withClient({ ...options, creates: true, indexes: true }, async (client) => {
    const { id } = dataOf(await client.request("POST", PATH_OF[type], { body }));
    done();
    if (collection !== undefined) {
      await addItems(client, await collectionNamed(client, collection), [{ id, kind: type }]);
    }
    if (json) printJson({ id, title: body.title });
    else print(id);
    printMessage(`stored "${body.title}"`);
    await client.finishJobs();
  });
}

interface Input {
  content: string;
  name?: string;
  /** To be called when the text is stored. */
  done(): void;
}

async function readInput(file: string | undefined): Promise<Input> {
  const done = () => {};
  if (file === "-" || (file === undefined && !process.stdin.isTTY)) {
    return { content: decodeText(await readStdin()), done };
  }
  if (file === undefined) {
    const { text, remove } = await editText("");
    return { content: text, done: remove };
  }
  try {
    return { content: decodeText(readFileSync(file)), name: basename(file, extname(file)), done };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unavailable", messageOf(error), { cause: error });
  }
}

/** The bytes of stdin. Throws `too-large` as soon as they are more than a document may have. */
async function readStdin(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of Bun.stdin.stream()) {
    bytes += part.length;
    if (bytes > LIMITS.document.textBytes) {
      throw new Failure("too-large", `a document may have ${LIMITS.document.textBytes / 1e6} MB`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const MAX_TITLE_WORDS = 10;

/** The heading in the first line, the name of the file, or the first words of the text. */
function titleOf(content: string, name: string | undefined): string {
  const first = content.trimStart().split("\n", 1)[0]!.trim();
  const heading = /^#\s+(.+?)\s*#*$/.exec(first)?.[1];
  return heading ?? name ?? first.split(/\s+/).slice(0, MAX_TITLE_WORDS).join(" ");
}
