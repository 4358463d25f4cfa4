// The disk is full: the reason is in the error message and in /health, reads continue, deletions are possible, and
// everything works again once there is space.

import { expect, test } from "bun:test";
import { useServer } from "../helpers/start.ts";

const started = useServer();
const { client } = started;
const FULL = "the disk of the database is full: free space on it, or delete records";

test("a full disk is reported, and ends", async () => {
  const create = () => client("POST", "/v1/documents", { title: "Note", content: "x".repeat(200_000) });
  const { body: first } = await create();
  await started.settle();
  const { sql } = started.app.store;
  const { page_count } = sql.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
  // SQLite reports a full disk when the file would have more pages.
  sql.run(`PRAGMA max_page_count = ${page_count}`);
  let reply = await create();
  while (reply.status === 201) reply = await create();
  expect([reply.status, reply.body.error]).toEqual([
    500,
    { code: 500, message: FULL, details: { reason: "STORAGE_FULL" } },
  ]);
  expect((await client("GET", "/health")).body).toMatchObject({ database: "degraded", problems: [FULL] });
  expect((await client("GET", `/v1/documents/${first.data.id}`)).status).toBe(200);
  expect((await client("DELETE", `/v1/documents/${first.data.id}`)).status).toBe(200);
  expect((await client("GET", "/health")).body.problems).toEqual([FULL]);
  sql.run("PRAGMA max_page_count = 1000000");
  expect((await create()).status).toBe(201);
  expect((await client("GET", "/health")).body.problems).toBeUndefined();
});
