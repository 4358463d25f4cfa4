// Another process holds the lock for writes, as a long command or a tool for SQLite files does: reads continue, writes
// wait without blocking the server, and everything that waited is done when the lock is free.

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { databasePath } from "../../src/db/open.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer();
const { client } = started;

let other: Database | undefined;
/** Takes the lock, as another process does. Returns a function that releases it. */
function lock(): () => void {
  const database = new Database(databasePath(started.app.settings.dataDir));
  other = database;
  database.run("BEGIN IMMEDIATE");
  return () => {
    database.run("COMMIT");
    database.close();
    other = undefined;
  };
}
afterEach(() => other?.close());

const create = (title: string, headers?: Record<string, string>) =>
  client("POST", "/v1/documents", { title, content: `The text of ${title}.` }, headers);

test("reads continue, and writes are executed in their order when the lock is free", async () => {
  const first = await create("first");
  await started.settle();
  const unlock = lock();
  const waiting = [create("second"), create("third"), client("GET", "/v1/prompts?limit=5")];
  expect((await client("GET", `/v1/documents/${first.body.data.id}`)).status).toBe(200);
  expect((await client("GET", "/v1/search?q=first")).status).toBe(200);
  expect((await client("GET", "/health")).body.database).toBe("ok");
  unlock();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 200]);
  await started.settle();
  expect((await client("GET", "/health")).body.jobs).toEqual({ queued: 0, running: 0, failed: 0 });
  const { body } = await client("GET", "/v1/search?q=third&semantic=false");
  expect(body.data.documents).toHaveLength(1);
});

test("a search in a session, a rejection with a key and the indexing wait, too", async () => {
  const { body } = await client("POST", "/v1/pd/session", {});
  const { sessionId } = body.data;
  const unlock = lock();
  const search = client("POST", "/v1/pd/search", { query: "second", sessionId });
  const rejected = client(
    "PATCH",
    "/v1/documents/000000000000000000000000000",
    { title: "x" },
    { "Idempotency-Key": "k" },
  );
  expect((await client("GET", "/health")).status).toBe(200);
  unlock();
  expect((await search).status).toBe(200);
  expect((await rejected).status).toBe(404);
});

test("a server that stops while the database is locked does not wait for it for long", async () => {
  const unlock = lock();
  const waiting = create("fourth");
  // The write is tried in the first turn and then waits.
  await client("GET", "/health");
  started.app.store.shortenWaits();
  const { status, body } = await waiting;
  expect([status, body.error.message]).toEqual([
    500,
    "another process is writing to the database: try again",
  ]);
  unlock();
});
