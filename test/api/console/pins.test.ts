// Pinned records: of whom, of which kinds, how many, and what becomes of them with their records.

import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { consoleClient } from "../../helpers/console-client.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { create } = started;
const owner = await consoleClient(started);
const other = started.clientOf("other@example.org");

const documentId = await create("/v1/documents", { title: "Log", content: "x" });
const promptId = await create("/v1/prompts", { title: "Ask", description: "", content: "c", isPublic: true });
const collectionId = await create("/v1/collections", { name: "Harbour" });

const pinned = async (client = owner) => (await client("GET", "/console/api/pins")).body.data;
const pin = (type: string, id: string, client = owner) => client("PUT", `/console/api/pins/${id}`, { type });
const unpin = (id: string) => owner("DELETE", `/console/api/pins/${id}`);

describe("pins", () => {
  test("are listed with the titles of their records, and are removed", async () => {
    for (const [type, id] of Object.entries({
      document: documentId,
      prompt: promptId,
      collection: collectionId,
    })) {
      expect((await pin(type, id)).status).toBe(200);
      expect((await pin(type, id)).status).toBe(200);
    }
    expect((await pinned()).map(({ title }: { title: string }) => title).sort()).toEqual([
      "Ask",
      "Harbour",
      "Log",
    ]);
    expect((await unpin(promptId)).status).toBe(200);
    expect((await unpin(promptId)).status).toBe(404);
    expect(await pinned()).toHaveLength(2);
  });

  test("are of one user's own records, of a kind that the caller may read", async () => {
    expect(await pinned(other)).toEqual([]);
    expect((await pin("document", documentId, other)).status).toBe(404);
    expect((await pin("prompt", promptId, other)).status).toBe(403);
    expect((await pin("prompt", documentId)).status).toBe(404);
    const reader = await consoleClient(started, { ...started.owner, scopes: ["prompts.read"] });
    expect(await pinned(reader)).toEqual([]);
    expect((await pin("document", documentId, reader)).status).toBe(403);
  });

  test("end with their record, and come back with it from the trash", async () => {
    await owner("DELETE", `/console/api/documents/${documentId}`);
    expect((await pinned()).map(({ type }: { type: string }) => type)).toEqual(["collection"]);
    await owner("POST", `/console/api/trash/${documentId}`);
    expect(await pinned()).toHaveLength(2);
    await started.client("DELETE", `/v1/collections/${collectionId}`);
    expect(await pinned()).toMatchObject([{ id: documentId, type: "document" }]);
  });

  test("are limited", async () => {
    const { perUser } = LIMITS.pins;
    const ids = await Promise.all(
      Array.from({ length: perUser }, (_, n) => create("/v1/collections", { name: `Collection ${n}` })),
    );
    const statuses = [];
    for (const id of ids) statuses.push((await pin("collection", id)).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([422]);
    expect(await pinned()).toHaveLength(perUser);
  });
});
