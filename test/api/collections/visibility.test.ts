// Visibility: another user × a private and a public collection × every operation, and the members of a public
// collection that others see.

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, useServer } from "../../helpers/start.ts";
import { makeToken } from "../../helpers/tokens.ts";

const UNKNOWN = "0".repeat(27);
let owner: Client;
let othersDocument: string;

const post = async (path: string, body: object, by: Client): Promise<string> => {
  const { status, body: created } = await by("POST", path, body);
  expect(status).toBe(201);
  return created.data.id;
};

/** A collection of the owner with a document, a private prompt and a public one. */
async function fill(isPublic: boolean) {
  const id = await post("/v1/collections", { name: "shared", description: "d", isPublic }, owner);
  const collectionIds = [id];
  const document = await post(
    "/v1/documents",
    { title: "document", content: "secret", collectionIds },
    owner,
  );
  const prompt = { description: "d", content: "secret", collectionIds };
  const privatePrompt = await post("/v1/prompts", { ...prompt, title: "private prompt" }, owner);
  const publicPrompt = await post(
    "/v1/prompts",
    { ...prompt, title: "public prompt", content: "open", isPublic: true },
    owner,
  );
  return { id, document, privatePrompt, publicPrompt };
}

let privateId: string;
let publicId: string;
const started = useServer();
const other = started.clientOf("visibility-other@example.org");

beforeAll(async () => {
  owner = started.client;
  othersDocument = await post("/v1/documents", { title: "t", content: "c" }, other);
});
beforeEach(async () => {
  privateId = (await fill(false)).id;
  publicId = (await fill(true)).id;
});

type Ask = [name: string, method: string, path: string, body?: () => object];
const OPERATIONS: [...Ask, statusOfPublic: number][] = [
  ["read", "GET", "", undefined, 200],
  ["list items", "GET", "/items", undefined, 200],
  ["list items with content", "GET", "/items?includeContent=true", undefined, 200],
  ["change", "PATCH", "", () => ({ name: "stolen" }), 403],
  ["change nothing", "PATCH", "", () => ({}), 403],
  ["delete", "DELETE", "", undefined, 403],
  ["add", "POST", "/items", () => ({ itemType: "document", itemIds: [othersDocument] }), 403],
  ["add nothing that exists", "POST", "/items", () => ({ itemType: "document", itemIds: [UNKNOWN] }), 403],
  ["remove", "PUT", "/items", () => ({ itemType: "document", itemIds: [othersDocument] }), 403],
];

describe("another user", () => {
  test.each(OPERATIONS)("%s", async (_name, method, path, body, statusOfPublic) => {
    const ask = (id: string) => other(method, `/v1/collections/${id}${path}`, body?.());
    const before = await owner("GET", `/v1/collections/${publicId}`);
    const missing = await ask(UNKNOWN);
    expect(missing.status).toBe(404);
    const hidden = await ask(privateId);
    expect([hidden.status, hidden.body]).toEqual([404, missing.body]);
    expect((await ask(publicId)).status).toBe(statusOfPublic);
    expect((await owner("GET", `/v1/collections/${publicId}`)).body).toEqual(before.body);
  });

  test.each(OPERATIONS)("%s, a malformed body or id first: 400", async (_name, method, path, body) => {
    expect((await other(method, `/v1/collections/short${path}`, body?.())).status).toBe(400);
    if (body) expect((await other(method, `/v1/collections/${publicId}${path}`, "{")).status).toBe(400);
  });

  test("a public one made private is hidden again", async () => {
    await owner("PATCH", `/v1/collections/${publicId}`, { isPublic: false });
    expect((await other("GET", `/v1/collections/${publicId}`)).status).toBe(404);
    expect((await other("DELETE", `/v1/collections/${publicId}`)).status).toBe(404);
  });

  test("cannot add a new record to a public collection", async () => {
    const collectionIds = [publicId];
    const document = { title: "t", content: "c", collectionIds };
    expect((await other("POST", "/v1/documents", document)).status).toBe(404);
    const prompt = { title: "t", description: "d", content: "c", collectionIds };
    expect((await other("POST", "/v1/prompts", prompt)).status).toBe(404);
  });
});

describe("the members of a public collection", () => {
  const titles = async (by: Client, query = "") =>
    (await by("GET", `/v1/collections/${publicId}/items?${query}`)).body.data.map(
      ({ title }: { title: string }) => title,
    );

  test.each(["", "includeContent=true"])("others see its public prompts only (%s)", async (query) => {
    expect(await titles(owner, query)).toEqual(["public prompt", "private prompt", "document"]);
    expect(await titles(other, query)).toEqual(["public prompt"]);
    const reply = await other("GET", `/v1/collections/${publicId}/items?${query}`);
    expect(JSON.stringify(reply.body)).not.toContain("secret");
  });

  test("itemCount counts what the caller sees, alone and in the list", async () => {
    const listed = async (by: Client) =>
      (await by("GET", "/v1/collections?includePublic=true")).body.data.find(
        ({ id }: { id: string }) => id === publicId,
      );
    for (const [by, count] of [
      [owner, 3],
      [other, 1],
    ] as const) {
      expect((await by("GET", `/v1/collections/${publicId}`)).body.data.itemCount).toBe(count);
      expect((await listed(by)).itemCount).toBe(count);
    }
  });

  test("pages for others contain the visible items", async () => {
    const prompt = { title: "second public", description: "d", content: "c", isPublic: true };
    await post("/v1/prompts", { ...prompt, collectionIds: [publicId] }, owner);
    const path = `/v1/collections/${publicId}/items?limit=1`;
    const first = (await other("GET", path)).body;
    expect(first.data[0].title).toBe("second public");
    const second = (await other("GET", `${path}&cursor=${first.pagination.cursor}`)).body;
    expect(second.data[0].title).toBe("public prompt");
    expect(second.pagination).toEqual({ cursor: "", hasMore: false });
  });

  test("stats count what the caller sees, and only the owner sees e-mail addresses", async () => {
    const stats = async (email: string) => {
      const headers = { Authorization: `Bearer ${await makeToken(started, "session", email)}` };
      return (await other("GET", `/v1/collections/${publicId}`, undefined, headers)).body.data.stats;
    };
    const { userId } = (await owner("GET", "/v1/user/me")).body.data;
    expect(await stats("owner@localhost")).toEqual({
      totalItems: 3,
      documentCount: 1,
      promptCount: 2,
      topContributors: [{ userId, name: "owner@localhost", count: 3 }],
    });
    expect(await stats("visibility-other@example.org")).toEqual({
      totalItems: 1,
      documentCount: 0,
      promptCount: 1,
      topContributors: [{ userId, name: userId, count: 1 }],
    });
  });
});

describe("includePublic", () => {
  const seenIn = async (query: string, by = other) => {
    const ids = (await by("GET", `/v1/collections?${query}`)).body.data.map(({ id }: { id: string }) => id);
    return { public: ids.includes(publicId), private: ids.includes(privateId) };
  };
  test.each([
    ["limit=100", { public: false, private: false }],
    ["limit=100&includePublic=false", { public: false, private: false }],
    ["limit=100&includePublic=true", { public: true, private: false }],
    ["limit=100&includePublic=true&search=SHARED", { public: true, private: false }],
    ["limit=100&includePublic=true&search=mine", { public: false, private: false }],
    ["limit=100&includePublic=true&workspace=w", { public: false, private: false }],
    ["limit=100&includePublic=true&tags=t", { public: false, private: false }],
  ])("another user's list with %s", async (query, expected) => {
    expect(await seenIn(query)).toEqual(expected);
  });

  test("the owner's list has each collection once, with and without it", async () => {
    for (const query of ["limit=100", "limit=100&includePublic=true"]) {
      const { data } = (await owner("GET", `/v1/collections?${query}`)).body;
      expect(await seenIn(query, owner)).toEqual({ public: true, private: true });
      expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(data.length);
    }
  });
});

test("scopes of prompts do not allow access to collections", async () => {
  const prompts = started.clientOf("owner@localhost", ["prompts.write"]);
  expect((await prompts("GET", `/v1/collections/${privateId}`)).status).toBe(403);
  const reader = started.clientOf("owner@localhost", ["documents.read"]);
  expect((await reader("GET", `/v1/collections/${privateId}`)).status).toBe(200);
  expect((await reader("DELETE", `/v1/collections/${privateId}`)).status).toBe(403);
});
