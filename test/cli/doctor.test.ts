// ctxrepo doctor: its output and exit code, beside a server and without one. What it detects: test/unit/maintenance.

import { afterAll, expect, test } from "bun:test";
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const root = makeTempDir();
const dataDir = join(root, "data");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const doctor = (...args: string[]) => runProgram(["doctor", "--data-dir", dataDir, ...args]);

test("beside a server: one line per check, and a real search", async () => {
  const { key } = JSON.parse((await runProgram(["keys", "create", "--data-dir", dataDir, "--json"])).stdout);
  const server = await serveProgram(dataDir);
  const document = { title: "Kettle", content: "The kettle whistles when the water boils." };
  await createClient(server.url, key)("POST", "/v1/documents", document);
  await untilIndexed(server.url);
  const { code, stdout, stderr } = await doctor("--port", new URL(server.url).port);
  await server.kill("SIGTERM");
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !line.startsWith("ok    "))).toEqual([]);
  expect(stdout).toContain("a part of the newest document was found");
  expect(stdout).toContain("the server of this database uses 127.0.0.1");
});

test("a failed check has a fix and makes the exit code 1, also with --json", async () => {
  chmodSync(dataDir, 0o755);
  const people = await doctor("--port", "0");
  expect(people.code).toBe(1);
  expect(people.stdout).toContain(`→ chmod 700 ${dataDir}`);
  const { code, stdout } = await doctor("--port", "0", "--json");
  expect(code).toBe(1);
  const checks: Record<string, string>[] = JSON.parse(stdout);
  expect(checks.filter(({ status }) => status !== "ok")).toEqual([
    {
      name: "permissions",
      status: "fail",
      detail: expect.any(String),
      fix: expect.stringContaining("chmod"),
    },
  ]);
  chmodSync(dataDir, 0o700);
  expect((await doctor("--port", "0", "--json")).code).toBe(0);
  expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
});
