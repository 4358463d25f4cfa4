// POST, GET and DELETE of documents.

import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { contentHash } from "../../../src/kernel/hash.ts";
import { useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const { client } = started;

const create = (body: object) => client("POST", "/v1/documents", body);
const ID = /^[0-9A-Za-z]{27}$/;

describe("POST /v1/documents", () => {
  test("returns the id, revision and hash of the new document", async () => {
    const { status, headers, body } = await create({ title: "Notes", content: "# One\n" });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(ID),
        revision: 0,
        currentVersion: 0,
        contentHash: contentHash("# One\n"),
        lastChangedAt: clock.now(),
        noop: false,
      },
    });
    expect(headers.get("location")).toBe(`/v1/documents/${body.data.id}`);
    expect(headers.get("x-service-revision")).toBe("0");
    expect(headers.get("x-service-content-hash")).toBe(body.data.contentHash);
    expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
    const got = await client("GET", headers.get("location")!);
    expect(got.headers.get("etag")).toBe(headers.get("etag"));
  });

  test("stores every field", async () => {
    const given = {
      title: "Full",
      content: "text",
      contentHtml: "<p>text</p>",
      rawHtml: "<html>text</html>",
      sourceType: "import",
      sourceUrl: "https://example.org/a",
      metadata: { a: [1, { b: null }], __proto__x: 1 },
      tags: [" b ", "A", "b"],
      workspaceId: "w1",
    };
    const { data } = (await create(given)).body;
    const { body } = await client("GET", `/v1/documents/${data.id}`);
    expect(body.data).toEqual({
      ...given,
      tags: ["b", "A"],
      id: data.id,
      status: "published",
      isArchived: false,
      revision: 0,
      currentVersion: 0,
      contentHash: contentHash("text"),
      lastChangedAt: clock.now(),
      stats: {},
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
  });

  test("writes version row 0 and one job with it", async () => {
    const { id } = (await create({ title: "V", content: "body" })).body.data;
    const rows = started.app.store.sql.query("SELECT * FROM document_versions WHERE document_id = ?").all(id);
    expect(rows).toMatchObject([
      {
        version: 0,
        title: "V",
        content_hash: contentHash("body"),
        snapshot_completeness: "complete",
        actor_kind: "apiKey",
        actor_name: "owner@localhost",
      },
    ]);
  });

  test("optional fields without a value are omitted", async () => {
    const { id } = (await create({ title: "Bare", content: "" })).body.data;
    const { data } = (await client("GET", `/v1/documents/${id}`)).body;
    for (const name of ["contentHtml", "rawHtml", "sourceUrl", "source", "workspaceId"])
      expect(data).not.toHaveProperty(name);
    expect(data.content).toBe("");
    expect(data.tags).toEqual([]);
    expect(data.metadata).toEqual({});
  });

  test("members that are read-only or unknown are ignored", async () => {
    const { data } = (
      await create({ title: "R", content: "", id: "x", revision: 9, userId: "y", stats: 1, zzz: {} })
    ).body;
    expect(data.id).toMatch(ID);
    expect(data.revision).toBe(0);
  });

  test.each([
    ["no title", { content: "" }],
    ["no content", { title: "t" }],
    ["blank title", { title: " \t", content: "" }],
    ["empty title", { title: "", content: "" }],
    ["NUL in the title", { title: "a\0b", content: "" }],
    ["number as title", { title: 1, content: "" }],
    ["null content", { title: "t", content: null }],
    ["null tags", { title: "t", content: "", tags: null }],
    ["null contentHtml", { title: "t", content: "", contentHtml: null }],
    ["tags as text", { title: "t", content: "", tags: "a,b" }],
    ["blank tag", { title: "t", content: "", tags: ["a", " "] }],
    ["comma in a tag", { title: "t", content: "", tags: ["a,b"] }],
    ["NUL in a tag", { title: "t", content: "", tags: ["a\0"] }],
    ["tag of 129 bytes", { title: "t", content: "", tags: [`${"é".repeat(64)}x`] }],
    ["101 tags", { title: "t", content: "", tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }],
    ["metadata as array", { title: "t", content: "", metadata: [] }],
    ["workspaceId of 129 bytes", { title: "t", content: "", workspaceId: "x".repeat(129) }],
    ["sourceUrl that is none", { title: "t", content: "", sourceUrl: "not a url" }],
  ])("400: %s", async (_name, body) => {
    const { status, body: reply } = await create(body);
    expect(status).toBe(400);
    expect(reply.error.code).toBe(400);
    expect(reply.error.details[0].path).toBeString();
  });

  const fiveMegabytes = 5 * 1024 * 1024;
  test.each([
    ["title", { title: "é".repeat(256), content: "" }, { title: `${"é".repeat(256)}x`, content: "" }],
    [
      "content",
      { title: "t", content: "x".repeat(fiveMegabytes) },
      { title: "t", content: "x".repeat(fiveMegabytes + 1) },
    ],
    [
      "contentHtml",
      { title: "t", content: "", contentHtml: "é".repeat(fiveMegabytes / 2) },
      { title: "t", content: "", contentHtml: `${"é".repeat(fiveMegabytes / 2)}x` },
    ],
    [
      "rawHtml",
      { title: "t", content: "", rawHtml: "x".repeat(fiveMegabytes) },
      { title: "t", content: "", rawHtml: "x".repeat(fiveMegabytes + 1) },
    ],
    [
      "metadata",
      { title: "t", content: "", metadata: { a: "x".repeat(262144 - 8) } },
      { title: "t", content: "", metadata: { a: "x".repeat(262144 - 7) } },
    ],
  ])("the cap of %s: at it 201, over it 413", async (name, fits, tooMuch) => {
    expect((await create(fits)).status).toBe(201);
    const over = await create(tooMuch);
    expect(over.status).toBe(413);
    expect(over.body.error.details[0].path).toBe(name);
  });

  test("a rejected document is not stored", async () => {
    const count = () =>
      started.app.store.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM documents").get()!.n;
    const before = count();
    await create({ title: "t", content: "", tags: ["a,b"] });
    expect(count()).toBe(before);
  });

  test("texts are stored byte for byte", async () => {
    const content = "\ufeffa\0b\r\nc\u2028\u0301é 👩‍👩‍👧\n\n";
    const { id } = (await create({ title: "exact", content })).body.data;
    expect((await client("GET", `/v1/documents/${id}`)).body.data.content).toBe(content);
  });

  test("names of prototype members are data", async () => {
    const body = '{"title":"p","content":"","metadata":{"__proto__":{"a":1},"constructor":2,"toString":3}}';
    const { id } = (await client("POST", "/v1/documents", body)).body.data;
    const text = JSON.stringify((await client("GET", `/v1/documents/${id}`)).body.data.metadata);
    expect(text).toBe('{"__proto__":{"a":1},"constructor":2,"toString":3}');
  });
});

describe("collectionIds", () => {
  const collection = async () =>
    (await client("POST", "/v1/collections", { name: "c" })).body.data.id as string;
  const items = async (id: string) =>
    (await client("GET", `/v1/collections/${id}/items`)).body.data.map(
      ({ itemId }: { itemId: string }) => itemId,
    );

  test("the new document is added to all of them; duplicates count once", async () => {
    const [a, b] = [await collection(), await collection()];
    const { id } = (await create({ title: "member", content: "", collectionIds: [a, b, a] })).body.data;
    expect([await items(a), await items(b)]).toEqual([[id], [id]]);
    const listed = (await client("GET", `/v1/documents?collectionId=${a}`)).body.data;
    expect(listed.map((item: { id: string }) => item.id)).toEqual([id]);
  });

  test("an unknown or foreign one is 404, and nothing is written", async () => {
    const own = await collection();
    const stranger = started.clientOf("collector@example.org");
    const foreign = (await stranger("POST", "/v1/collections", { name: "theirs" })).body.data.id;
    const before = (await client("GET", "/v1/documents?limit=1")).body.data[0].id;
    for (const other of [foreign, "0".repeat(27), "short"]) {
      expect((await create({ title: "homeless", content: "", collectionIds: [own, other] })).status).toBe(
        404,
      );
    }
    expect(await items(own)).toEqual([]);
    expect((await client("GET", "/v1/documents?limit=1")).body.data[0].id).toBe(before);
  });
});

describe("GET /v1/documents/{id}", () => {
  test("includeContent=false omits the three texts", async () => {
    const { id } = (await create({ title: "t", content: "c", contentHtml: "h", rawHtml: "r" })).body.data;
    const { data } = (await client("GET", `/v1/documents/${id}?includeContent=false`)).body;
    for (const name of ["content", "contentHtml", "rawHtml"]) expect(data).not.toHaveProperty(name);
    expect(data.title).toBe("t");
  });

  test("texts are cut at 2 MB, between characters", async () => {
    const content = `x${"é".repeat(1024 * 1024)}`;
    const { id } = (await create({ title: "long", content })).body.data;
    const { data } = (await client("GET", `/v1/documents/${id}`)).body;
    expect(data.content).toBe(content.slice(0, -1));
    expect(data.contentHash).toBe(contentHash(content));
  });

  test("If-None-Match: 304 for the current state, 200 for another", async () => {
    const { id } = (await create({ title: "cond", content: "c" })).body.data;
    const etag = (await client("GET", `/v1/documents/${id}`)).headers.get("etag")!;
    const ask = async (value: string) =>
      (await client("GET", `/v1/documents/${id}`, undefined, { "If-None-Match": value })).status;
    expect(await ask(etag)).toBe(304);
    expect(await ask(`"x", ${etag}`)).toBe(304);
    expect(await ask(`W/${etag}`)).toBe(304);
    expect(await ask("*")).toBe(304);
    expect(await ask('"x"')).toBe(200);
    expect(await ask("unquoted")).toBe(400);
  });

  test("another user's document gets the same 404 as an unknown one", async () => {
    const { id } = (await create({ title: "mine", content: "c" })).body.data;
    const other = started.clientOf("other@example.org");
    const foreign = await other("GET", `/v1/documents/${id}`);
    const missing = await other("GET", `/v1/documents/${"0".repeat(27)}`);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(missing.body);
    expect((await other("DELETE", `/v1/documents/${id}`)).body).toEqual(missing.body);
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(200);
  });
});

describe("DELETE /v1/documents/{id}", () => {
  test("deletes the document with everything that belongs to it", async () => {
    const { id } = (await create({ title: "gone", content: "# A\n\nunmistakable paragraph\n" })).body.data;
    await started.settle();
    const { status, body } = await client("DELETE", `/v1/documents/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, id });
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(404);
    expect((await client("DELETE", `/v1/documents/${id}`)).status).toBe(404);
    for (const mode of ["true", "false"]) {
      const found = await client(
        "GET",
        `/v1/search?q=unmistakable+paragraph&semantic=${mode}&scoreThreshold=0`,
      );
      expect(found.body.data.documents.map((hit: { documentId: string }) => hit.documentId)).not.toContain(
        id,
      );
    }
    await started.settle();
    const left = (table: string) =>
      started.app.store.sql
        .query<{ n: number }, [string]>(`SELECT count(*) AS n FROM ${table} WHERE document_id = ?`)
        .get(id)!.n;
    for (const table of ["bodies", "document_versions", "index_generations"])
      expect([table, left(table)]).toEqual([table, 0]);
  });

  test.each([
    [(etag: string) => `,${etag}`, 200],
    [(etag: string) => ` , ,${etag},,`, 200],
    [(etag: string) => `"other",,${etag}`, 200],
    [(etag: string) => `W/"other" ,\t${etag} ,`, 200],
    [() => ',"other"', 412],
    [() => ",", 400],
    [() => " , ", 400],
    [(etag: string) => `${etag} "other"`, 400],
    [(etag: string) => `${etag},x`, 400],
    [() => '"open', 400],
  ])("If-Match is a list that may have empty elements: %#", async (value, status) => {
    const { id } = (await create({ title: "t", content: "" })).body.data;
    const { headers } = await client("GET", `/v1/documents/${id}`);
    const etag = headers.get("etag")!;
    const reply = await client("PATCH", `/v1/documents/${id}`, { title: "x" }, { "If-Match": value(etag) });
    expect(reply.status).toBe(status);
  });

  test("If-Match is checked if it is sent", async () => {
    const { id } = (await create({ title: "guarded", content: "c" })).body.data;
    const remove = (value: string) =>
      client("DELETE", `/v1/documents/${id}`, undefined, { "If-Match": value });
    const etag = (await client("GET", `/v1/documents/${id}`)).headers.get("etag")!;
    const stale = await remove('"stale"');
    expect(stale.status).toBe(412);
    expect(stale.body.error.details.reason).toBe("REVISION_MISMATCH");
    expect(stale.body.error.message).toStartWith("REVISION_MISMATCH: ");
    expect((await remove(`W/${etag}`)).status).toBe(412);
    expect((await remove("unquoted")).status).toBe(400);
    expect((await remove(`"a", ${etag}`)).status).toBe(200);
  });
});

test("a text of more than 2 MB is read in pieces with textFrom", async () => {
  const content = `${"a".repeat(2 * 1024 * 1024 - 1)}🦒${"b".repeat(1024)}`;
  const { data } = (await client("POST", "/v1/documents", { title: "long", content })).body;
  const read = async (from: number) =>
    (await client("GET", `/v1/documents/${data.id}?textFrom=${from}`)).body.data.content;
  const first = await read(0);
  expect(first.length).toBe(2 * 1024 * 1024 - 1);
  expect(first + (await read(first.length))).toBe(content);
  // Inside the surrogate pair.
  expect(await read(first.length + 1)).toBe(`🦒${"b".repeat(1024)}`);
  expect(await read(content.length + 5)).toBe("");
  expect((await client("GET", `/v1/documents/${data.id}?textFrom=-1`)).status).toBe(400);
});
