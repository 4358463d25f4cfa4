// ctxrepo users remove --with-data writes in small transactions: what was deleted before an error or an interruption stays
// deleted, and the command can be run again.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../src/app.ts";
import { countRecords, findUserByEmail } from "../../src/auth/users.ts";
import { runProgram } from "../helpers/program.ts";
import { makeTempDir, startServer } from "../helpers/start.ts";

const EMAIL = "dora@example.org";
/** More than one write deletes. */
const DOCUMENTS = 250;

test("an error in the middle leaves the user without keys and with the remaining records", async () => {
  const dir = makeTempDir();
  const started = startServer({ dataDir: dir });
  const client = started.clientOf(EMAIL);
  for (let i = 0; i < DOCUMENTS; i++)
    await client("POST", "/v1/documents", { title: `Note ${i}`, content: "A note." });
  await started.stop();
  const store = openLocalStore(dir);
  store.sql.run(
    `CREATE TRIGGER stop BEFORE DELETE ON documents WHEN (SELECT count(*) FROM documents) = 10
     BEGIN SELECT RAISE(ABORT, 'stopped'); END`,
  );
  const remove = () => runProgram(["users", "remove", EMAIL, "--with-data", "--data-dir", dir]);
  expect((await remove()).code).toBe(1);
  const user = findUserByEmail(store, EMAIL)!;
  const left = countRecords(store, user.id);
  expect(left).toBeGreaterThanOrEqual(10);
  expect(left).toBeLessThan(DOCUMENTS);
  expect(store.sql.query("SELECT 1 FROM api_keys WHERE user_id = ?").get(user.id)).toBeNull();
  store.sql.run("DROP TRIGGER stop");
  expect(await remove()).toMatchObject({ code: 0, stderr: `${EMAIL} is removed with ${left} records\n` });
  expect(findUserByEmail(store, EMAIL)).toBeUndefined();
  store.close();
  rmSync(dir, { recursive: true });
});
