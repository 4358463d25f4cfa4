// ctxrepo setup: the files of each client, differences, copies, and files that are left alone.

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(makeTempDir());
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const dataDir = () => join(home, "data");
const setup = (...args: string[]) => runProgram(["setup", ...args, "--data-dir", dataDir()], { HOME: home });
/** What is in the home directory, without what Bun puts there. */
const homeNames = () => readdirSync(home).filter((name) => name !== ".bun");
const read = (path: string) => readFileSync(join(home, path), "utf8");
function write(path: string, text: string): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}
const desktop = process.platform === "darwin" ? "Library/Application Support" : ".config";

test.each([
  ["claude-code", ".claude.json", ".claude/skills"],
  ["cursor", ".cursor/mcp.json", ".agents/skills"],
  ["vscode", `${desktop}/Code/User/mcp.json`, ".agents/skills"],
  ["codex", ".codex/config.toml", ".agents/skills"],
  ["claude-desktop", `${desktop}/Claude/claude_desktop_config.json`, undefined],
])("%s gets its configuration and a skill, once", async (client, config, skills) => {
  const { code, stdout, stderr } = await setup(client, "--yes", "--read-only", "--json");
  const skill = skills === undefined ? undefined : `${skills}/ctxrepo/SKILL.md`;
  const paths = [config, ...(skill === undefined ? [] : [skill])].map((path) => ({
    path: join(home, path),
    copy: null,
  }));
  expect([code, JSON.parse(stdout)]).toEqual([0, paths]);
  expect(stderr).toContain(`restart ${client}`);
  const parsed = config.endsWith(".toml") ? Bun.TOML.parse(read(config)) : JSON.parse(read(config));
  // The same server that --print-config prints.
  const printed = await runProgram(
    ["mcp", "--print-config", client, "--read-only", "--data-dir", dataDir()],
    { HOME: home },
  );
  const [servers] = Object.values(parsed) as [{ ctxrepo: { command: string; args: string[] } }];
  expect(servers.ctxrepo.args).toEqual(
    expect.arrayContaining(["mcp", "--data-dir", dataDir(), "--read-only"]),
  );
  if (client === "codex") expect(read(config)).toBe(printed.stdout);
  else if (client !== "claude-code") expect(parsed).toEqual(JSON.parse(printed.stdout));
  if (skill !== undefined) expect(read(skill)).toMatch(/^---\nname: ctxrepo\ndescription: .+\n---\n/);
  const again = await setup(client, "--yes", "--read-only", "--json");
  expect([again.code, again.stdout, again.stderr]).toEqual([0, "[]\n", `${client} is set up already\n`]);
});

test("the old file is kept as a copy, with its mode; other members stay", async () => {
  const file = write(
    ".cursor/mcp.json",
    '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n',
  );
  chmodSync(file, 0o640);
  const before = readFileSync(file, "utf8");
  const { stderr } = await setup("cursor", "--yes", "--no-skill");
  expect(stderr).toContain(`wrote ${file} (before: ${file}.before-ctxrepo)\n`);
  expect(readFileSync(`${file}.before-ctxrepo`, "utf8")).toBe(before);
  expect(readFileSync(file, "utf8")).toContain("// mine");
  expect([statSync(file).mode & 0o777, statSync(`${file}.before-ctxrepo`).mode & 0o777]).toEqual([
    0o640, 0o640,
  ]);
  await setup("cursor", "--yes", "--read-only", "--no-skill");
  expect(readFileSync(`${file}.before-ctxrepo`, "utf8")).toBe(before);
  expect(readdirSync(dirname(file)).sort()).toEqual([
    "mcp.json",
    "mcp.json.before-ctxrepo",
    "mcp.json.before-ctxrepo-2",
  ]);
});

test("a file that cannot be read is left alone, and nothing else is written", async () => {
  const file = write(".codex/config.toml", "model = ");
  const { code, stderr } = await setup("codex", "--yes");
  expect([code, stderr]).toEqual([1, `ctxrepo: ${file} was not changed: it is no valid TOML\n`]);
  expect(readFileSync(file, "utf8")).toBe("model = ");
  expect(homeNames()).toEqual([".codex"]);
});

test("without --yes it asks, and without a terminal it writes nothing", async () => {
  const { code, stderr } = await setup("cursor");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--yes: is needed")]);
  expect(existsSync(join(home, ".cursor"))).toBe(false);
});

test.skipIf(process.platform === "win32")("a link to a file stays, and its target is written", async () => {
  const target = write("dotfiles/mcp.json", "{}");
  mkdirSync(join(home, ".cursor"));
  symlinkSync(target, join(home, ".cursor/mcp.json"));
  expect((await setup("cursor", "--yes", "--no-skill")).code).toBe(0);
  expect(JSON.parse(readFileSync(target, "utf8"))).toHaveProperty("mcpServers.ctxrepo");
  expect(readdirSync(join(home, ".cursor"))).toEqual(["mcp.json"]);
});

test("wrong usage", async () => {
  expect((await setup("emacs", "--yes")).code).toBe(2);
  expect((await setup("claude-desktop", "--project", "--yes")).code).toBe(2);
  expect((await setup("cursor", "--tools", "nothing", "--yes")).code).toBe(2);
  expect(homeNames()).toEqual([]);
});
