// Adding an MCP server to the configuration of a client: everything else stays, and what is unclear is left alone.

import { describe, expect, test } from "bun:test";
import { mergeJson, mergeToml } from "../../../src/cli/setup/merge.ts";

const entry = { command: "/opt/ctxrepo", args: ["mcp", "--user", "a@b.org"] };
const json = { member: "mcpServers", name: "ctxrepo", entry };
const toml = { ...json, member: "mcp_servers" };

describe("JSON", () => {
  test("a new file, and an empty one, contain only the server", () => {
    for (const text of ["", " \n", "{}"])
      expect(JSON.parse(mergeJson(text, json))).toEqual({ mcpServers: { ctxrepo: entry } });
  });

  test("comments, members, order, indentation and line ends stay", () => {
    const text =
      '{\r\n\t// my servers\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }, // keep\r\n\t},\r\n\t"theme": "dark",\r\n}\r\n';
    const merged = mergeJson(text, json);
    for (const line of [
      "\t// my servers",
      '\t\t"other": { "command": "x" }',
      "// keep",
      '\t"theme": "dark",\r\n}\r\n',
    ])
      expect(merged).toContain(line);
    expect(merged).toContain('\r\n\t\t"ctxrepo": {\r\n\t\t\t"command": "/opt/ctxrepo"');
    expect(merged.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("an entry is updated and keeps its own members; a second time changes nothing", () => {
    const text = JSON.stringify({
      mcpServers: { ctxrepo: { command: "old", args: [], env: { A: "1" } }, z: {} },
    });
    const merged = mergeJson(text, json);
    expect(JSON.parse(merged)).toEqual({ mcpServers: { ctxrepo: { ...entry, env: { A: "1" } }, z: {} } });
    expect(mergeJson(merged, json)).toBe(merged);
  });

  test("an entry with a URL becomes one with a command", () => {
    const text = JSON.stringify({ mcpServers: { ctxrepo: { url: "http://x/mcp", headers: { a: "b" } } } });
    expect(JSON.parse(mergeJson(text, json))).toEqual({ mcpServers: { ctxrepo: entry } });
  });

  test.each([
    ["{", "it is no valid JSON"],
    ["[]", "it is no JSON object"],
    ["\ufeff{}", "it is no valid JSON"],
    ['{"mcpServers": []}', "its member mcpServers is no object"],
    ['{"mcpServers": {"ctxrepo": 1}}', "its member mcpServers.ctxrepo is no object"],
    ['{"mcpServers": {"a": {}}, "mcpServers": {}}', "the server cannot be added without other changes"],
  ])("%j is left alone", (text, reason) => {
    expect(() => mergeJson(text, json)).toThrow(reason);
  });
});

describe("TOML", () => {
  const block = '[mcp_servers.ctxrepo]\ncommand = "/opt/ctxrepo"\nargs = ["mcp", "--user", "a@b.org"]\n';

  test("the server is added at the end; everything else stays", () => {
    expect(mergeToml("", toml)).toBe(block);
    const text = '# mine\nmodel = "x" # keep\n\n[mcp_servers.other]\ncommand = "y"\nargs = [\n  "[a]",\n]';
    expect(mergeToml(text, toml)).toBe(`${text}\n\n${block}`);
  });

  test("a table is updated and keeps its comments and members; a second time changes nothing", () => {
    const text =
      '[mcp_servers."ctxrepo"] # notes\r\n# slow disk\r\nstartup_timeout_sec = 30\r\ncommand = "old"\r\nargs = []\r\n\r\n[tui]\r\ntheme = "x"\r\n';
    const merged = mergeToml(text, toml);
    for (const line of [
      "# notes\r\n",
      "# slow disk\r\n",
      "startup_timeout_sec = 30\r\n",
      '[tui]\r\ntheme = "x"\r\n',
    ])
      expect(merged).toContain(line);
    expect(Bun.TOML.parse(merged)).toEqual({
      mcp_servers: { ctxrepo: { ...entry, startup_timeout_sec: 30 } },
      tui: { theme: "x" },
    });
    expect(mergeToml(merged, toml)).toBe(merged);
  });

  test("values that need escapes are read as they were", () => {
    const odd = { command: 'C:\\Program Files\\"x"\\ctxrepo.exe', args: ["é\n\t\u0001", "'"] };
    expect(Bun.TOML.parse(mergeToml("", { ...toml, entry: odd }))).toEqual({ mcp_servers: { ctxrepo: odd } });
  });

  test.each([
    ["a = ", "it is no valid TOML"],
    ["mcp_servers = 1", "its member mcp_servers is no table"],
    ['mcp_servers = { other = { command = "x" } }', "it is no valid TOML"],
    ['mcp_servers.ctxrepo.command = "x"', "mcp_servers.ctxrepo is not written as a table of its own"],
    ['[mcp_servers.ctxrepo]\nurl = "http://x"', "mcp_servers.ctxrepo is a server with a URL"],
    ['[mcp_servers.ctxrepo]\nargs = [\n"a",\n"b" ]\ncommand = "x"', "it is no valid TOML"],
  ])("%j is left alone", (text, reason) => {
    expect(() => mergeToml(text, toml)).toThrow(reason);
  });
});
