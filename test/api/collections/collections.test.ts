// Collections: POST, GET, PATCH and DELETE, and the stats for tokens of a person.

import { describe, expect, test } from "bun:test";
import { TOKEN_KINDS } from "../../../src/auth/tokens.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { useServer } from "../../helpers/start.ts";
import { makeToken } from "../../helpers/tokens.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const { client } = started;

const UNKNOWN = "0".repeat(27);
const create = (body: object, by = client) => by("POST", "/v1/collections", body);
const get = async (id: string) => (await client("GET", `/v1/collections/${id}`)).body.data;
const patch = (id: string, body: object) => client("PATCH", `/v1/collections/${id}`, body);
const makeId = async (body: object, by = client): Promise<string> => (await create(body, by)).body.data.id;
const makeDocument = async (body: object = {}): Promise<string> =>
  (await client("POST", "/v1/documents", { title: "d", content: "c", ...body })).body.data.id;
const items = (method: "POST" | "PUT", id: string, ...itemIds: string[]) =>
  client(method, `/v1/collections/${id}/items`, { itemType: "document", itemIds });

describe("POST /v1/collections", () => {
  test("stores every field and returns its location", async () => {
    const parentCollectionId = await makeId({ name: "parent" });
    const given = {
      name: "Full",
      description: "What it is for\0",
      color: "#A0b1C2",
      icon: "👩🏿‍❤️‍💋‍👨🏿",
      isPublic: true,
      parentCollectionId,
      workspaceId: "w1",
    };
    const { status, headers, body } = await create({ ...given, tags: [" b ", "A", "b"] });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/collections/${body.data.id}`);
    expect(body.data).toEqual({
      ...given,
      id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      tags: ["b", "A"],
      itemCount: 0,
      lastActivityAt: clock.now(),
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
    expect(await get(body.data.id)).toEqual(body.data);
  });

  test("optional fields without a value are omitted", async () => {
    const id = await makeId({ name: "Bare" });
    expect(await get(id)).toEqual({
      id,
      name: "Bare",
      isPublic: false,
      tags: [],
      itemCount: 0,
      lastActivityAt: clock.now(),
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
  });

  test("members that are read-only or unknown are ignored", async () => {
    const { status, body } = await create({
      name: "R",
      id: "x",
      itemCount: 7,
      stats: {},
      userId: "y",
      zzz: 1,
    });
    expect(status).toBe(201);
    expect(body.data.itemCount).toBe(0);
    expect(body.data).not.toHaveProperty("zzz");
  });

  test.each([
    ["a three-digit colour", { color: "#fff" }],
    ["a letter as icon", { icon: "A" }],
    ["a flag as icon", { icon: "🏴󠁧󠁢󠁥󠁮󠁧󠁿" }],
    ["a keycap as icon", { icon: "1️⃣" }],
    ["a decomposed letter as icon", { icon: "e\u0301" }],
    ["an empty description", { description: "" }],
    ["no tags", { tags: [] }],
  ])("201: %s", async (_name, members) => {
    const { status, body } = await create({ name: "n", ...members });
    expect(status).toBe(201);
    expect(body.data).toMatchObject(members);
  });

  const wrong: [string, string, unknown][] = [
    ["an empty name", "name", ""],
    ["a blank name", "name", " \n"],
    ["NUL in the name", "name", "a\0"],
    ["a number as name", "name", 1],
    ["a null name", "name", null],
    ["a null description", "description", null],
    ["a null color", "color", null],
    ["a color without its hash", "color", "ff0000"],
    ["a color of four digits", "color", "#ff00"],
    ["a color of other digits", "color", "#ggg"],
    ["a color and a line end", "color", "#fff\n"],
    ["an empty color", "color", ""],
    ["an empty icon", "icon", ""],
    ["two emoji", "icon", "🙂🙃"],
    ["two letters", "icon", "ab"],
    ["a space as icon", "icon", " "],
    ["a line end as icon", "icon", "\r\n"],
    ["NUL as icon", "icon", "\0"],
    ["a joiner as icon", "icon", "\u200d"],
    ["one grapheme of many marks", "icon", `e${"\u0301".repeat(40)}`],
    ["a null icon", "icon", null],
    ["isPublic as text", "isPublic", "true"],
    ["a null isPublic", "isPublic", null],
    ["tags as text", "tags", "a,b"],
    ["a blank tag", "tags", [" "]],
    ["a comma in a tag", "tags", ["a,b"]],
    ["101 tags", "tags", Array.from({ length: 101 }, (_, i) => `t${i}`)],
    ["a null parent", "parentCollectionId", null],
    ["a number as parent", "parentCollectionId", 1],
  ];
  test.each([...wrong, ["a workspaceId of 129 bytes", "workspaceId", "x".repeat(129)]])(
    "400: %s",
    async (_name, member, value) => {
      const { status, body } = await create({ name: "n", [member as string]: value });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toStartWith(member as string);
    },
  );
  test("400: no name", async () => {
    expect((await create({ description: "d" })).status).toBe(400);
  });

  test.each(wrong)("PATCH 400: %s", async (_name, member, value) => {
    const id = await makeId({ name: "kept" });
    const { status, body } = await patch(id, { [member]: value });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toStartWith(member);
    expect((await get(id)).name).toBe("kept");
  });

  test.each([
    ["name", "é".repeat(256), `${"é".repeat(256)}x`],
    ["description", "x".repeat(16 * 1024), "x".repeat(16 * 1024 + 1)],
  ])("the cap of %s: at it fine, over it 413", async (member, fits, tooMuch) => {
    const id = await makeId({ name: "n", [member]: fits });
    expect((await patch(id, { [member]: fits })).status).toBe(200);
    for (const over of [
      await create({ name: "n", [member]: tooMuch }),
      await patch(id, { [member]: tooMuch }),
    ]) {
      expect(over.status).toBe(413);
      expect(over.body.error.details[0].path).toBe(member);
    }
  });

  test.each<[string, () => string | Promise<string>]>([
    ["unknown", () => UNKNOWN],
    ["of another shape", () => "nothing"],
    ["empty", () => ""],
    ["another user's", () => makeId({ name: "foreign" }, started.clientOf("parent@example.org"))],
    [
      "another user's public one",
      () => makeId({ name: "foreign", isPublic: true }, started.clientOf("parent@example.org")),
    ],
  ])("a parent that is %s: 404, and nothing is written", async (_name, parent) => {
    const parentCollectionId = await parent();
    const count = async () => (await client("GET", "/v1/collections?search=orphan")).body.data.length;
    expect((await create({ name: "orphan", parentCollectionId })).status).toBe(404);
    expect(await count()).toBe(0);
  });
});

describe("GET /v1/collections/{id}", () => {
  test("unknown is 404, malformed is 400", async () => {
    expect((await client("GET", `/v1/collections/${UNKNOWN}`)).status).toBe(404);
    expect((await client("GET", "/v1/collections/short")).status).toBe(400);
  });

  const asToken = async (kind: (typeof TOKEN_KINDS)[number], id: string) => {
    const token = await makeToken(started, kind, "owner@localhost");
    const headers = { Authorization: `Bearer ${token}` };
    return (await client("GET", `/v1/collections/${id}`, undefined, headers)).body.data;
  };

  test.each(TOKEN_KINDS.map((kind) => [kind, kind === "session" || kind === "oauth"] as const))(
    "a %s token sees stats: %p",
    async (kind, seesStats) => {
      const id = await makeId({ name: "counted" });
      expect("stats" in (await asToken(kind, id))).toBe(seesStats);
    },
  );

  test("stats count the members by kind and by user", async () => {
    const id = await makeId({ name: "counted" });
    const empty = { totalItems: 0, documentCount: 0, promptCount: 0, topContributors: [] };
    expect((await asToken("session", id)).stats).toEqual(empty);
    await items("POST", id, await makeDocument(), await makeDocument());
    const prompt = { title: "p", description: "d", content: "c", collectionIds: [id] };
    expect((await client("POST", "/v1/prompts", prompt)).status).toBe(201);
    const { userId } = (await client("GET", "/v1/user/me")).body.data;
    const { stats, itemCount } = await asToken("oauth", id);
    expect(stats).toEqual({
      totalItems: 3,
      documentCount: 2,
      promptCount: 1,
      topContributors: [{ userId, name: "owner@localhost", count: 3 }],
    });
    expect(itemCount).toBe(3);
    expect(await get(id)).not.toHaveProperty("stats");
  });
});

describe("PATCH /v1/collections/{id}", () => {
  const before = {
    name: "Before",
    description: "d",
    color: "#000",
    icon: "🙂",
    isPublic: false,
    tags: ["a", "b"],
    workspaceId: "w",
  };
  test.each([
    ["name", "After"],
    ["description", ""],
    ["color", "#ffffff"],
    ["icon", "🙃"],
    ["isPublic", true],
    ["tags", ["c"]],
    ["tags", []],
  ])("changes %s to %p and nothing else", async (member, value) => {
    const { data } = (await create(before)).body;
    clock.advance(5);
    const { status, body } = await patch(data.id, { [member]: value });
    expect(status).toBe(200);
    const moments = { lastActivityAt: clock.now(), updatedAt: clock.now() };
    expect(body.data).toEqual({ ...data, ...moments, [member]: value });
    expect(await get(data.id)).toEqual(body.data);
  });

  test.each([
    ["nothing", {}],
    ["the same values", before],
    ["the same tags, untrimmed", { tags: [" a", "b ", "a"] }],
    ["a member that PATCH ignores", { workspaceId: "other", itemCount: 3 }],
  ])("%s: nothing changes", async (_name, body) => {
    const { data } = (await create(before)).body;
    clock.advance(5);
    expect((await patch(data.id, body)).body.data).toEqual(data);
  });

  test("the same parent is accepted, another one is 400", async () => {
    const parentCollectionId = await makeId({ name: "parent" });
    const other = await makeId({ name: "other" });
    const child = await makeId({ name: "child", parentCollectionId });
    const free = await makeId({ name: "free" });
    const name = "renamed";
    expect((await patch(child, { name, parentCollectionId })).body.data).toMatchObject({
      name,
      parentCollectionId,
    });
    for (const [id, given] of [
      [child, other],
      [child, UNKNOWN],
      [child, ""],
      [free, parentCollectionId],
      [free, free],
    ] as const) {
      const { status, body } = await patch(id, { name: "no", parentCollectionId: given });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe("parentCollectionId");
      expect((await get(id)).name).not.toBe("no");
    }
  });

  test("unknown is 404", async () => {
    expect((await patch(UNKNOWN, { name: "x" })).status).toBe(404);
  });
});

describe("DELETE /v1/collections/{id}", () => {
  const remove = (id: string) => client("DELETE", `/v1/collections/${id}`);

  test("returns the id, and the collection is gone", async () => {
    const id = await makeId({ name: "gone" });
    const { status, body } = await remove(id);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, id });
    expect((await client("GET", `/v1/collections/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  test("409 while it has items; their records are not deleted", async () => {
    const id = await makeId({ name: "full" });
    const document = await makeDocument();
    await items("POST", id, document);
    expect((await remove(id)).status).toBe(409);
    expect((await get(id)).itemCount).toBe(1);
    await items("PUT", id, document);
    expect((await remove(id)).status).toBe(200);
    expect((await client("GET", `/v1/documents/${document}`)).status).toBe(200);
  });

  test("its child collections remain without a parent", async () => {
    const parentCollectionId = await makeId({ name: "parent" });
    const child = await makeId({ name: "child", parentCollectionId });
    const grandchild = await makeId({ name: "grandchild", parentCollectionId: child });
    expect((await remove(parentCollectionId)).status).toBe(200);
    expect(await get(child)).not.toHaveProperty("parentCollectionId");
    expect((await get(grandchild)).parentCollectionId).toBe(child);
  });
});
