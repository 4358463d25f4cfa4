// Another program writes into the database file while a server uses it, such as `cp backup.db ctxrepo.db`: nothing more
// is acknowledged, and what was copied is whole after the server has stopped.

import { afterEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { makeTempDir, startServer } from "../helpers/start.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function start() {
  const dataDir = makeTempDir();
  folders.push(dataDir);
  const started = startServer({ dataDir });
  const create = (title: string) =>
    started.client("POST", "/v1/documents", { title, content: `About ${title}.` });
  return { started, create, dataDir, path: databasePath(dataDir) };
}

const OVERWRITTEN = "the database was overwritten by another program";

test("a copy of a backup onto the database: the backup is served after a restart", async () => {
  const { started, create, dataDir, path } = start();
  for (const title of ["one", "two"]) expect((await create(title)).status).toBe(201);
  await started.settle();
  const backup = join(dataDir, "backup.db");
  await started.app.saveSnapshot(backup);
  for (const title of ["three", "four", "five"]) expect((await create(title)).status).toBe(201);
  await started.settle();
  expect(await started.app.checkpointWorker.call.emptyLog(null)).toBeTrue();
  expect((await create("six")).status).toBe(201);
  copyFileSync(backup, path);

  const { status, body } = await create("seven");
  expect(status).toBe(500);
  expect(body.error.details.reason).toBe("STORAGE_OVERWRITTEN");
  const health = (await started.client("GET", "/health")).body;
  expect(health.database).toBe("degraded");
  expect(health.problems.join("\n")).toContain(OVERWRITTEN);
  expect((await create("eight")).status).toBe(500);
  await started.stop();

  expect(existsSync(`${path}-wal`)).toBeFalse();
  expect(readFileSync(path).equals(readFileSync(backup))).toBeTrue();
  const { app, stop } = startServer({ dataDir });
  expect(app.store.sql.query("SELECT title FROM documents ORDER BY title").all()).toEqual([
    { title: "one" },
    { title: "two" },
  ]);
  await stop();
});

test("an emptied database: writes are refused at once", async () => {
  const { started, create, path } = start();
  expect((await create("one")).status).toBe(201);
  writeFileSync(path, "");
  expect((await create("two")).body.error.details.reason).toBe("STORAGE_OVERWRITTEN");
  await started.stop();
});
