// A release packed from small stand-ins of the executables: what its installers install on each platform, and that they
// reject an archive with another digest.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../../src/cli/program.ts";
import { sha256Hex } from "../../../src/kernel/hash.ts";
import { PACKED_VERSION as VERSION, packStandIns, writeStandIns } from "../../helpers/packed-release.ts";
import { plainEnvironment } from "../../helpers/processes.ts";
import { makeTempDir } from "../../helpers/start.ts";

const root = makeTempDir();
const executables = join(root, "executables");
const release = join(root, "release");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const inRelease = (file: string) => join(release, file);
const textOf = (file: string) => readFileSync(inRelease(file), "utf8");
const pack = (into: string, address = "") => packStandIns(executables, into, address);

beforeAll(() => {
  writeStandIns(executables, (target) => `echo "${target}: $*"`);
  pack(release);
});

/** Runs a command to its end. */
async function run(command: string[], env: Record<string, string | undefined> = {}) {
  const child = Bun.spawn(command, {
    env: { ...plainEnvironment(root), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, code };
}

/** A test of a tool that this machine may not have; the name says so then. */
const withTool = (tool: string, name: string) =>
  Bun.which(tool) ? ([test, name] as const) : ([test.skip, `${name} (skipped: no ${tool})`] as const);

test("SHA256SUMS has exactly the files; the same executables give the same bytes", () => {
  const sums = readdirSync(release)
    .filter((file) => file !== "SHA256SUMS")
    .sort()
    .map((file) => `${sha256Hex(readFileSync(inRelease(file)))}  ${file}\n`);
  expect(textOf("SHA256SUMS")).toBe(sums.join(""));
  const again = join(root, "again");
  pack(again);
  expect(readFileSync(join(again, "SHA256SUMS"), "utf8")).toBe(textOf("SHA256SUMS"));
});

describe("install.sh", () => {
  const script = inRelease("install.sh");
  /** Lets programs print other values: the system of another machine. */
  const pretending = (folder: string, programs: Record<string, string>) => {
    const bin = join(root, folder);
    mkdirSync(bin);
    for (const [name, code] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${code}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    return { PATH: `${bin}:${process.env.PATH}` };
  };
  const unameOf = (system: string, machine: string) =>
    `case $1 in -s) echo ${system} ;; -m) echo ${machine} ;; esac`;

  test.each([
    ["Linux", "x86_64", "GNU libc", "linux-x64"],
    ["Linux", "aarch64", "GNU libc", "linux-arm64"],
    ["Linux", "x86_64", "musl libc", "linux-x64-musl"],
    ["Darwin", "arm64", "", "darwin-arm64"],
    ["Darwin", "x86_64", "", "darwin-x64"],
  ])("on %s %s %s installs the executable of %s", async (system, machine, libc, target) => {
    const env = pretending(`as-${target}`, {
      uname: unameOf(system, machine),
      ldd: `echo '${libc}' >&2; exit 1`,
      sysctl: "exit 1",
      codesign: 'echo "signed $4" >&2',
    });
    const prefix = join(root, `prefix of ${target}`);
    const { code, stdout, stderr } = await run(["sh", script, "--prefix", prefix], env);
    expect([code, stderr]).toEqual([0, target === "darwin-x64" ? `signed ${prefix}/bin/.ctxrepo-new\n` : ""]);
    expect(stdout).toContain(`ctxrepo ${VERSION} is in ${prefix}/bin`);
    expect((await run([join(prefix, "bin/ctxrepo"), "status"])).stdout).toBe(`${target}: status\n`);
    expect(readdirSync(join(prefix, "bin"))).toEqual(["ctxrepo"]);
    expect(existsSync(join(prefix, "share/man/man1/ctxrepo.1"))).toBe(true);
  });

  test("on another platform installs nothing", async () => {
    const env = pretending("as-plan9", { uname: unameOf("Plan9", "mips") });
    const { code, stderr } = await run(["sh", script, "--prefix", join(root, "none")], env);
    expect([code, stderr]).toEqual([1, "install.sh: there is no executable for Plan9 mips (glibc)\n"]);
    expect(existsSync(join(root, "none"))).toBe(false);
  });

  test("an archive with another digest is rejected, and what is installed stays", async () => {
    const altered = join(root, "altered");
    mkdirSync(altered);
    for (const file of readdirSync(release).filter((name) => name.endsWith(".tar.gz")))
      writeFileSync(join(altered, file), "another");
    const prefix = join(root, "kept");
    mkdirSync(join(prefix, "bin"), { recursive: true });
    writeFileSync(join(prefix, "bin/ctxrepo"), "old");
    const { code, stderr } = await run(["sh", script, "--prefix", prefix, "--from", altered]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /is not the one of this release: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}\n$/,
    );
    expect(readFileSync(join(prefix, "bin/ctxrepo"), "utf8")).toBe("old");
  });

  const [downloading, name] = withTool(
    "curl",
    "downloads from an address, and says what it could not download",
  );
  downloading(name, async () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ url }) {
        const path = inRelease(new URL(url).pathname.slice(1));
        return existsSync(path) ? new Response(Bun.file(path)) : new Response("none", { status: 404 });
      },
    });
    try {
      const address = `http://127.0.0.1:${server.port}`;
      const built = join(root, "with-address");
      pack(built, address);
      const fromServer = join(built, "install.sh");
      const prefix = join(root, "downloaded");
      expect((await run(["sh", fromServer, "--prefix", prefix])).code).toBe(0);
      expect(readdirSync(join(prefix, "bin"))).toEqual(["ctxrepo"]);
      const missing = await run(["sh", fromServer, "--prefix", prefix, "--from", `${address}/none`]);
      expect([missing.code, missing.stderr.includes("cannot be downloaded")]).toEqual([1, true]);
    } finally {
      await server.stop(true);
    }
  });
});

test("an address that could end a quotation is rejected", () => {
  for (const address of ["https://host/'; true", "ftp://host", "https://host/"])
    expect(() => pack(join(root, "rejected"), address)).toThrow("must be an http or https URL");
  expect(existsSync(join(root, "rejected"))).toBe(false);
});

test("the formula and the manifest name files of the release with their digests", () => {
  const formula = textOf("ctxrepo.rb");
  const named = [...formula.matchAll(/url "#\{DOWNLOADS\}\/(.+)"\n\s+sha256 "(.+)"/g)];
  expect(named).toHaveLength(4);
  const { architecture, bin } = JSON.parse(textOf("ctxrepo.json"));
  const { url, hash, extract_dir } = architecture["64bit"];
  for (const [file, sha256] of [...named.map(([, ...one]) => one), [url, hash]])
    expect(sha256Hex(readFileSync(inRelease(file)))).toBe(sha256);
  expect([extract_dir, bin]).toEqual([`ctxrepo-${VERSION}-windows-x64`, "ctxrepo.exe"]);
});

describe(".deb", () => {
  const [debian, name] = withTool(
    "dpkg-deb",
    "dpkg unpacks the executable, completions, manual page and unit",
  );
  debian(name, async () => {
    const file = inRelease(`ctxrepo_${VERSION}_amd64.deb`);
    const fields = await run(["dpkg-deb", "--field", file, "Package", "Version", "Architecture"]);
    expect(fields.stdout).toBe(`Package: ctxrepo\nVersion: ${VERSION}\nArchitecture: amd64\n`);
    const into = join(root, "deb");
    expect(await run(["dpkg-deb", "--extract", file, into])).toEqual({ code: 0, stdout: "", stderr: "" });
    const program = join(into, "usr/bin/ctxrepo");
    expect(statSync(program).mode & 0o777).toBe(0o755);
    expect((await run([program, "x"])).stdout).toBe("linux-x64: x\n");
    expect(readFileSync(join(into, "usr/lib/systemd/user/ctxrepo.service"), "utf8")).toContain(
      "\nExecStart=/usr/bin/ctxrepo serve\n",
    );
    for (const path of [
      "usr/share/man/man1/ctxrepo.1.gz",
      "usr/share/bash-completion/completions/ctxrepo",
      "usr/share/zsh/vendor-completions/_ctxrepo",
      "usr/share/fish/vendor_completions.d/ctxrepo.fish",
      "usr/share/doc/ctxrepo/copyright",
    ])
      expect([path, existsSync(join(into, path))]).toEqual([path, true]);
    const { stdout } = await run(["dpkg-deb", "--contents", file]);
    expect(stdout.split("\n").every((line) => line === "" || line.includes(" root/root "))).toBe(true);
  });
});

describe("manual page", () => {
  const [formatted, name] = withTool("man", "man formats it without warnings, with every command");
  formatted(name, async () => {
    const page = join(root, "prefix of linux-x64/share/man/man1/ctxrepo.1");
    const env = { MANWIDTH: "100", LC_ALL: "C.UTF-8" };
    const { code, stdout, stderr } = await run(["man", "--warnings", "-l", page], env);
    expect([code, stderr]).toEqual([0, ""]);
    const commands = createProgram().commands.map((command) => command.name());
    expect(commands.filter((command) => !stdout.includes(`ctxrepo ${command}`))).toEqual([]);
  });

  test("names no folder of the machine on which it was made", () => {
    const page = readFileSync(join(root, "prefix of linux-x64/share/man/man1/ctxrepo.1"), "utf8");
    expect(page).not.toContain(process.env.HOME!);
  });
});
