// stats.views: counted in memory, written in batches, retained across a restart.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type Client, makeTempDir, type Started, startServer } from "../../helpers/start.ts";

const make = async (client: Client, isPublic = false): Promise<string> =>
  (await client("POST", "/v1/prompts", { title: "t", description: "d", content: "c", isPublic })).body.data
    .id;
const storedViews = ({ app }: Started, id: string) =>
  app.store.sql.query<{ views: number }, [string]>("SELECT views FROM prompts WHERE id = ?").get(id)!.views;
const changes = ({ app }: Started) =>
  app.store.sql.query<{ n: number }, []>("SELECT total_changes() AS n").get()!.n;

test("each GET by id counts, for every user, and writes nothing", async () => {
  const started = startServer();
  const { client } = started;
  const other = started.clientOf("viewer@example.org");
  const id = await make(client, true);
  await started.settle();
  const before = changes(started);
  const view = async (by: Client) => (await by("GET", `/v1/prompts/${id}`)).body.data.stats.views;
  expect(await view(client)).toBe(0);
  expect(await view(other)).toBe(1);
  expect(await view(client)).toBe(2);
  expect(changes(started)).toBe(before);
  expect(storedViews(started, id)).toBe(0);
  expect((await client("GET", "/v1/prompts")).body.data[0].stats).toEqual({ views: 3, copies: 0 });
  expect((await client("GET", "/v1/prompts?q=t")).body.data[0].stats.views).toBe(3);
  const patched = await client("PATCH", `/v1/prompts/${id}`, { content: "new" });
  expect(patched.body.data.stats.views).toBe(3);
  expect(patched.body.data.currentVersion).toBe(2);
  await started.stop();
});

test("requests that do not return the prompt alone do not count", async () => {
  const started = startServer();
  const { client } = started;
  const id = await make(client);
  await started.clientOf("nosy@example.org")("GET", `/v1/prompts/${id}`);
  await client("GET", "/v1/prompts");
  await client("GET", `/v1/prompts/${id}/versions`);
  expect((await client("GET", `/v1/prompts/${id}`)).body.data.stats.views).toBe(0);
  await started.stop();
});

test("counts are stored when the server stops, except those of deleted prompts", async () => {
  const dataDir = makeTempDir();
  const first = startServer({ dataDir });
  const id = await make(first.client);
  const gone = await make(first.client);
  for (let i = 0; i < 3; i++) await first.client("GET", `/v1/prompts/${id}`);
  await first.client("GET", `/v1/prompts/${gone}`);
  await first.client("DELETE", `/v1/prompts/${gone}`);
  const { updatedAt } = (await first.client("GET", `/v1/prompts/${id}`)).body.data;
  await first.stop();
  const second = startServer({ dataDir });
  expect(storedViews(second, id)).toBe(4);
  const client = second.clientOf("owner@localhost");
  const { data } = (await client("GET", `/v1/prompts/${id}`)).body;
  expect(data.stats).toEqual({ views: 4, copies: 0 });
  expect(data.updatedAt).toBe(updatedAt);
  await second.stop();
  rmSync(dataDir, { recursive: true });
});
