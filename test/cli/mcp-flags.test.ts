// ctxrepo mcp: its flags, and the configurations of clients that it prints.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { TOOLS } from "../../src/mcp/tools/all.ts";
import { plainEnvironment } from "../helpers/processes.ts";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

let root: string;
let dataDir: string;
beforeEach(() => {
  root = makeTempDir();
  dataDir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("flags", () => {
  test.each([
    [["--tools", "nope"], 'unknown tool "nope"'],
    [["--tools", ""], 'unknown tool ""'],
    [["--http"], "--http"],
    [["--print-config", "emacs"], "must be one of claude-code"],
    [["--user", "nobody"], "--user: must be an e-mail address"],
    [["--unknown"], "unknown option"],
  ])("%j exits with 2", async (args, message) => {
    const { code, stdout, stderr } = await runProgram(["mcp", "--data-dir", dataDir, ...args]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("--print-config", () => {
  const print = async (client: string, ...args: string[]) => {
    const { code, stdout } = await runProgram([
      "mcp",
      "--print-config",
      client,
      "--data-dir",
      dataDir,
      ...args,
    ]);
    expect(code).toBe(0);
    return stdout.trim();
  };

  test.each([
    ["claude-desktop", (config: string) => JSON.parse(config).mcpServers.ctxrepo],
    ["cursor", (config: string) => JSON.parse(config).mcpServers.ctxrepo],
    ["vscode", (config: string) => JSON.parse(config).servers.ctxrepo],
    // biome-ignore lint/suspicious/noExplicitAny: a parsed file
    ["codex", (config: string) => (Bun.TOML.parse(config) as any).mcp_servers.ctxrepo],
    [
      "claude-code",
      (config: string) => {
        const [, command, ...args] = config
          .split(" -- ")[1]!
          .match(/^(\S+)|\S+/g)!
          .join(" ")
          .split(" ");
        return { command: config.split(" -- ")[1]!.split(" ")[0], args: [command, ...args] };
      },
    ],
  ])("%s starts this program, with absolute paths", async (client, serverIn) => {
    const { command, args } = serverIn(await print(client, "--read-only", "--tools", "core,delete_prompt"));
    expect([command, args[0]]).toEqual([
      expect.stringMatching(/^\//),
      expect.stringMatching(/^\/.*main\.ts$/),
    ]);
    const child = Bun.spawn([command, ...args], {
      env: plainEnvironment(),
      stdin: Buffer.from(
        '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n{"jsonrpc":"2.0","id":2,"method":"resources/list"}\n',
      ),
      stdout: "pipe",
    });
    const messages = (await new Response(child.stdout).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.find(({ id }) => id === 1).result.tools.length).toBe(9);
    expect(messages.find(({ id }) => id === 2).result.resources).toEqual([]);
    expect(existsSync(join(dataDir, "ctxrepo.db"))).toBe(true);
  });

  test("--http names the URL of the running server", async () => {
    const server = await serveProgram(dataDir);
    for (const client of ["claude-code", "cursor", "vscode", "codex"]) {
      expect(await print(client, "--http")).toContain(`${server.url}/mcp`);
      expect(await print(client, "--http", "--read-only")).toContain("/mcp?readOnly=true");
    }
    expect(await print("claude-desktop", "--http")).toContain('"mcp"');
    await server.kill("SIGTERM");
  });

  test("--http says how to create the key in the same place for the same user", async () => {
    const args = ["mcp", "--print-config", "codex", "--http", "--data-dir", dataDir, "--user", "a@b.org"];
    const { stderr } = await runProgram(args);
    expect(stderr).toContain(`ctxrepo keys create --data-dir ${dataDir} --user a@b.org --name codex`);
  });

  test("names a directory that follows from a variable which the client may not have", async () => {
    const home = { XDG_DATA_HOME: root };
    const { stdout } = await runProgram(["mcp", "--print-config", "claude-code"], home);
    expect(stdout).toContain(`--data-dir ${join(root, "ctxrepo")}`);
  });

  test("docs/mcp.md shows the same configurations", async () => {
    const docs = readFileSync(join(import.meta.dir, "../../docs/mcp.md"), "utf8");
    const generic = (config: string) =>
      config
        .replaceAll(/"\/[^"]*\/main\.ts",\s*/g, "")
        .replaceAll(/\/\S*\/main\.ts /g, "")
        .replaceAll(process.execPath, "/usr/local/bin/ctxrepo");
    for (const client of ["claude-code", "claude-desktop", "cursor", "vscode", "codex"]) {
      const { stdout } = await runProgram(["mcp", "--print-config", client]);
      expect(docs).toContain(generic(stdout.trim()));
      if (client === "claude-desktop") continue;
      const http = await runProgram(["mcp", "--print-config", client, "--http"]);
      expect(docs).toContain(http.stdout.trim());
    }
  });
});

test("--print-skill prints a skill that names only tools that exist", async () => {
  const { code, stdout } = await runProgram(["mcp", "--print-skill"]);
  expect(code).toBe(0);
  expect(stdout).toStartWith("---\nname: ctxrepo\ndescription: ");
  const named = stdout.match(/`[a-z]+(?:_[a-z]+)+`/g) ?? [];
  expect(named.length).toBeGreaterThan(4);
  const names = new Set(TOOLS.map(({ name }) => `\`${name}\``));
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});
