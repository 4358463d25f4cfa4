// ctxrepo edit: changes the text of a document or prompt in an editor. A change that somebody else made meanwhile is
// shown, and nothing is overwritten.

import { Command } from "commander";
import { compare } from "../../kernel/compare.ts";
import { Failure } from "../../kernel/errors.ts";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { printJson, printMessage } from "../output.ts";
import { describeRows } from "./difference.ts";
import { editText } from "./editor.ts";
import { NAME_HELP, PATH_OF, recordNamed, TEXT_TYPES, type TextType } from "./named.ts";
import { readWhole } from "./whole-text.ts";

/** The command for records of these types. */
export function editCommand(types: readonly TextType[] = TEXT_TYPES): Command {
  return withClientOptions(new Command("edit"))
    .description(`change the text of a ${types.join(" or ")} in your editor ($VISUAL or $EDITOR)`)
    .argument("<NAME>", NAME_HELP)
    .action((name: string, options: ClientCommandOptions) => edit(name, types, options));
}

async function edit(
  name: string,
  types: readonly TextType[],
  { json, ...options }: ClientCommandOptions,
): Promise<void> {
  await withClient({ ...options, indexes: true }, async (client) => {
    const record = await recordNamed(client, { argument: "NAME", name, types });
    const before = await readWhole(client, record);
    const edited = await editText(before.content);
    if (edited.text === before.content) {
      edited.remove();
      return printMessage("nothing was changed");
    }
    const keep = (reason: string) => new Failure("conflict", `${reason}\nyour text is in ${edited.path}`);
    // A prompt has no ETag: it is compared before the write.
    const now = before.etag === undefined ? await readWhole(client, record) : before;
    if (now.content !== before.content) throw keep(conflictText(before.content, now.content));
    const reply = await client.request("PATCH", `${PATH_OF[record.type]}/${record.id}`, {
      headers: before.etag === undefined ? {} : { "If-Match": before.etag },
      body: { content: edited.text },
    });
    if (reply.status === 412) {
      throw keep(conflictText(before.content, (await readWhole(client, record)).content));
    }
    if (reply.status >= 300) printMessage(`your text is in ${edited.path}`);
    const stored = dataOf(reply);
    edited.remove();
    if (json) printJson(stored);
    printMessage(`stored "${record.title}"`);
    await client.finishJobs();
  });
}

/** What somebody else changed since the text was opened. */
function conflictText(before: string, now: string): string {
  const change = describeRows(compare(before, now).rows).join("\n");
  return `it was changed while you edited it, so nothing was stored\n${change}`;
}
