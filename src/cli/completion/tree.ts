// What can be completed after each command, read from commander's own description of the commands.

import type { Command, Option } from "commander";

/** A place in the command line: after a command and its parents. */
export interface CompletionNode {
  /** `` for the program, `keys`, `keys/create`. */
  at: string;
  commands: { name: string; description: string }[];
  flags: CompletionFlag[];
  /** The values of the first argument, if they are known. */
  choices: readonly string[];
  /** What the first argument names, if that is in the store. */
  names?: NamesKind;
}

interface CompletionFlag {
  /** `--limit`. */
  name: string;
  description: string;
  takesValue: boolean;
  /** The values, if they are known. */
  choices: readonly string[];
  /** What the value names, if that is in the store. */
  names?: NamesKind;
  /** Whether the value is a path. */
  isPath: boolean;
}

/** Names that `ctxrepo completion names` reads from the store. */
export const NAMES_KINDS = ["records", "documents", "prompts", "collections", "tags"] as const;
export type NamesKind = (typeof NAMES_KINDS)[number];

/** The options whose values are names of the store. */
const NAMING_FLAGS: Record<string, NamesKind> = {
  "--tag": "tags",
  "--collection": "collections",
  "--document": "documents",
};

const PATH_VALUE = /<(DIR|FILE|PATH)>/;

/** The program's node and those of all commands below it. */
export function completionNodes(program: Command): CompletionNode[] {
  return nodesOf(program, "");
}

function nodesOf(command: Command, at: string): CompletionNode[] {
  const commands = command.commands.map((inner) => ({
    name: inner.name(),
    description: inner.description(),
  }));
  const [first] = command.registeredArguments;
  const node: CompletionNode = {
    at,
    commands,
    flags: command.createHelp().visibleOptions(command).map(flagOf),
    choices: first?.argChoices ?? [],
    names: namesOf(first?.name(), at),
  };
  const inner = command.commands.flatMap((child) =>
    nodesOf(child, at === "" ? child.name() : `${at}/${child.name()}`),
  );
  return [node, ...inner];
}

function namesOf(argument: string | undefined, at: string): NamesKind | undefined {
  if (argument === "COLLECTION") return "collections";
  if (argument !== "NAME") return undefined;
  return at.startsWith("prompt") ? "prompts" : "records";
}

function flagOf({ long, short, description, required, optional, argChoices, flags }: Option): CompletionFlag {
  return {
    name: long ?? short ?? "",
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
    names: NAMING_FLAGS[long ?? ""],
    isPath: PATH_VALUE.test(flags),
  };
}

/** A text as one word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The places below the program as patterns of a `case`: `/keys`, `keys/create`. */
export function placePatterns(nodes: readonly CompletionNode[]): string[] {
  return nodes.filter(({ at }) => at !== "").map(({ at }) => (at.includes("/") ? at : `/${at}`));
}
