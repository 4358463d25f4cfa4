// The command line: adds each command (one file each) to commander and runs it.

import { Command, CommanderError } from "commander";
import { messageOf } from "../kernel/errors.ts";
import { VERSION } from "../base/version.ts";
import { askCommand } from "./ask.ts";
import { backupCommand } from "./backup.ts";
import { completionCommand } from "./completion/command.ts";
import { withDataDir } from "./data-dir.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { foldersCommand } from "./folders.ts";
import { getCommand } from "./get.ts";
import { importCommand } from "./import.ts";
import { keysCommand } from "./keys.ts";
import { licensesCommand } from "./licenses.ts";
import { listCommand } from "./list.ts";
import { mcpCommand } from "./mcp.ts";
import { openCommand } from "./open.ts";
import { ClosedOutput, EndedWith, EXIT, exitCodeOf, printFailure, write } from "./output.ts";
import { addCommand } from "./records/add.ts";
import { archiveCommand } from "./records/archive.ts";
import { editCommand } from "./records/edit.ts";
import { historyCommand } from "./records/history.ts";
import { moveCommand } from "./records/move.ts";
import { promptCommand } from "./records/prompt.ts";
import { refreshCommand } from "./records/refresh.ts";
import { removeCommand } from "./records/remove.ts";
import { tagCommand } from "./records/tag.ts";
import { reindexCommand } from "./reindex.ts";
import { restoreCommand } from "./restore.ts";
import { remoteCommand } from "./remotes/command.ts";
import { exchangeCommands } from "./remotes/exchange.ts";
import { scrapeCommand } from "./scrape.ts";
import { searchCommand } from "./search.ts";
import { serveCommand } from "./serve.ts";
import { serviceCommand } from "./service.ts";
import { setupCommand } from "./setup.ts";
import { statusCommand } from "./status.ts";
import { tokensCommand } from "./tokens.ts";
import { usersCommand } from "./users.ts";

/** The program with all its commands. */
export function createProgram(): Command {
  const program = new Command("ctxrepo")
    .description("A Context Repository in one file: prompts, documents and collections, searched by meaning.")
    .version(VERSION, "-V, --version", "print the version")
    // `get` has an option --version, too.
    .enablePositionalOptions()
    .addCommand(serveCommand())
    .addCommand(keysCommand())
    .addCommand(tokensCommand())
    .addCommand(usersCommand())
    .addCommand(askCommand())
    .addCommand(scrapeCommand())
    .addCommand(importCommand())
    .addCommand(foldersCommand())
    .addCommand(exportCommand())
    .addCommand(statusCommand())
    .addCommand(searchCommand())
    .addCommand(getCommand())
    .addCommand(addCommand())
    .addCommand(editCommand())
    .addCommand(moveCommand())
    .addCommand(tagCommand())
    .addCommand(archiveCommand())
    .addCommand(removeCommand())
    .addCommand(historyCommand())
    .addCommand(refreshCommand())
    .addCommand(promptCommand())
    .addCommand(listCommand())
    .addCommand(mcpCommand())
    .addCommand(setupCommand())
    .addCommand(openCommand())
    .addCommand(completionCommand())
    .addCommand(serviceCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(doctorCommand())
    .addCommand(reindexCommand())
    .addCommand(licensesCommand())
    .addCommand(remoteCommand());
  for (const command of exchangeCommands()) program.addCommand(command);
  program.addCommand(helpCommand());
  for (const [command, name] of allCommands(program)) {
    command.exitOverride().helpOption("-h, --help", "show help");
    command.helpCommand(false);
    command.showHelpAfterError(`(${name} --help shows the usage)`);
    command.configureOutput({ outputError: (text, write) => write(usageMessage(text)) });
  }
  return program;
}

/** Runs the program like `run`, and returns when everything that it has printed is written. */
export async function runAndFlush(args: string[]): Promise<number> {
  const code = await run(args);
  try {
    await write("");
    return code;
  } catch (error) {
    if (error instanceof ClosedOutput) return code;
    if (code === EXIT.done) printFailure(messageOf(error));
    return code === EXIT.done ? EXIT.failed : code;
  }
}

/**
 * Runs the program with its arguments (without the program's name) and returns the exit code.
 *
 * @testOnly
 */
export async function run(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return EXIT.done;
  } catch (error) {
    if (error instanceof ClosedOutput) return EXIT.done;
    if (error instanceof EndedWith) return error.code;
    // Commander has already printed a message. Help and version exit with 0; everything else is wrong usage.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    printFailure(messageOf(error));
    return exitCodeOf(error);
  }
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
