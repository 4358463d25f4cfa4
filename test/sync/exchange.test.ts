// push, pull and sync between two servers: what is copied, merged, reported and left alone.

import { expect, test } from "bun:test";
import { type Client, type Started, useServer } from "../helpers/start.ts";
import { addRemote, commandOf, peerAt, run } from "./two-servers.ts";

const here = useServer();
const there = useServer({ socket: true });
const command = commandOf(here);

/** Two users, one on each server, who have nothing yet, and the runs between them. */
async function pair() {
  const remoteId = await addRemote(command);
  const peer = peerAt(there.url, there.key.key);
  const exchange = (options: Parameters<typeof run>[1] = {}) => run({ command, remoteId, peer }, options);
  return { exchange, remoteId, peer };
}

async function clear({ client }: Started): Promise<void> {
  for (const path of [
    "/v1/documents?includeArchived=true&limit=100",
    "/v1/prompts?limit=100",
    "/v1/collections?limit=100",
  ]) {
    const [list] = path.split("?");
    const { body } = await client("GET", path);
    for (const { id } of body.data) {
      if (list === "/v1/collections") {
        const { body: items } = await client("GET", `${list}/${id}/items`);
        for (const { itemId, itemType } of items.data)
          await client("PUT", `${list}/${id}/items`, { itemIds: [itemId], itemType });
      }
      await client("DELETE", `${list}/${id}`);
    }
  }
}

async function fresh() {
  await clear(here);
  await clear(there);
  return pair();
}

const documentsOf = async ({ client }: { client: Client }) =>
  (await client("GET", "/v1/documents?includeArchived=true&limit=100")).body.data as {
    id: string;
    title: string;
  }[];
const only = async (server: { client: Client }) => {
  const id = (await documentsOf(server))[0]!.id;
  return (await server.client("GET", `/v1/documents/${id}`)).body.data;
};

const TEXT = "# Tea\n\nFirst.\n\nSecond.\n\nThird.\n";

test("a first push copies every field, and a second run changes nothing", async () => {
  const { exchange } = await fresh();
  const document = await here.create("/v1/documents", {
    title: "Tea",
    content: TEXT,
    contentHtml: "<h1>Tea</h1>",
    sourceUrl: "https://example.org/tea",
    metadata: { author: "Ada" },
    tags: ["b", "a"],
  });
  await here.client("PATCH", `/v1/documents/${document}`, { status: "archived" });
  const prompt = await here.create("/v1/prompts", {
    title: "Review",
    description: "Reviews",
    content: "Review this",
    variables: [{ name: "x", type: "string" }],
    parameters: { temperature: 0.2 },
    metadata: { a: 1 },
  });
  const parent = await here.create("/v1/collections", { name: "House" });
  const kitchen = await here.create("/v1/collections", {
    name: "Kitchen",
    icon: "🍳",
    color: "#2266aa",
    parentCollectionId: parent,
  });
  await here.client("POST", `/v1/collections/${kitchen}/items`, {
    itemIds: [document],
    itemType: "document",
  });
  await here.client("POST", `/v1/collections/${kitchen}/items`, { itemIds: [prompt], itemType: "prompt" });

  const first = await exchange({ direction: "push" });
  expect(first.counts).toMatchObject({ created: 4, failed: 0, conflict: 0 });
  expect(first.memberships).toBe(2);
  expect(await only(there)).toMatchObject({
    title: "Tea",
    content: TEXT,
    contentHtml: "<h1>Tea</h1>",
    sourceUrl: "https://example.org/tea",
    metadata: { author: "Ada" },
    tags: ["b", "a"],
    isArchived: true,
  });
  const { body: prompts } = await there.client("GET", "/v1/prompts");
  const { body: copied } = await there.client("GET", `/v1/prompts/${prompts.data[0].id}`);
  expect(copied.data).toMatchObject({
    description: "Reviews",
    variables: [{ name: "x", type: "string" }],
    parameters: { temperature: 0.2 },
    metadata: { a: 1 },
  });
  const { body: collections } = await there.client("GET", "/v1/collections");
  const copy = collections.data.find(({ name }: { name: string }) => name === "Kitchen");
  const { body: detail } = await there.client("GET", `/v1/collections/${copy.id}`);
  const house = collections.data.find(({ name }: { name: string }) => name === "House");
  expect(detail.data).toMatchObject({
    icon: "🍳",
    color: "#2266aa",
    parentCollectionId: house.id,
    itemCount: 2,
  });

  const second = await exchange();
  expect(second.counts).toMatchObject({
    created: 0,
    updated: 0,
    merged: 0,
    paired: 0,
    conflict: 0,
    failed: 0,
  });
  expect([second.unchanged, second.memberships]).toEqual([4, 0]);
});

test("changes of different lines are merged on both sides, each as one version that says so", async () => {
  const { exchange } = await fresh();
  const id = await here.create("/v1/documents", { title: "Tea", content: TEXT, tags: ["a", "b"] });
  await exchange();
  const { id: otherId } = await only(there);
  await here.client("PATCH", `/v1/documents/${id}`, { content: TEXT.replace("First", "1st"), tags: ["a"] });
  await there.client("PATCH", `/v1/documents/${otherId}`, {
    content: TEXT.replace("Third", "3rd"),
    tags: ["a", "b", "c"],
    metadata: { by: "them" },
  });
  const { counts } = await exchange();
  expect(counts).toMatchObject({ merged: 1, conflict: 0 });
  for (const server of [here, there]) {
    const { content, tags, metadata, revision } = await only(server);
    expect(content).toBe(TEXT.replace("First", "1st").replace("Third", "3rd"));
    expect({ tags: tags.sort(), metadata, revision }).toEqual({
      tags: ["a", "c"],
      metadata: { by: "them" },
      revision: 2,
    });
  }
  const { body: versions } = await here.client("GET", `/v1/documents/${id}/versions`);
  expect(versions.data[0].changeLog).toBe("synced from desk");
  const { body: others } = await there.client("GET", `/v1/documents/${otherId}/versions`);
  expect(others.data[0].changeLog).toBe("synced from laptop");
  expect((await exchange()).unchanged).toBe(1);
});

test("a conflict leaves both sides, is reported by every run, and is decided by --ours or --theirs", async () => {
  for (const [prefer, expected] of [
    ["ours", "here"],
    ["theirs", "there"],
  ] as const) {
    const { exchange, remoteId } = await fresh();
    const id = await here.create("/v1/documents", { title: "Tea", content: TEXT });
    await exchange();
    const { id: otherId } = await only(there);
    await here.client("PATCH", `/v1/documents/${id}`, { content: TEXT.replace("Second", "here") });
    await there.client("PATCH", `/v1/documents/${otherId}`, { content: TEXT.replace("Second", "there") });
    for (let attempt = 0; attempt < 2; attempt++) {
      const { counts, lines } = await exchange();
      expect([counts.conflict, lines[0]?.reason, lines[0]?.id]).toEqual([1, "content", id]);
    }
    expect((await only(here)).content).toContain("here");
    expect((await only(there)).content).toContain("there");
    const { body: remotes } = await here.client("GET", "/console/api/remotes");
    expect(remotes.data.find((one: { id: string }) => one.id === remoteId).conflicts).toBe(1);
    expect((await exchange({ prefer })).counts).toMatchObject({ updated: 1, conflict: 0 });
    for (const server of [here, there])
      expect((await only(server)).content).toBe(TEXT.replace("Second", expected));
    expect((await exchange()).unchanged).toBe(1);
  }
});

test("push never changes what is here, and pull then brings what push has left", async () => {
  const { exchange } = await fresh();
  const id = await here.create("/v1/documents", { title: "Tea", content: TEXT });
  await exchange();
  const { id: otherId } = await only(there);
  await here.client("PATCH", `/v1/documents/${id}`, { content: TEXT.replace("First", "1st") });
  await there.client("PATCH", `/v1/documents/${otherId}`, { content: TEXT.replace("Third", "3rd") });
  await there.create("/v1/documents", { title: "Theirs", content: "theirs" });
  await exchange({ direction: "push" });
  expect((await only(here)).content).toBe(TEXT.replace("First", "1st"));
  const merged = TEXT.replace("First", "1st").replace("Third", "3rd");
  expect((await there.client("GET", `/v1/documents/${otherId}`)).body.data.content).toBe(merged);
  expect((await documentsOf(here)).length).toBe(1);
  const { counts } = await exchange({ direction: "pull" });
  expect(counts).toMatchObject({ created: 1, updated: 1, conflict: 0 });
  expect((await here.client("GET", `/v1/documents/${id}`)).body.data.content).toBe(merged);
  expect((await exchange()).unchanged).toBe(2);
});

test("the same records on both sides are paired, not copied", async () => {
  const { exchange } = await fresh();
  for (const server of [here, there]) {
    for (const content of ["one", "two"])
      await server.create("/v1/documents", { title: "Untitled", content });
    await server.create("/v1/collections", { name: "Kitchen" });
  }
  expect((await exchange()).counts).toMatchObject({ paired: 3, created: 0, failed: 0 });
  expect((await documentsOf(there)).length).toBe(2);
});

test("a deletion travels only with --delete: archived first, deleted by the next run", async () => {
  const { exchange } = await fresh();
  const id = await here.create("/v1/documents", { title: "Tea", content: TEXT });
  const prompt = await here.create("/v1/prompts", { title: "P", description: "", content: "c" });
  await exchange();
  await here.client("DELETE", `/v1/documents/${id}`);
  await here.client("DELETE", `/v1/prompts/${prompt}`);
  expect((await exchange()).counts).toMatchObject({ waiting: 2, deleted: 0, archived: 0, created: 0 });
  expect((await exchange()).counts).toMatchObject({ waiting: 0, created: 0 });
  expect([(await documentsOf(here)).length, (await only(there)).isArchived]).toEqual([0, false]);
  expect((await exchange({ deletes: true })).counts).toMatchObject({ archived: 1, deleted: 1 });
  expect((await only(there)).isArchived).toBeTrue();
  expect((await exchange({ deletes: true })).counts).toMatchObject({ archived: 0, deleted: 1 });
  expect(await documentsOf(there)).toEqual([]);
});

test("a record that was deleted on one side and changed on the other is a conflict", async () => {
  const { exchange } = await fresh();
  const id = await here.create("/v1/documents", { title: "Tea", content: TEXT });
  await exchange();
  const { id: otherId } = await only(there);
  await here.client("DELETE", `/v1/documents/${id}`);
  await there.client("PATCH", `/v1/documents/${otherId}`, { content: "new" });
  expect((await exchange({ deletes: true })).counts).toMatchObject({ conflict: 1, archived: 0 });
  await exchange({ deletes: true, prefer: "theirs" });
  await exchange();
  expect((await only(here)).content).toBe("new");
});

test("members that were added and removed travel, those of deleted records do not", async () => {
  const { exchange } = await fresh();
  const ids: string[] = [];
  for (const title of ["a", "b", "c"])
    ids.push(await here.create("/v1/documents", { title, content: title }));
  const kitchen = await here.create("/v1/collections", { name: "Kitchen" });
  await here.client("POST", `/v1/collections/${kitchen}/items`, {
    itemIds: ids.slice(0, 2),
    itemType: "document",
  });
  await exchange();
  const { body } = await there.client("GET", "/v1/collections");
  const copy = body.data[0].id;
  const otherIds = new Map((await documentsOf(there)).map(({ title, id }) => [title, id]));
  await there.client("POST", `/v1/collections/${copy}/items`, {
    itemIds: [otherIds.get("c")],
    itemType: "document",
  });
  await here.client("PUT", `/v1/collections/${kitchen}/items`, { itemIds: [ids[0]], itemType: "document" });
  await here.client("DELETE", `/v1/documents/${ids[1]}`);
  await exchange();
  const titles = async (client: Client, id: string) =>
    (await client("GET", `/v1/collections/${id}/items`)).body.data
      .map(({ title }: { title: string }) => title)
      .sort();
  expect(await titles(here.client, kitchen)).toEqual(["c"]);
  expect(await titles(there.client, copy)).toEqual(["b", "c"]);
});

test("--tag and --collection limit a run, and what they leave out is no deletion", async () => {
  const { exchange } = await fresh();
  const tea = await here.create("/v1/documents", { title: "Tea", content: "tea", tags: ["hot", "drink"] });
  await here.create("/v1/documents", { title: "Ice", content: "ice", tags: ["drink"] });
  const kitchen = await here.create("/v1/collections", { name: "Kitchen" });
  await here.create("/v1/collections", { name: "Garden" });
  await here.client("POST", `/v1/collections/${kitchen}/items`, { itemIds: [tea], itemType: "document" });
  await exchange({ tags: ["drink", "hot"], deletes: true });
  expect((await documentsOf(there)).map(({ title }) => title)).toEqual(["Tea"]);
  await exchange({ collections: ["Kitchen"], deletes: true });
  const { body } = await there.client("GET", "/v1/collections");
  expect(
    body.data.map(({ name, itemCount }: { name: string; itemCount: number }) => [name, itemCount]),
  ).toEqual([["Kitchen", 1]]);
  await exchange({ deletes: true });
  expect((await documentsOf(there)).map(({ title }) => title).sort()).toEqual(["Ice", "Tea"]);
});

test("a dry run changes nothing and shows what a run would do", async () => {
  const { exchange } = await fresh();
  await here.create("/v1/documents", { title: "Tea", content: TEXT });
  const dry = await exchange({ isDryRun: true });
  expect([dry.counts.created, dry.lines[0]?.side, (await documentsOf(there)).length]).toEqual([
    1,
    "there",
    0,
  ]);
  expect((await exchange()).counts.created).toBe(1);
});

test("a record that one side rejects is reported, and the others are copied", async () => {
  const { exchange } = await fresh();
  const metadata = { importPath: "/notes/tea.md" };
  await here.create("/v1/documents", { title: "Tea", content: "here", metadata });
  await there.create("/v1/documents", { title: "Coffee", content: "there", metadata });
  await here.create("/v1/documents", { title: "Ice", content: "ice" });
  const { counts } = await exchange({ direction: "push" });
  expect(counts).toMatchObject({ created: 1, failed: 1 });
});
