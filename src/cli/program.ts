// The command line: one file for each command, hung onto commander here.

import { Command, CommanderError } from "commander";
import { messageOf } from "../kernel/errors.ts";
import { VERSION } from "../version.ts";
import { askCommand } from "./ask.ts";
import { keysCommand } from "./keys.ts";
import { EXIT, exitCodeOf, talk } from "./output.ts";
import { scrapeCommand } from "./scrape.ts";
import { serveCommand } from "./serve.ts";
import { tokensCommand } from "./tokens.ts";
import { usersCommand } from "./users.ts";

/** Runs the program with the arguments behind its name and returns the exit code. */
export async function run(args: string[]): Promise<number> {
  const program = new Command("ctxrepo")
    .description("A Context Repository in one file: prompts, documents and collections, searched by meaning.")
    .version(VERSION, "--version", "print the version")
    .helpOption("--help", "show help")
    .addCommand(serveCommand())
    .addCommand(keysCommand())
    .addCommand(tokensCommand())
    .addCommand(usersCommand())
    .addCommand(askCommand())
    .addCommand(scrapeCommand());
  for (const command of allCommands(program)) {
    command.exitOverride().helpOption("--help", "show help").helpCommand(false);
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return EXIT.done;
  } catch (error) {
    // Commander has printed its own message; help and version end with 0, everything else was wrong usage.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    talk(`ctxrepo: ${messageOf(error)}`);
    return exitCodeOf(error);
  }
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
