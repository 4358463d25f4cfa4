// A reader's first minutes: every `ctxrepo` command of the README runs as it is printed there, in that order, by a shell
// of a new user with some notes. Left out is only what needs another network: `scrape https://example.com`.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MAIN, plainEnvironment } from "../helpers/processes.ts";
import { makeTempDir } from "../helpers/start.ts";

const README = await Bun.file(join(import.meta.dir, "../../README.md")).text();
const home = makeTempDir("ctxrepo-readme-");
const OPENED = join(home, "opened");
const environment = {
  ...plainEnvironment(home),
  PATH: `${join(home, "bin")}:${process.env.PATH}`,
  XDG_RUNTIME_DIR: home,
  CTXREPO_PORT: "0",
  // Without a display, no browser is looked for.
  DISPLAY: ":0",
};

/** The lines of the shell blocks that start the program, without comments. */
const LINES = [...README.matchAll(/^```sh\n([\s\S]*?)\n```/gm)]
  .flatMap(([, block = ""]) => block.split("\n"))
  .filter((line) => line.startsWith("ctxrepo "))
  .map((line) => line.replace(/ +#.*/, ""));

function writeProgram(name: string, code: string): void {
  writeFileSync(join(home, "bin", name), `#!/bin/sh\n${code}\n`);
  chmodSync(join(home, "bin", name), 0o755);
}

let server: Bun.Subprocess | undefined;
beforeAll(async () => {
  for (const folder of ["bin", "notes"]) mkdirSync(join(home, folder));
  await Bun.write(join(home, "notes/Tomatoes.md"), "Tomatoes need six hours of sun a day.\n");
  await Bun.write(join(home, "notes/Garden.md"), "Water the garden in the morning.\n");
  writeProgram("ctxrepo", `exec "${process.execPath}" "${MAIN}" "$@"`);
  writeProgram("xdg-open", `printf '%s' "$1" > "${OPENED}"`);
});
afterAll(async () => {
  server?.kill("SIGTERM");
  await server?.exited;
  rmSync(home, { recursive: true, force: true });
});

/** Runs a line in a shell. What asks gets a yes. */
async function shell(line: string) {
  const child = Bun.spawn(["sh", "-c", line.replace(/^ctxrepo setup .*/, "$& --yes")], {
    cwd: home,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, code };
}

/** Starts the server, and waits until commands find it. */
async function serve(line: string): Promise<void> {
  server = Bun.spawn(["sh", "-c", `exec ${line}`], { env: environment, stdout: "pipe", stderr: "ignore" });
  const reader = (server.stdout as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toStartWith("ctxrepo listening on ");
}

/** What a command prints, as far as a reader relies on it. */
const PRINTS: Record<string, string> = {
  "ctxrepo ask": "six hours of sun",
  "ctxrepo search": "Water the garden in the morning.",
  "ctxrepo keys create": "gm_",
};

test("the commands of the README run in their order", async () => {
  expect(LINES).toContain("ctxrepo import ~/notes");
  for (const line of LINES.filter((one) => !one.includes("example.com"))) {
    if (line === "ctxrepo serve") await serve(line);
    else {
      const { stdout, stderr, code } = await shell(line);
      expect([line, code, code === 0 ? "" : stderr]).toEqual([line, 0, ""]);
      const [, expected = ""] = Object.entries(PRINTS).find(([start]) => line.startsWith(start)) ?? [];
      expect(stdout).toContain(expected);
    }
  }
  expect(readFileSync(OPENED, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\//);
  expect(existsSync(join(home, "copy"))).toBe(true);
  expect(existsSync(join(home, "ctxrepo.db"))).toBe(true);
}, 180_000);
