// ctxrepo completion: prints the completion script of a shell, generated from the commands themselves.

import { Argument, Command } from "commander";
import { withDataDir, withIgnoredUser } from "../data-dir.ts";
import { print, printJson } from "../output.ts";
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
  return withIgnoredUser(withDataDir(new Command("completion")))
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
