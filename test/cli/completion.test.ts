// ctxrepo completion and service print: what bash proposes, the syntax of the scripts, and what systemd says of the unit.

import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

const script = async (...args: string[]) => {
  const { code, stdout } = await runProgram(args);
  expect(code).toBe(0);
  return stdout;
};

/** A test of a program that this machine may not have; the name says so then. */
const withTool = (tool: string) => {
  const isThere = Bun.which(tool) !== null;
  return { name: isThere ? tool : `${tool} (skipped: not installed)`, test: isThere ? test : test.skip };
};

describe("completion", () => {
  const bash = withTool("bash");
  bash.test(`${bash.name} proposes commands, flags and values`, async () => {
    const source = await script("completion", "bash");
    const proposals = (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(" ");
      const shell = `${source}\nCOMP_WORDS=(ctxrepo ${line})\nCOMP_CWORD=${words.length}\n_ctxrepo\necho "\${COMPREPLY[*]}"`;
      const { stdout, stderr } = Bun.spawnSync(["bash", "-c", shell]);
      expect(stderr.toString()).toBe("");
      return stdout.toString().trim().split(" ");
    };
    expect(proposals("")).toEqual(
      expect.arrayContaining([
        "serve",
        "keys",
        "ask",
        "search",
        "get",
        "list",
        "completion",
        "service",
        "--version",
      ]),
    );
    expect(proposals("se")).toEqual(["serve", "search", "setup", "service"]);
    expect(proposals("keys", "")).toEqual(["create", "list", "revoke", "--help"]);
    expect(proposals("keys", "create", "--sc")).toEqual(["--scopes"]);
    expect(proposals("list", "")).toEqual(
      expect.arrayContaining(["documents", "prompts", "collections", "--tag"]),
    );
    expect(proposals("search", "q", "--type", "")).toEqual(["documents", "prompts", "collections", "all"]);
    expect(proposals("serve", "--log-level", "w")).toEqual(["warn"]);
    expect(proposals("tokens", "create", "--kind", "m")).toEqual(["machine", "managed"]);
    expect(proposals("search", "keys", "--lim")).toEqual(["--limit"]);
    expect(proposals("serve", "--data-dir", "")).toEqual([""]);
  });

  for (const shell of ["zsh", "fish"]) {
    const { name, test: check } = withTool(shell);
    check(`${name} accepts its script`, async () => {
      const source = await script("completion", shell);
      const { exitCode, stderr } = Bun.spawnSync([shell, "-n"], { stdin: Buffer.from(source) });
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    });
  }

  test("zsh and fish: every command and flag is in the script, with its description", async () => {
    for (const shell of ["zsh", "fish"]) {
      const source = await script("completion", shell);
      for (const text of ["list users", "scopes", "private-network", "javascript", "collections all"]) {
        expect([shell, source.includes(text) || source.includes(`"${text}"`)]).toEqual([shell, true]);
      }
    }
  });

  test("another shell is wrong usage", async () => {
    expect((await runHere(["completion", "csh"])).code).toBe(2);
    expect((await runHere(["completion"])).code).toBe(2);
  });
});

describe("service print", () => {
  const DATA = '/srv/my "data" 100%/$HOME';
  const systemd = withTool("systemd-analyze");
  systemd.test(`${systemd.name} verifies the unit`, async () => {
    const root = makeTempDir();
    const unit = join(root, "ctxrepo.service");
    await Bun.write(unit, await script("service", "print", "systemd", "--data-dir", DATA));
    const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", unit]);
    rmSync(root, { recursive: true });
    expect([
      exitCode,
      stderr
        .toString()
        .split("\n")
        .filter((line) => line.includes("ctxrepo")),
    ]).toEqual([0, []]);
  });

  test("names this program and the data directory by absolute paths, and quotes them", async () => {
    const unit = await script("service", "print", "systemd", "--data-dir", DATA);
    expect(unit).toContain(`ExecStart="${process.execPath}" "`);
    expect(unit).toContain('src/main.ts" "serve" "--data-dir" "/srv/my \\"data\\" 100%%/$$HOME"\n');
    expect(unit).toContain('ReadWritePaths="/srv/my \\"data\\" 100%%/$HOME" ');
    const relative = await script("service", "print", "systemd", "--data-dir", "data");
    expect(relative).toContain(`"${join(process.cwd(), "data")}"`);
    const agent = await script("service", "print", "launchd", "--data-dir", "/a&b<c>");
    expect(agent).toContain("<string>/a&amp;b&lt;c&gt;</string>");
  });

  test("another service manager is wrong usage", async () => {
    expect((await runHere(["service", "print", "runit"])).code).toBe(2);
  });
});
