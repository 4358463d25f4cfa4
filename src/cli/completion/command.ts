// ctxrepo completion: prints the completion script of a shell, generated from the commands themselves.

import { Argument, Command } from "commander";
import { withDataDir } from "../data-dir.ts";
import { print } from "../output.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { type CompletionNode, completionNodes } from "./tree.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Record<string, (nodes: CompletionNode[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The command `completion`. Its script describes the commands of its parent. */
export function completionCommand(): Command {
  return withDataDir(new Command("completion"))
    .description("print the completion script of a shell")
    .addArgument(new Argument("<SHELL>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText(
      "after",
      `
bash: add to ~/.bashrc:  eval "$(ctxrepo completion bash)"
zsh:  add to ~/.zshrc, after compinit:  eval "$(ctxrepo completion zsh)"
fish: ctxrepo completion fish > ~/.config/fish/completions/ctxrepo.fish`,
    )
    .action((shell: string, _options: unknown, command: Command) => {
      print(SCRIPTS[shell]!(completionNodes(command.parent!)));
    });
}
