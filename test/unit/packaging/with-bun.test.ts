// scripts/with-bun.mjs and the shell scripts that use it, run in a small repository that pins Bun 9.9.9. That Bun is a
// shell script that prints this version and otherwise runs the Bun of these tests. Nothing is downloaded.

import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SCRIPTS = join(import.meta.dir, "../../../scripts");
const NODE = Bun.which("node");
const SYSTEM = "/usr/bin:/bin";
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "ctxrepo-with-bun-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Prints its version, records calls of `install`, runs anything else. */
const bunOf = (version: string) => `#!/bin/sh
case "$1" in
  --version) echo ${version} ;;
  install) echo "installing with ${version}"; mkdir -p node_modules; echo x >> installs ;;
  *) exec "${process.execPath}" "$@" ;;
esac
`;

const npmThatFetches = `#!/bin/sh
echo "npm $*"
mkdir -p node_modules/@oven/bun-here/bin node_modules/@oven/bun-strange/bin
cp "${scratch}/fetched" node_modules/@oven/bun-here/bin/bun
echo "no program" > node_modules/@oven/bun-strange/bin/bun
chmod +x node_modules/@oven/*/bin/bun
`;

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o755);
}

put(join(scratch, "fetched"), bunOf("9.9.9"));
let repositories = 0;

/** A repository with what with-bun.mjs reads, in a folder with a space, and a folder `bin` for PATH. */
function repository(programs: Record<string, string>) {
  const root = join(scratch, `a repository ${++repositories}`);
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  put(join(root, "package.json"), JSON.stringify({ packageManager: "bun@9.9.9+sha512.abc" }));
  for (const name of ["bun.lock", "bunfig.toml"]) put(join(root, name), "");
  const echo =
    "console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() })); process.exit(7);";
  for (const name of ["scripts/echo.ts", "src/main.ts", "scripts/test.ts"]) put(join(root, name), echo);
  for (const name of ["with-bun.mjs", "pinned-bun", "start", "test"]) {
    copyFileSync(join(SCRIPTS, name), join(root, "scripts", name));
  }
  for (const [name, content] of Object.entries(programs)) put(join(bin, name), content);
  const env = { PATH: `${bin}:${SYSTEM}`, HOME: root, BUN_CONFIG_REGISTRY: "http://127.0.0.1:1" };
  return {
    root,
    env,
    run(command: string[], cwd = scratch) {
      const { stdout, stderr, exitCode } = Bun.spawnSync(command, { cwd, env });
      return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
    },
    withBun: (runtime: string) => [runtime, join(root, "scripts/with-bun.mjs")],
  };
}

const runtimes = [["bun", process.execPath], ...(NODE ? [["node", NODE]] : [])] as [string, string][];

describe.each(runtimes)("with-bun.mjs run by %s", (_name, runtime) => {
  test("runs the script in the caller's folder, with its arguments and exit code", () => {
    const { run, withBun } = repository({ bun: bunOf("9.9.9") });
    const { stdout, stderr, exitCode } = run([...withBun(runtime), "scripts/echo.ts", "a b", "--port", "0"]);
    expect(JSON.parse(stdout)).toEqual({ args: ["a b", "--port", "0"], cwd: scratch });
    expect(stderr).toContain("installing with 9.9.9");
    expect(exitCode).toBe(7);
  });

  test("uses the pinned version, wherever it is on PATH", () => {
    const { root, env, run, withBun } = repository({ bun: bunOf("9.9.8") });
    put(join(root, "later/bun"), bunOf("9.9.9"));
    env.PATH = `${join(root, "bin")}:${join(root, "later")}:${SYSTEM}`;
    expect(run([...withBun(runtime), "--print"]).stdout).toBe(`${join(root, "later/bun")}\n`);
  });

  test("installs once, and again when the lock file changes", async () => {
    const { root, run, withBun } = repository({ bun: bunOf("9.9.9") });
    const installs = () => Bun.file(join(root, "installs")).text();
    run([...withBun(runtime), "--print"]);
    run([...withBun(runtime), "--print"]);
    expect(await installs()).toBe("x\n");
    put(join(root, "bun.lock"), "changed");
    run([...withBun(runtime), "--print"]);
    expect(await installs()).toBe("x\nx\n");
  });

  test("installs it with npm if it is missing, without install scripts, and uses it again", () => {
    const { root, env, run, withBun } = repository({ npm: npmThatFetches });
    const fetched = `${join(root, ".cache/bun-9.9.9/node_modules/@oven/bun-here/bin/bun")}\n`;
    const { stdout, stderr } = run([...withBun(runtime), "--print"]);
    expect(stdout).toBe(fetched);
    expect(stderr).toContain("npm install --ignore-scripts");
    rmSync(join(root, "bin/npm"));
    env.PATH = SYSTEM;
    expect(run([...withBun(runtime), "--print"]).stdout).toBe(fetched);
  });

  test("names the missing version if npm fails", () => {
    const { run, withBun } = repository({ npm: "#!/bin/sh\nexit 1\n" });
    const { stdout, stderr, exitCode } = run([...withBun(runtime), "scripts/echo.ts"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain("Bun 9.9.9 is needed");
  });

  test("replaces the lock of a process that is gone, and removes its own", () => {
    const { root, run, withBun } = repository({ bun: bunOf("9.9.9") });
    put(join(root, ".cache/lock"), String(Bun.spawnSync(["true"]).pid));
    expect(run([...withBun(runtime), "--print"]).exitCode).toBe(0);
    expect(existsSync(join(root, ".cache/lock"))).toBe(false);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("forwards %s and exits after the script", async (signal) => {
    const { root, env, withBun } = repository({ bun: bunOf("9.9.9") });
    const wait = `process.on("${signal}", () => { console.log("stopped"); process.exit(3); }); console.log("ready"); setInterval(() => {}, 1000);`;
    put(join(root, "scripts/wait.ts"), wait);
    const child = Bun.spawn([...withBun(runtime), "scripts/wait.ts"], {
      env,
      stdout: "pipe",
      stderr: "ignore",
    });
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      if (output === "ready\n") child.kill(signal);
    }
    expect(output).toBe("ready\nstopped\n");
    expect(await child.exited).toBe(3);
  });
});

describe("the shell scripts", () => {
  test("scripts/start passes its arguments to serve, in the caller's folder, with a clean stdout", () => {
    const { root, run } = repository({ bun: bunOf("9.9.9") });
    const { stdout, stderr, exitCode } = run(["sh", join(root, "scripts/start"), "--data-dir", "a b"]);
    expect(JSON.parse(stdout)).toEqual({ args: ["serve", "--data-dir", "a b"], cwd: scratch });
    expect(stderr).toContain("installing with 9.9.9");
    expect(exitCode).toBe(7);
  });

  test("scripts/start does not run code from the current folder", () => {
    const { root, run } = repository({ bun: bunOf("9.9.9") });
    const foreign = join(root, "foreign");
    put(join(foreign, "bunfig.toml"), 'preload = ["./evil.ts"]');
    put(join(foreign, "evil.ts"), 'console.log("evil");');
    expect(JSON.parse(run(["sh", join(root, "scripts/start")], foreign).stdout).cwd).toBe(foreign);
  });

  test("scripts/test runs in the repository, from wherever it is called", () => {
    const { root, run } = repository({ bun: bunOf("9.9.9") });
    const { stdout, exitCode } = run(["sh", "./scripts/test", "a b"], root);
    expect(JSON.parse(stdout)).toEqual({ args: ["a b"], cwd: root });
    expect(exitCode).toBe(7);
    expect(JSON.parse(run(["sh", join(root, "scripts/test")]).stdout).cwd).toBe(root);
  });

  test("without Bun and Node they print what to install", () => {
    const { root, env, run } = repository({});
    for (const name of ["sh", "dirname"]) symlinkSync(Bun.which(name)!, join(root, "bin", name));
    env.PATH = join(root, "bin");
    const { stdout, stderr, exitCode } = run([Bun.which("sh")!, join(root, "scripts/start")]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain("https://bun.sh");
    expect(stderr).toContain("https://nodejs.org");
  });
});
