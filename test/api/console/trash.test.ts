// The trash of the console: nothing of a record is lost until it is deleted for good.

import { expect, test } from "bun:test";
import { TRASH_LIFE_MS } from "../../../src/db/trash.ts";
import { ManualClock, systemClock } from "../../../src/kernel/clock.ts";
import { startUpkeep } from "../../../src/maintenance/upkeep.ts";
import { useServer } from "../../helpers/start.ts";

const clock = new ManualClock(systemClock.now());
const { app, client, clientOf, create, settle } = useServer({ clock });

const read = async (path: string) => (await client("GET", path)).body.data;
const trash = async (): Promise<{ id: string; title: string; expiresAt: number }[]> =>
  (await client("GET", "/console/api/trash")).body.data;
const move = (type: string, id: string) => client("DELETE", `/console/api/${type}s/${id}`);
const restore = (id: string) => client("POST", `/console/api/trash/${id}`);

/** All rows with the id of a record, in all tables that belong to it. */
function rowsOf(id: string): unknown[] {
  return [
    "documents.id",
    "bodies.document_id",
    "document_versions.document_id",
    "collection_items.document_id",
  ].map((place) => {
    const [table, column] = place.split(".");
    return app.store.sql.query(`SELECT * FROM ${table} WHERE ${column} = ? ORDER BY rowid`).all(id);
  });
}

test("a document is restored with its versions, texts, collections and lease policy, and is searched again", async () => {
  const shelf = await create("/v1/collections", { name: "Shelf" });
  const gone = await create("/v1/collections", { name: "Gone" });
  const id = await create("/v1/documents", {
    title: "Lighthouse “keeper”",
    content: "A lamp\u0000 with a lens.\r\n\u2028 'quoted' \\ 🚢",
    tags: ["sea", "Café"],
    metadata: { nested: { list: [1, null, "x"] } },
    collectionIds: [shelf, gone],
  });
  await client("PATCH", `/v1/documents/${id}`, {
    content: "A lamp with two lenses.",
    changeLog: "second lens",
  });
  const { headers } = await client("GET", `/v1/documents/${id}`);
  const ifMatch = { "If-Match": headers.get("etag")! };
  expect((await client("PUT", `/v1/documents/${id}/coordination`, undefined, ifMatch)).status).toBe(200);
  await settle();
  const before = await read(`/v1/documents/${id}`);
  const [, ...rows] = rowsOf(id);
  expect((await move("document", id)).status).toBe(200);
  expect((await client("GET", `/v1/documents/${id}`)).status).toBe(404);
  await settle();
  const find = async () => (await read("/v1/search?q=lenses&semantic=false")).documents.length;
  expect(await find()).toBe(0);
  expect(await trash()).toMatchObject([{ id, title: before.title, expiresAt: clock.now() + TRASH_LIFE_MS }]);
  await client("DELETE", `/v1/collections/${gone}`);

  expect((await restore(id)).body.data).toEqual({ id, type: "document" });
  await settle();
  expect(await read(`/v1/documents/${id}`)).toEqual(before);
  const [, ...restored] = rowsOf(id);
  expect(restored.slice(0, 2)).toEqual(rows.slice(0, 2));
  expect(restored[2]).toMatchObject([{ collection_id: shelf }]);
  expect(await read(`/v1/documents/${id}/coordination`)).toMatchObject({ policy: "lease_required" });
  expect(await find()).toBe(1);
  expect(await trash()).toEqual([]);
});

test("a prompt is restored with its versions", async () => {
  const id = await create("/v1/prompts", { title: "Sum", description: "d", content: "Sum up ${text}." });
  await client("PATCH", `/v1/prompts/${id}`, { content: "Sum up ${text} briefly." });
  const before = [await read(`/v1/prompts/${id}`), await read(`/v1/prompts/${id}/versions`)];
  await move("prompt", id);
  expect((await client("GET", `/v1/prompts/${id}`)).status).toBe(404);
  expect((await restore(id)).status).toBe(200);
  const [prompt, versions] = [await read(`/v1/prompts/${id}`), await read(`/v1/prompts/${id}/versions`)];
  expect({ ...prompt, stats: null }).toEqual({ ...before[0], stats: null });
  expect(versions).toEqual(before[1]);
});

test("the trash of others is not seen, and a key needs the scope of the kind of record", async () => {
  const id = await create("/v1/documents", { title: "Mine", content: "x" });
  await move("document", id);
  const other = clientOf("other@example.org");
  expect((await other("GET", "/console/api/trash")).body.data).toEqual([]);
  expect((await other("POST", `/console/api/trash/${id}`)).status).toBe(404);
  expect((await other("DELETE", `/console/api/trash/${id}`)).status).toBe(404);
  const prompts = clientOf("owner@localhost", ["prompts.write"]);
  const statuses = [await prompts("POST", `/console/api/trash/${id}`), await restore(id)];
  expect(statuses.map(({ status }) => status)).toEqual([expect.any(Number), 200]);
  expect(statuses[0]!.status).toBeGreaterThanOrEqual(403);
});

test("a file that was imported again meanwhile keeps its new record", async () => {
  const imported = { title: "File", content: "x", metadata: { importPath: "notes/file.md" } };
  const id = await create("/v1/documents", imported);
  await move("document", id);
  await create("/v1/documents", imported);
  const refused = await restore(id);
  expect([refused.status, refused.body.error.details.reason]).toEqual([409, "IMPORT_PATH_TAKEN"]);
  expect((await trash()).map((trashed) => trashed.id)).toEqual([id]);
  await client("DELETE", `/console/api/trash/${id}`);
  expect(await trash()).toEqual([]);
});

test("what is too large is refused, and stays where it is", async () => {
  const id = await create("/v1/documents", { title: "Large", content: "0".repeat(4_500_000) });
  for (const digit of "1234")
    await client("PATCH", `/v1/documents/${id}`, { content: digit.repeat(4_500_000) });
  const refused = await move("document", id);
  expect([refused.status, refused.body.error.details.reason]).toEqual([422, "TOO_LARGE_FOR_TRASH"]);
  expect((await client("GET", `/v1/documents/${id}?includeContent=false`)).status).toBe(200);
  expect(await trash()).toEqual([]);
});

test("after thirty days it is deleted for good", async () => {
  const id = await create("/v1/documents", { title: "Old", content: "x" });
  await move("document", id);
  const young = await create("/v1/documents", { title: "Young", content: "x" });
  clock.advance(TRASH_LIFE_MS - 1);
  await move("document", young);
  const upkeep = async () => {
    const stop = startUpkeep({ ...app, fileEraser: null });
    while ((await trash()).length > 1) await Bun.sleep(5);
    stop();
  };
  clock.advance(1);
  await upkeep();
  expect((await trash()).map((trashed) => trashed.id)).toEqual([young]);
  expect(app.store.sql.query("SELECT count(*) AS n FROM trash_rows WHERE record_id = ?").get(id)).toEqual({
    n: 0,
  });
});
