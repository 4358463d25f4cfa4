// Every part that is declared is also connected: operations and settings are listed, kinds of jobs have a lane, worker
// APIs have a supervisor. That listed operations are served is tested in conformance.test.ts.

import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { readSettings, SETTINGS } from "../../src/base/config.ts";
import type { Operation } from "../../src/http/operation.ts";
import { type JobDeps, startJobs } from "../../src/job-handlers.ts";
import { LANES } from "../../src/jobs/kinds.ts";
import { OPERATIONS } from "../../src/operations.ts";

const SRC = resolve(import.meta.dir, "../../src");
const textOf = (file: string) => Bun.file(join(SRC, file)).text();

test("the operations of every feature are in the list of operations", async () => {
  const documented = new Set(OPERATIONS.map(({ name }) => name));
  const missing: string[] = [];
  let declared = 0;
  for (const file of new Bun.Glob("features/**/routes.ts").scanSync({ cwd: SRC })) {
    const exported = (await import(join(SRC, file))) as Record<string, unknown>;
    for (const [name, operations] of Object.entries(exported)) {
      if (!name.endsWith("Operations")) continue;
      declared++;
      for (const operation of operations as Operation[])
        if (!documented.has(operation.name)) missing.push(operation.name);
    }
  }
  expect(declared).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});

test("every kind of job has a handler and exactly one lane", () => {
  const handled: string[] = [];
  const jobs = { start: (handlers: object) => handled.push(...Object.keys(handlers)) };
  startJobs({ jobs } as unknown as JobDeps);
  expect(LANES.flatMap(({ kinds }) => [...kinds]).sort()).toEqual(handled.sort() as never);
});

test("every worker API of the entry point is supervised, and no other is used", async () => {
  const table = /const APIS[\s\S]*?\n};/.exec(await textOf("workers/entry.ts"))?.[0] ?? "";
  const served = [...table.matchAll(/^ {2}(\w+): async/gm)].map(([, role]) => role);
  const used: (string | undefined)[] = [];
  for (const file of new Bun.Glob("**/*.ts").scanSync({ cwd: SRC })) {
    const text = await textOf(file);
    if (!text.includes("superviseWorker<")) continue;
    for (const [, role] of text.matchAll(/\brole: "(\w+)"/g)) used.push(role);
  }
  expect(served.length).toBeGreaterThan(3);
  expect([...new Set(used)].sort()).toEqual(served.sort());
});

test("every member of Settings is a setting, and the defaults are valid", async () => {
  const members = /interface Settings \{\n([\s\S]*?)\n\}/.exec(await textOf("base/config.ts"))?.[1] ?? "";
  const names = [...members.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  expect(names.sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
  const defaults = readSettings({}, {});
  expect(Object.keys(defaults).sort()).toEqual(names as never);
});
