// PATCH, versions, restore and status of documents.

import { beforeEach, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { contentHash } from "../../../src/kernel/hash.ts";
import { useServer } from "../../helpers/start.ts";
import { walkPages } from "../../helpers/walk.ts";

const clock = new ManualClock();
let id: string;
const started = useServer({ clock });
const { client } = started;

const full = {
  title: "First",
  content: "one",
  contentHtml: "<p>one</p>",
  rawHtml: "<html>",
  sourceUrl: "https://example.org/1",
  metadata: { a: { b: 1 } },
  tags: ["x", "y"],
};
beforeEach(async () => {
  id = (await client("POST", "/v1/documents", full)).body.data.id;
  clock.advance(1_000);
});

const patch = (body: unknown, headers: Record<string, string> = {}) =>
  client("PATCH", `/v1/documents/${id}`, body, headers);
const get = async () => client("GET", `/v1/documents/${id}`);
const versions = async () => (await client("GET", `/v1/documents/${id}/versions`)).body.data;

describe("PATCH", () => {
  test.each<[string, object, object]>([
    ["title", { title: "Second" }, { title: "Second" }],
    ["content", { content: "two" }, { content: "two", contentHash: contentHash("two") }],
    ["content to nothing", { content: "" }, { content: "", contentHash: contentHash("") }],
    ["contentHtml", { contentHtml: "<b>" }, { contentHtml: "<b>" }],
    ["contentHtml cleared", { contentHtml: null }, { contentHtml: undefined }],
    ["rawHtml cleared", { rawHtml: null }, { rawHtml: undefined }],
    ["sourceUrl", { sourceUrl: "https://example.org/2" }, { sourceUrl: "https://example.org/2" }],
    ["sourceUrl cleared", { sourceUrl: null }, { sourceUrl: undefined }],
    ["metadata replaced", { metadata: { c: 2 } }, { metadata: { c: 2 } }],
    ["metadata cleared", { metadata: {} }, { metadata: {} }],
    ["tags replaced", { tags: [" z ", "z", "x"] }, { tags: ["z", "x"] }],
    ["tags cleared", { tags: [] }, { tags: [] }],
    [
      "several at once",
      { title: "S", content: "t", tags: ["q"] },
      { title: "S", content: "t", contentHash: contentHash("t"), tags: ["q"] },
    ],
  ])("%s makes one revision and changes nothing else", async (_name, change, expected) => {
    const before = (await get()).body.data;
    const { status, body, headers } = await patch({ ...change, changeLog: "because" });
    expect(status).toBe(200);
    const after = await get();
    expect(body.data).toEqual({
      id,
      revision: 1,
      currentVersion: 1,
      contentHash: after.body.data.contentHash,
      lastChangedAt: clock.now(),
      noop: false,
    });
    for (const name of ["etag", "x-service-revision", "x-service-content-hash"]) {
      expect(headers.get(name)).toBe(after.headers.get(name));
    }
    const changed = { revision: 1, currentVersion: 1, lastChangedAt: clock.now(), updatedAt: clock.now() };
    expect(after.body.data).toEqual(JSON.parse(JSON.stringify({ ...before, ...changed, ...expected })));
    const rows = await versions();
    expect(
      rows.map(({ version, changeLog }: { version: number; changeLog?: string }) => [version, changeLog]),
    ).toEqual([
      [1, "because"],
      [0, undefined],
    ]);
  });

  test.each<[string, object]>([
    ["nothing at all", {}],
    ["the same values", full],
    ["the same metadata in another order", { metadata: { a: { b: 1 } }, tags: ["x", "y", "x"] }],
    ["only a changeLog", { changeLog: "x" }],
    ["only members that are ignored", { revision: 7, id: "x", createdAt: 1, unknown: true }],
    ["the same status", { status: "published" }],
  ])("an unchanged write is a no-op: %s", async (_name, body) => {
    const before = await get();
    const reply = await patch(body);
    expect(reply.body.data).toMatchObject({
      noop: true,
      revision: 0,
      lastChangedAt: before.body.data.lastChangedAt,
    });
    expect(reply.headers.get("etag")).toBe(before.headers.get("etag"));
    expect((await get()).body).toEqual(before.body);
    expect((await versions()).length).toBe(1);
  });

  test.each<[string, unknown, number]>([
    ["null title", { title: null }, 400],
    ["blank title", { title: " " }, 400],
    ["null content", { content: null }, 400],
    ["null tags", { tags: null }, 400],
    ["null metadata", { metadata: null }, 400],
    ["null status", { status: null }, 400],
    ["status that can't be set", { status: "completed" }, 400],
    ["revision as text", { expectedRevision: "0" }, 400],
    ["revision with a fraction", { expectedRevision: 0.5 }, 400],
    ["negative revision", { expectedRevision: -1 }, 400],
    ["sourceUrl that is none", { sourceUrl: "x" }, 400],
    ["bad tags", { tags: ["a,b"] }, 400],
    ["content over the cap", { content: "x".repeat(5 * 1024 * 1024 + 1) }, 413],
    ["contentHtml over the cap", { contentHtml: "x".repeat(5 * 1024 * 1024 + 1) }, 413],
    ["title over the cap", { title: "x".repeat(513) }, 413],
    ["not an object", [], 400],
  ])("rejected: %s", async (_name, body, status) => {
    const before = await get();
    expect((await patch(body)).status).toBe(status);
    expect((await get()).body).toEqual(before.body);
  });

  test("an unknown document is 404, another user's too", async () => {
    const other = started.clientOf("patch-other@example.org");
    expect((await client("PATCH", `/v1/documents/${"0".repeat(27)}`, {})).status).toBe(404);
    expect((await other("PATCH", `/v1/documents/${id}`, { title: "mine now" })).status).toBe(404);
    expect((await get()).body.data.title).toBe("First");
  });

  test("the new text is found, the old one is not", async () => {
    await patch({ content: "a walrus surfaces" });
    await started.settle();
    const find = async (q: string) =>
      (await client("GET", `/v1/search?semantic=false&q=${q}`)).body.data.documents.some(
        (hit: { documentId: string }) => hit.documentId === id,
      );
    expect(await find("walrus")).toBe(true);
    await patch({ content: "a heron waits" });
    await started.settle();
    expect(await find("walrus")).toBe(false);
    expect(await find("heron")).toBe(true);
  });
});

describe("preconditions in standard mode", () => {
  test("If-Match and expectedRevision are checked if they are sent", async () => {
    const etag = (await get()).headers.get("etag")!;
    const stale = await patch({ title: "a" }, { "If-Match": '"other"' });
    expect(stale.status).toBe(412);
    expect(stale.body.error.details.reason).toBe("REVISION_MISMATCH");
    expect((await patch({ title: "a" }, { "If-Match": `W/${etag}` })).status).toBe(412);
    expect((await patch({ title: "a" }, { "If-Match": "unquoted" })).status).toBe(400);
    expect((await patch({ title: "a", expectedRevision: 1 })).status).toBe(412);
    expect((await patch({ title: "a", expectedRevision: 1 }, { "If-Match": etag })).status).toBe(412);
    expect((await patch({ title: "a", expectedRevision: 0 }, { "If-Match": '"other"' })).status).toBe(412);
    expect((await get()).body.data.revision).toBe(0);
    expect((await patch({ title: "a", expectedRevision: 0 }, { "If-Match": `"x", ${etag}` })).status).toBe(
      200,
    );
    expect((await patch({ title: "b" }, { "If-Match": etag })).status).toBe(412);
    expect((await patch({ title: "b" }, { "If-Match": "*" })).status).toBe(200);
  });

  test("the retry of a success is replayed although its ETag is stale", async () => {
    const headers = { "If-Match": (await get()).headers.get("etag")!, "Idempotency-Key": `patch ${id}` };
    const first = await patch({ title: "a" }, headers);
    const second = await patch({ title: "a" }, headers);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect((await versions()).length).toBe(2);
  });

  test("two writers without conditions: the last wins, both are in the history", async () => {
    const replies = await Promise.all(["a", "b", "c", "d"].map((title) => patch({ title })));
    const revisions = replies.map(({ body }) => body.data.revision).sort();
    expect(revisions).toEqual([1, 2, 3, 4]);
    expect((await versions()).length).toBe(5);
  });
});

describe("status", () => {
  test("a change of status alone changes the ETag, but neither revision nor history", async () => {
    const before = await get();
    const reply = await patch({ status: "archived" });
    expect(reply.body.data).toMatchObject({
      noop: false,
      revision: 0,
      lastChangedAt: before.body.data.lastChangedAt,
    });
    const after = await get();
    expect(after.body.data).toMatchObject({
      status: "archived",
      isArchived: true,
      revision: 0,
      updatedAt: clock.now(),
    });
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await versions()).length).toBe(1);
    expect((await patch({ title: "x" }, { "If-Match": before.headers.get("etag")! })).status).toBe(412);
    await patch({ status: "draft" });
    expect((await get()).body.data).toMatchObject({ status: "draft", isArchived: false });
  });

  test("together with a canonical field it is one revision", async () => {
    expect((await patch({ status: "draft", title: "n" })).body.data.revision).toBe(1);
    expect((await get()).body.data).toMatchObject({ status: "draft", title: "n", revision: 1 });
    expect((await versions()).length).toBe(2);
  });
});

describe("versions", () => {
  test("rows are complete, newest first, with both names of each member", async () => {
    await patch({ content: "x".repeat(300), changeLog: "longer" });
    const [newest, oldest] = await versions();
    expect(newest).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      versionId: newest.id,
      documentId: id,
      version: 1,
      title: "First",
      content: "x".repeat(300),
      contentHtml: "<p>one</p>",
      preview: "x".repeat(200),
      contentHash: contentHash("x".repeat(300)),
      snapshotCompleteness: "complete",
      actor: { kind: "apiKey", displayName: "owner@localhost" },
      origin: "update",
      changeLog: "longer",
      userName: "owner@localhost",
      createdAt: clock.now(),
      createdBy: "owner@localhost",
    });
    expect(oldest).toMatchObject({ version: 0, content: "one", origin: "create" });
    expect(oldest).not.toHaveProperty("changeLog");
  });

  test("pages; pagination is always present", async () => {
    for (let i = 0; i < 5; i++) await patch({ title: `t${i}` });
    const page = (query: string) => client("GET", `/v1/documents/${id}/versions?${query}`);
    const rows = await walkPages(client, `/v1/documents/${id}/versions?limit=2`);
    expect(rows.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1, 0]);
    expect((await page("")).body.pagination).toEqual({ cursor: "", hasMore: false });
    for (const bad of ["limit=0", "limit=101", "cursor=x"]) expect((await page(bad)).status).toBe(400);
  });

  test("bodies are cut at 2 MB and a page ends early after 8 MB", async () => {
    for (let i = 0; i < 7; i++) await patch({ content: `${i}${"x".repeat(3 << 20)}` });
    const { data, pagination } = (await client("GET", `/v1/documents/${id}/versions`)).body;
    expect(data[0].content.length).toBe(2 << 20);
    expect(data.length).toBeLessThan(5);
    expect(pagination.hasMore).toBe(true);
    const rest = (await client("GET", `/v1/documents/${id}/versions?cursor=${pagination.cursor}`)).body;
    expect(rest.data[0].version).toBe(data.at(-1).version - 1);
  });
});

describe("restore", () => {
  const restore = (versionId: string, body = {}, headers = {}) =>
    client("POST", `/v1/documents/${id}/restore`, { versionId, ...body }, headers);

  test("a snapshot is restored as a new revision with every canonical field", async () => {
    const original = (await get()).body.data;
    await patch({
      title: "B",
      content: "two",
      contentHtml: null,
      metadata: {},
      tags: [],
      sourceUrl: null,
      rawHtml: null,
    });
    const [, first] = await versions();
    const { status, body, headers } = await restore(first.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ revision: 2, noop: false, contentHash: contentHash("one") });
    expect(body.data).not.toHaveProperty("warnings");
    const now = await get();
    expect(headers.get("etag")).toBe(now.headers.get("etag"));
    for (const name of Object.keys(full)) expect(now.body.data[name]).toEqual(original[name]);
    expect((await versions())[0]).toMatchObject({ version: 2, origin: "restore" });
  });

  test("restoring the current version is a no-op", async () => {
    const [current] = await versions();
    expect((await restore(current.id)).body.data).toMatchObject({ noop: true, revision: 0 });
    expect((await versions()).length).toBe(1);
  });

  test("a legacy partial snapshot changes only its recorded fields, with a warning in every reply", async () => {
    const legacy = "L".repeat(27);
    started.write(({ sql }) =>
      sql
        .query(
          `INSERT OR REPLACE INTO document_versions (id, document_id, version, title, content_hash, snapshot_completeness, created_at)
           VALUES (?, ?, -1, 'Old title', ?, 'legacy_partial', 1)`,
        )
        .run(legacy, id, contentHash("one")),
    );
    await patch({ content: "two" });
    const headers = { "Idempotency-Key": `restore ${id}` };
    const first = await restore(legacy, {}, headers);
    expect(first.body.data).toMatchObject({ noop: false, warnings: ["LEGACY_PARTIAL_SNAPSHOT"] });
    const replay = await restore(legacy, {}, headers);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect((await get()).body.data).toMatchObject({ ...full, title: "Old title" });
    expect((await restore(legacy)).body.data).toMatchObject({
      noop: true,
      warnings: ["LEGACY_PARTIAL_SNAPSHOT"],
    });
  });

  test("unknown versions and other documents' versions are 404, a missing id 400", async () => {
    const other = (await client("POST", "/v1/documents", { title: "o", content: "" })).body.data.id;
    const [foreign] = (await client("GET", `/v1/documents/${other}/versions`)).body.data;
    expect((await restore(foreign.id)).status).toBe(404);
    expect((await restore("0".repeat(27))).status).toBe(404);
    expect((await restore("short")).status).toBe(404);
    expect((await client("POST", `/v1/documents/${id}/restore`, {})).status).toBe(400);
  });

  test("preconditions are checked for restore too", async () => {
    const [first] = await versions();
    expect((await restore(first.id, { expectedRevision: 3 })).status).toBe(412);
    expect((await restore(first.id, {}, { "If-Match": '"x"' })).status).toBe(412);
  });
});
