// ctxrepo users remove --with-data deletes records in small transactions. From the first one on the user has no access;
// what an error or the end of the process leaves is deleted at the next start.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../src/app.ts";
import type { Store } from "../../src/db/store.ts";
import { runProgram, startProgram } from "../helpers/program.ts";
import { makeTempDir, startServer } from "../helpers/start.ts";

const EMAIL = "dora@example.org";
/** More than one write deletes. */
const DOCUMENTS = 400;

let dir: string;
let userId: string;
let key: string;
let token: string;
beforeEach(async () => {
  dir = makeTempDir();
  const started = startServer({ dataDir: dir });
  const created = JSON.parse((await run("keys", "create", "--user", EMAIL, "--json")).stdout);
  ({ key, userId } = created);
  token = JSON.parse(
    (await run("tokens", "create", "--user", EMAIL, "--kind", "machine", "--json")).stdout,
  ).token;
  const client = started.clientOf(EMAIL);
  for (let i = 0; i < DOCUMENTS; i++)
    await client("POST", "/v1/documents", { title: `Note ${i}`, content: "A note." });
  await client("POST", "/v1/prompts", { title: "Prompt", description: "d", content: "text" });
  await client("POST", "/v1/collections", { name: "Collection" });
  await started.stop();
});
afterEach(() => rmSync(dir, { recursive: true }));

const run = (...args: string[]) => runProgram([...args, "--data-dir", dir]);
const REMOVE = ["users", "remove", EMAIL, "--with-data"];
const countLeft = ({ sql }: Store) =>
  sql.query<{ n: number }, [string]>("SELECT count(*) AS n FROM documents WHERE user_id = ?").get(userId)!.n;

/** None of the user's credentials works, and the next start deletes what is left. */
async function expectFinishedAtNextStart(): Promise<void> {
  const started = startServer({ dataDir: dir });
  const statuses = ["API-Key ", "Bearer "].map(async (kind) => {
    const headers = { Authorization: kind + (kind === "API-Key " ? key : token) };
    return (await started.client("GET", "/v1/user/me", undefined, headers)).status;
  });
  expect(await Promise.all(statuses)).toEqual([401, 401]);
  await started.settle();
  for (const table of ["documents", "prompts", "collections"])
    expect(started.app.store.sql.query(`SELECT 1 FROM ${table} WHERE user_id = ?`).get(userId)).toBeNull();
  expect(started.app.store.sql.query("SELECT 1 FROM users WHERE id = ?").get(userId)).toBeNull();
  await started.stop();
}

test("after an error, the user has no access, the address is free, and the next start finishes", async () => {
  const store = openLocalStore(dir);
  store.sql.run(
    `CREATE TRIGGER stop BEFORE DELETE ON documents WHEN (SELECT count(*) FROM documents) = 10
     BEGIN SELECT RAISE(ABORT, 'stopped'); END`,
  );
  expect((await run(...REMOVE)).code).toBe(1);
  expect(countLeft(store)).toBeWithin(10, DOCUMENTS);
  store.sql.run("DROP TRIGGER stop");
  store.close();
  const { stderr } = await run("list", "documents", "--user", EMAIL);
  expect(stderr).toContain(`user ${EMAIL} does not exist`);
  expect((await run("users", "list")).stdout).not.toContain(EMAIL);
  const { userId: newId } = JSON.parse((await run("keys", "create", "--user", EMAIL, "--json")).stdout);
  expect(newId).not.toBe(userId);
  await expectFinishedAtNextStart();
  expect((await run("users", "list")).stdout).toContain(EMAIL);
});

test("after kill -9, the next start finishes", async () => {
  const store = openLocalStore(dir);
  const command = startProgram([...REMOVE, "--data-dir", dir]);
  while (countLeft(store) === DOCUMENTS) await Bun.sleep(1);
  command.kill("SIGKILL");
  await command.finished;
  expect(countLeft(store)).toBeGreaterThan(0);
  store.close();
  await expectFinishedAtNextStart();
});

test("without an error, the records are counted and no job is left", async () => {
  expect(await run(...REMOVE)).toMatchObject({
    code: 0,
    stderr: `${EMAIL} is removed with ${DOCUMENTS + 2} records\n`,
  });
  const store = openLocalStore(dir);
  expect(store.sql.query("SELECT 1 FROM jobs WHERE kind = 'user.remove'").get()).toBeNull();
  store.close();
});
