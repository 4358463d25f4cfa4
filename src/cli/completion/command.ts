// ctxrepo completion: prints the completion script of a shell, generated from the commands themselves.

import { Argument, Command } from "commander";
import { withDataDir, withIgnoredUser } from "../data-dir.ts";
import { dataOf } from "../../requests/reply.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { print, printJson } from "../output.ts";
import { printableLine } from "../printable.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { type CompletionNode, completionNodes, NAMES_KINDS, type NamesKind } from "./tree.ts";
import { zshScript } from "./zsh.ts";

const MAX_START_UNITS = 256;

const SCRIPTS: Record<string, (nodes: CompletionNode[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The command `completion names`, which the scripts call. */
function namesCommand(): Command {
  return withClientOptions(new Command("names"))
    .description("print names of the store that start with a text, as the scripts propose them")
    .addArgument(new Argument("<KIND>", "what to name").choices(NAMES_KINDS))
    .argument("[START]", "how the names start", "")
    .action(async (kind: NamesKind, start: string, options: ClientCommandOptions) => {
      const query = { kind, start: start.slice(0, MAX_START_UNITS) };
      const names: string[] = await withClient(options, async (client) =>
        dataOf(await client.request("GET", "/console/api/names", { query })),
      );
      // A name that is printed in another way would not be found.
      for (const name of names) if (printableLine(name) === name) print(name);
    });
}

/** The command `completion`. Its script describes the commands of its parent. */
export function completionCommand(): Command {
  const command = withIgnoredUser(withDataDir(new Command("completion")));
  command.enablePositionalOptions().addCommand(namesCommand());
  return command
    .description("print the completion script of a shell")
    .addArgument(new Argument("<SHELL>", "the shell").choices(Object.keys(SCRIPTS)))
    .option("--json", "print a JSON object with shell and script")
    .addHelpText(
      "after",
      `
bash: add to ~/.bashrc:  eval "$(ctxrepo completion bash)"
zsh:  add to ~/.zshrc, after compinit:  eval "$(ctxrepo completion zsh)"
fish: ctxrepo completion fish > ~/.config/fish/completions/ctxrepo.fish`,
    )
    .action((shell: string, { json }: { json?: true }, command: Command) => {
      const script = SCRIPTS[shell]!(completionNodes(command.parent!));
      if (json) printJson({ shell, script });
      else print(script);
    });
}
