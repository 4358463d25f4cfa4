// The flags that every command accepts, and those of the commands for people.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../src/cli/program.ts";
import { runProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

const FOR_PEOPLE =
  "import export backup restore reindex doctor search ask scrape get list completion service/print open".split(
    " ",
  );

/** The flags of each command that does something, by its name with slashes. */
function flagsOfCommands(): [name: string, flags: string[]][] {
  const flagsOf = (command: ReturnType<typeof createProgram>, at: string): [string, string[]][] => {
    const inner = command.commands.flatMap((one) =>
      flagsOf(one as typeof command, at === "" ? one.name() : `${at}/${one.name()}`),
    );
    // `completion` has arguments and a command below it.
    const isRunnable = inner.length === 0 || command.registeredArguments.length > 0;
    return isRunnable ? [[at, command.options.map(({ long }) => long ?? "")], ...inner] : inner;
  };
  return flagsOf(createProgram(), "");
}

test.each(flagsOfCommands())("%s accepts --data-dir", (_name, flags) => {
  expect(flags).toContain("--data-dir");
});

test.each(FOR_PEOPLE)("%s accepts --user and --json", (name) => {
  expect(Object.fromEntries(flagsOfCommands())[name]).toEqual(expect.arrayContaining(["--user", "--json"]));
});

test("completion and service print as JSON contain what they print otherwise", async () => {
  for (const [args, member] of [
    [["completion", "fish", "--user", "ada@example.org"], "script"],
    [["service", "print", "systemd"], "content"],
  ] as const) {
    const plain = await runProgram([...args]);
    const json = await runProgram([...args, "--json"]);
    expect([json.code, `${JSON.parse(json.stdout)[member]}\n`]).toEqual([0, plain.stdout]);
  }
});

test("keys list --user prints only that user's keys", async () => {
  const root = makeTempDir();
  const keys = (...args: string[]) =>
    runProgram(["keys", ...args, "--json", "--data-dir", join(root, "data")]);
  await keys("create");
  const { id } = JSON.parse((await keys("create", "--user", "ada@example.org")).stdout);
  expect(JSON.parse((await keys("list")).stdout)).toHaveLength(2);
  expect(JSON.parse((await keys("list", "--user", "Ada@example.org")).stdout)).toMatchObject([{ id }]);
  expect((await keys("list", "--user", "ada")).code).toBe(2);
  rmSync(root, { recursive: true });
});
