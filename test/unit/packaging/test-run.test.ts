// What scripts/test leaves of a run: no folder and no process.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runTests } from "../../../scripts/test.ts";
import { makeTempDir } from "../../helpers/start.ts";

let repository: string;
beforeEach(() => {
  repository = makeTempDir();
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

/** Runs one test with this body. Returns the result, and what the body wrote with `note`. */
async function run(body: string) {
  const notes = join(repository, "notes.json");
  writeFileSync(
    join(repository, "one.test.ts"),
    `import { test, expect } from "bun:test";
     import { mkdtempSync, writeFileSync } from "node:fs";
     import { tmpdir } from "node:os";
     import { join } from "node:path";
     const note = (value) => writeFileSync(${JSON.stringify(notes)}, JSON.stringify(value));
     test("one", async () => { ${body} });`,
  );
  let printed = "";
  const result = await runTests(repository, [], async (output) => {
    printed += typeof output === "string" ? output : Buffer.from(output).toString();
  });
  return { result, printed, noted: JSON.parse(readFileSync(notes, "utf8")) };
}

/** Whether a process runs. One that has ended may still be listed, with the state Z, until its parent asks. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self/stat") || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("the temporary files of a run are removed, also if a test fails", async () => {
  for (const outcome of ["", "expect(1).toBe(2);"]) {
    const { result, noted } = await run(`note(mkdtempSync(join(tmpdir(), "left-"))); ${outcome}`);
    expect(result.failed).toBe(outcome === "" ? 0 : 1);
    expect(noted).toContain("ctxrepo-run-");
    expect([noted, join(noted, "..")].map((folder) => existsSync(folder))).toEqual([false, false]);
  }
});

test.skipIf(process.platform !== "linux")("a process that is left is killed, and is a failure", async () => {
  const { result, printed, noted } = await run(
    `note(Bun.spawn(["sleep", "1000"], { stderr: "inherit" }).pid);`,
  );
  expect(result).toMatchObject({ passed: 1, failed: 1, exitCode: 0 });
  expect(printed).toEndWith(`a test left process ${noted} running, which was killed: sleep 1000\n`);
  expect(isRunning(noted)).toBe(false);
});

test("a program ends with the test process that started it, however that ends", async () => {
  const helpers = resolve(import.meta.dir, "../../helpers");
  writeFileSync(join(repository, "wait.ts"), "setInterval(() => {}, 1000);");
  const { printed, noted } = await run(
    `const { commandOf, plainEnvironment } = await import(${JSON.stringify(join(helpers, "processes.ts"))});
     const command = commandOf(${JSON.stringify(join(repository, "wait.ts"))});
     note(Bun.spawn(command, { env: plainEnvironment(), stdio: ["ignore", "ignore", "ignore"] }).pid);
     process.kill(process.pid, "SIGKILL");`,
  );
  expect(printed).not.toContain("was killed");
  expect(isRunning(noted)).toBe(false);
});
