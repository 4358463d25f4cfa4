// The commands, flags, variables and messages that the documentation names are those of the program: `ctxrepo --help`,
// the README and docs/ agree.

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Command } from "commander";
import { DOCUMENTS } from "../../scripts/docs.ts";
import { createProgram } from "../../src/cli/program.ts";
import { runHere } from "../cli/usage.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (name: string) => Bun.file(join(ROOT, name)).text();
const program = createProgram();

/** Flags of other programs that the documentation names outside a command line of theirs. */
const FOREIGN_FLAGS = new Set(["--frozen-lockfile", "--fast", "--pack", "--target", "--downloads"]);

/** The languages of blocks that a reader pastes into a shell. */
const SHELL_BLOCK = /^( *)```sh\n([\s\S]*?)\n\1```/gm;
const BLOCK = /^( *)```[\s\S]*?\n\1```/gm;

interface Named {
  command: Command;
  /** The words behind the command. */
  words: string[];
}

/** What starts the program, and the rest of the line. */
const START = /(?:^|[\s(;|&"])(?:\.\/)?(?:ctxrepo|src\/main\.ts|scripts\/start) ([a-z-].*)$/;

/** Command lines of the program in a text: those of shell blocks, and inline code that begins with the program. */
function commandLines(text: string): string[] {
  const blocks = [...text.matchAll(SHELL_BLOCK)].map(([, , code = ""]) => code.replaceAll("\\\n", " "));
  const inline = [...text.replace(BLOCK, "").matchAll(/`((?:ctxrepo|scripts\/start) [^`]+)`/g)];
  const spans = inline.map(([, code = ""]) => code.replaceAll("\n", " "));
  return [...blocks.flatMap((code) => code.split("\n")), ...spans].flatMap((line) => {
    const isServe = line.includes("scripts/start ");
    const [, rest] = START.exec(line.replace(/ #.*/, "")) ?? [];
    return rest === undefined ? [] : [isServe ? `serve ${rest}` : rest];
  });
}

/** The command that a line runs. Throws an Error if there is none of that name. */
function named(line: string): Named {
  const words = line
    .split(/[|;&>)]/)[0]!
    .trim()
    .split(/\s+/);
  let command = program;
  while (command.commands.length > 0 && words[0] !== undefined && !words[0].startsWith("-")) {
    const inner = command.commands.find((one) => one.name() === words[0]);
    // The name of a prompt is not a command.
    if (!inner && command.registeredArguments.length > 0) break;
    if (!inner) throw new Error(`ctxrepo has no command "${line}"`);
    command = inner;
    words.shift();
  }
  return { command, words };
}

const flagIn = (word: string) => /^--[a-z][\w-]*/.exec(word)?.[0];
const flagsOf = (command: Command) => [...command.options.map(({ long }) => long), "--help"];
const allFlags = (command: Command): Set<string | null | undefined> =>
  new Set([...flagsOf(command), ...command.commands.flatMap((inner) => [...allFlags(inner)])]);

/** Text that the program prints and that is not a command: `ctxrepo listening on …`. */
const isOutput = (line: string) => /^listening on /.test(line);

describe.each(DOCUMENTS)("%s", (name) => {
  let text = "";
  beforeAll(async () => {
    text = await read(name);
  });

  test("names only commands that exist, with flags that they have", () => {
    const wrong = commandLines(text).flatMap((line) => {
      if (isOutput(line)) return [];
      const { command, words } = named(line);
      const flags = words.map(flagIn).filter((flag) => flag !== undefined);
      return flags.filter((flag) => !flagsOf(command).includes(flag)).map((flag) => `${line}: ${flag}`);
    });
    expect(wrong).toEqual([]);
  });

  test("names only flags and variables that exist", async () => {
    const known = allFlags(program);
    const inline = [...text.replace(BLOCK, "").matchAll(/`(--[^`]+)`/g)];
    const flags = inline.map(([, code = ""]) => flagIn(code)!);
    expect(flags.filter((flag) => !known.has(flag) && !FOREIGN_FLAGS.has(flag))).toEqual([]);
    const variables = new Set([...text.matchAll(/\bCTXREPO_[A-Z_]+\b/g)].map(([variable]) => variable));
    const sources = await sourceText();
    expect([...variables].filter((one) => !isDefined(one, sources))).toEqual([]);
  });
});

/** Whether it is the variable of a setting, is read by the program, or is set by the text itself. */
function isDefined(variable: string, sources: string): boolean {
  const flag = `--${variable.replace("CTXREPO_", "").toLowerCase().replaceAll("_", "-")}`;
  return allFlags(program).has(flag) || sources.includes(variable) || OF_EXAMPLES.has(variable);
}
/** Variables of the clients in docs/agents.md. */
const OF_EXAMPLES = new Set(["CTXREPO_URL", "CTXREPO_KEY"]);

let sources: Promise<string> | undefined;
function sourceText(): Promise<string> {
  const files = ["src/**/*.ts", "scripts/*.{ts,mjs}"].flatMap((glob) => [
    ...new Bun.Glob(glob).scanSync({ cwd: ROOT }),
  ]);
  sources ??= Promise.all(files.map(read)).then((texts) => texts.join("\n"));
  return sources;
}

/**
 * The commands that a help text lists, without groups that are no command themselves: each name with those of the
 * groups above it.
 */
async function listedCommands(parents: string[] = []): Promise<string[]> {
  const { stdout } = await runHere([...parents, "--help"]);
  const list = /^Commands:\n([\s\S]*)/m.exec(stdout)?.[1];
  if (list === undefined) return [parents.join(" ")];
  const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = ""]) => name);
  const inner: string[][] = [];
  for (const name of names) inner.push(await listedCommands([...parents, name]));
  return [...(/^Arguments:$/m.test(stdout) ? [parents.join(" ")] : []), ...inner.flat()];
}

test("the README's table has exactly the commands of --help", async () => {
  const readme = await read("README.md");
  const [, table = ""] = /<!-- generated: commands -->\n([\s\S]*?)<!-- end -->/.exec(readme) ?? [];
  const rows = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, words = ""]) => words.replace(/ [A-Z].*$/, ""));
  expect(rows.sort()).toEqual((await listedCommands()).sort());
});

test("every command is explained outside the table", async () => {
  const texts = (await Promise.all(DOCUMENTS.map(read))).flatMap(commandLines);
  const lines = texts.filter((line) => !isOutput(line)).map((line) => named(line).command);
  const used = new Set(lines);
  const commands = (command: Command): Command[] => [
    ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
    ...command.commands.flatMap(commands),
  ];
  expect(
    commands(program)
      .filter((one) => !used.has(one))
      .map((one) => one.name()),
  ).toEqual([]);
});

// A message is often composed: its parts between placeholders, colons and parentheses are compared.
test("every message in troubleshooting.md is one of the program", async () => {
  const troubleshooting = await read("docs/troubleshooting.md");
  const headings = [...troubleshooting.matchAll(/^### `(.+)`$/gm)].map(([, message = ""]) => message);
  const all = await sourceText();
  const unknown = headings.filter((message) =>
    message.split(/<[A-Z]+>|: | \(|\)/).some((part) => !all.includes(part.trim())),
  );
  expect(headings.length).toBeGreaterThan(40);
  expect(unknown).toEqual([]);
});

test("a wrong command, flag and variable are found", () => {
  const lines = commandLines("Run `ctxrepo seerch x`.\n\n```sh\nctxrepo search x --lmit 3 | head\n```\n");
  expect(lines).toEqual(["search x --lmit 3 | head", "seerch x"]);
  expect(() => named("seerch x")).toThrow('no command "seerch x"');
  expect(named(lines[0]!).words).toEqual(["x", "--lmit", "3"]);
  expect(isDefined("CTXREPO_PROT", "")).toBe(false);
});
