// Runs the command line: finds the command that the arguments name, and turns failures into exit codes.

import { type Command, CommanderError } from "commander";
import { messageOf } from "../kernel/errors.ts";
import { ClosedOutput, EndedWith, EXIT, exitCodeOf, printFailure, write } from "./output.ts";
import { programOf } from "./program-of.ts";
import { serveCommand } from "./serve.ts";

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
    const program = await programFor(args);
    await program.parseAsync(args, { from: "user" });
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

/** A server is ready sooner without the code of all other commands. */
async function programFor([name]: readonly string[]): Promise<Command> {
  if (name === "serve") return programOf([serveCommand()]);
  return (await import("./program.ts")).createProgram();
}
