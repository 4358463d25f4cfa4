// Adds commands to the program, with what all of them have: help, version and messages about wrong usage.

import { Command } from "commander";
import { VERSION } from "../base/version.ts";
import { withDataDir } from "./data-dir.ts";

/** The program with these commands. */
export function programOf(commands: readonly Command[]): Command {
  const program = new Command("ctxrepo")
    .description("A Context Repository in one file: prompts, documents and collections, searched by meaning.")
    .version(VERSION, "-V, --version", "print the version")
    // `get` has an option --version, too.
    .enablePositionalOptions();
  for (const command of [...commands, helpCommand()]) program.addCommand(command);
  for (const [command, name] of allCommands(program)) {
    command.exitOverride().helpOption("-h, --help", "show help");
    command.helpCommand(false);
    command.showHelpAfterError(`(${name} --help shows the usage)`);
    command.configureOutput({ outputError: (text, write) => write(usageMessage(text)) });
  }
  return program;
}

/** `ctxrepo help import` is `ctxrepo import --help`. */
function helpCommand(): Command {
  return withDataDir(new Command("help"))
    .description("show the help of a command")
    .argument("[COMMAND...]", "the command, such as: keys create")
    .action((names: string[], _options: unknown, { parent }: Command) => {
      let command = parent!;
      for (const name of names) {
        const inner = command.commands.find((one) => one.name() === name);
        if (inner === undefined) return command.error(`error: unknown command '${name}'`);
        command = inner;
      }
      command.help();
    });
}

/** A message of commander with the prefix of all messages of this program. */
function usageMessage(text: string): string {
  return text
    .replace(/^error: (command-argument value )?/, "ctxrepo: ")
    .replace(/unknown option '-[^-][^']*'/, "$& (write -- before words that begin with -)");
}

/** The command and those below it, with their full names. */
function allCommands(command: Command, parents = ""): [command: Command, name: string][] {
  const name = `${parents}${command.name()}`;
  return [[command, name], ...command.commands.flatMap((inner) => allCommands(inner, `${name} `))];
}
