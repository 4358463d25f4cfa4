// A database that version 0.2.0 wrote, with data of every kind: this program opens it, shows the same records, finds and
// answers the same, and gives imported files their right titles at the next import.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { databasePath, openDatabase } from "../../src/db/open.ts";
import { ANSWERED, MADE_AT_PATH, SEARCHED } from "../fixtures/release-0.2.0/contents.ts";
import expected from "../fixtures/release-0.2.0/expected.json";
import { runProgram, type ServingProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

const FIXTURE = resolve(import.meta.dir, "../fixtures/release-0.2.0");
const root = makeTempDir("ctxrepo-0.2.0-");
const dataDir = join(root, "data");
const notes = join(root, "notes");
/** A text with the place where the files are now. */
const here = (text: string) => text.replaceAll(MADE_AT_PATH, notes);

let server: ServingProgram;
beforeAll(async () => {
  mkdirSync(dataDir);
  cpSync(join(FIXTURE, "notes"), notes, { recursive: true });
  writeFileSync(databasePath(dataDir), Bun.gunzipSync(readFileSync(join(FIXTURE, "ctxrepo.db.gz"))));
  // The folder that was imported is somewhere else now.
  const database = openDatabase(dataDir);
  for (const table of ["documents", "document_versions", "prompts"])
    database.query(`UPDATE ${table} SET metadata = replace(metadata, ?, ?)`).run(MADE_AT_PATH, notes);
  database.close();
  server = await serveProgram(dataDir);
  await untilIndexed(server.url);
}, 180_000);
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
});

/** Sends a request with a key that 0.2.0 made. */
async function send(method: string, path: string, body?: unknown, key = expected.key) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `API-Key ${key}`,
      "user-agent": "test/1.0",
      "content-type": "application/json",
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON
  return { status: response.status, body: (await response.json()) as any };
}

describe.each(["documents", "prompts", "collections"] as const)("%s of 0.2.0", (kind) => {
  const records: { record: { id: string }; versions?: unknown[]; items?: unknown[] }[] =
    expected.records[kind];
  test.each(records.map((one) => [one.record.id, one] as const))("%s is the same", async (id, one) => {
    const { record, versions, items } = JSON.parse(here(JSON.stringify(one)));
    const path = `/v1/${kind}/${id}`;
    expect((await send("GET", path)).body.data).toMatchObject(record);
    if (versions) expect((await send("GET", `${path}/versions?limit=100`)).body.data).toMatchObject(versions);
    if (items) expect((await send("GET", `${path}/items?limit=100`)).body.data).toMatchObject(items);
  });
});

test("nothing was added, and a revoked key is still rejected", async () => {
  const { documents, prompts, collections } = expected.records;
  const count = async (path: string) => (await send("GET", `/v1/${path}`)).body.data.length;
  expect(await count("documents?limit=100")).toBe(documents.length - 1);
  expect(await count("documents?status=archived")).toBe(1);
  expect([await count("prompts"), await count("collections")]).toEqual([prompts.length, collections.length]);
  expect((await send("GET", "/v1/documents", undefined, expected.revoked)).status).toBe(401);
});

test("a document that required a lease still does", async () => {
  const [boat] = expected.records.documents.filter(({ record }) => record.title === "Boat");
  const change = await send("PATCH", `/v1/documents/${boat!.record.id}`, { title: "x", expectedRevision: 1 });
  expect(change.status).toBe(428);
});

test.each(SEARCHED)("the search %j finds the same document first", async (query) => {
  const { body } = await send("GET", `/v1/search?q=${encodeURIComponent(query)}&type=documents`);
  const { found } = expected.searches.find((one) => one.query === query)!;
  expect(body.data.documents[0].documentId).toBe(found);
});

test.each(ANSWERED)("the answer to %j cites the same document first", async (query) => {
  const { body } = await send("POST", "/v1/reason", { query });
  const { cited } = expected.answers.find((one) => one.query === query)!;
  expect(body.data.citations[0].documentId).toBe(cited[0]);
});

test("the next import gives imported files their right titles and makes no second record", async () => {
  const titles = async () => {
    const { body } = await send("GET", "/v1/documents?limit=100");
    return body.data.map(({ title }: { title: string }) => title).sort();
  };
  const before = await titles();
  expect(before).toContain("Watering");
  const { code, stderr } = await runProgram(["import", notes, "--data-dir", dataDir]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("unchanged")]);
  const renamed = before.map((title: string) => (title === "Watering" ? "tomatoes" : title));
  expect(await titles()).toEqual(renamed.sort());
});
