// ctxrepo completion and service print: what bash proposes, the syntax of the scripts, and what systemd says of the
// unit.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MAIN, plainEnvironment } from "../helpers/processes.ts";
import { runProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

let root: string;
let dataDir: string;
beforeAll(async () => {
  root = makeTempDir();
  dataDir = join(root, "data");
  const files: Record<string, string> = {
    "Refund policy.md": "a",
    "Refund $(touch x) `y`.md": "b",
    "c.md": "---\ntitle: 'Refund: \"q\"'\n---\nc",
    "Ask.md": "---\ntype: prompt\n---\nd",
    "Refund\u202e.md": "e",
  };
  // One after the other: the newest name comes first.
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, "notes", name);
    await Bun.write(file, text);
    const options = ["--collection", "My notes", "--tag", "red tag"];
    await runProgram(["import", file, ...options, "--data-dir", dataDir]);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

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

  test("names of the store start with what was typed; names that cannot be printed are left out", async () => {
    const names = (...args: string[]) => script("completion", "names", ...args, "--data-dir", dataDir);
    expect(await names("records", "REFUND")).toBe('Refund: "q"\nRefund $(touch x) `y`\nRefund policy\n');
    expect(await names("prompts", "")).toBe("Ask\n");
    expect(await names("documents", "", "--user", "owner@localhost")).not.toContain("Ask");
    expect(await names("collections", "my")).toBe("My notes\n");
    expect(await names("tags", "RED")).toBe("red tag\n");
    const { stdout } = await runProgram(["get", "Refund policy", "--json", "--data-dir", dataDir]);
    const { id } = JSON.parse(stdout);
    expect(await names("records", id.slice(0, 20))).toBe(`${id}\n`);
    expect(
      (await runProgram(["completion", "names", "records", "--data-dir", join(root, "none")])).code,
    ).toBe(1);
  });

  bash.test(`${bash.name} proposes names of the store, quoted`, async () => {
    const source = await script("completion", "bash");
    const command = `ctxrepo() { "${process.execPath}" "${MAIN}" "$@"; }`;
    const proposals = (...words: string[]) => {
      const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
      const shell = `${command}\n${source}\nCOMP_WORDS=(ctxrepo ${line})\nCOMP_CWORD=${words.length}\n_ctxrepo\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = Bun.spawnSync(["bash", "-c", shell], { env: plainEnvironment() });
      return stdout.toString().trim().split("\n");
    };
    const here = ["--data-dir", dataDir];
    expect(proposals("get", ...here, "refund")).toEqual([
      'Refund:\\ \\"q\\"',
      "Refund\\ \\$\\(touch\\ x\\)\\ \\`y\\`",
      "Refund\\ policy",
    ]);
    expect(proposals("get", ...here, "Refund\\ p")).toEqual(["Refund\\ policy"]);
    expect(proposals("get", ...here, '"refund')).toEqual(["Refund policy"]);
    expect(proposals("search", "x", ...here, "--collection", "m")).toEqual(["My\\ notes"]);
    expect(proposals("prompt", ...here, "a")).toContain("Ask");
  });

  const fish = withTool("fish");
  fish.test(`${fish.name} proposes names of the store`, async () => {
    const bin = join(root, "bin", "ctxrepo");
    await Bun.write(bin, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    chmodSync(bin, 0o755);
    const env = { ...plainEnvironment(root), PATH: `${join(root, "bin")}:${process.env.PATH}` };
    const ask = `complete -C 'ctxrepo get --data-dir ${dataDir} "Refund p'`;
    const { stdout } = Bun.spawnSync(["fish", "-c", `${await script("completion", "fish")}\n${ask}`], {
      env,
    });
    expect(stdout.toString()).toBe("Refund policy\n");
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
