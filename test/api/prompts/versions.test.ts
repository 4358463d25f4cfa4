// GET /v1/prompts/{id}/versions and POST /v1/prompts/{id}/restore.

import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { useServer } from "../../helpers/start.ts";
import { walkPages } from "../../helpers/walk.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const { client } = started;

const UNKNOWN = "0".repeat(27);
const create = async (body: object = {}) =>
  (await client("POST", "/v1/prompts", { title: "t", description: "d", content: "one", ...body })).body.data;
const patch = async (id: string, body: object) =>
  (await client("PATCH", `/v1/prompts/${id}`, body)).body.data;
const list = (id: string, query = "") => client("GET", `/v1/prompts/${id}/versions${query}`);
const restore = (id: string, body: unknown) => client("POST", `/v1/prompts/${id}/restore`, body);
const numbers = (rows: { version: number }[]) => rows.map(({ version }) => version);

describe("versions", () => {
  test("a new prompt has one row, version 1, with both names of each member", async () => {
    const { id } = await create({ content: `${"é".repeat(199)}👩x` });
    const { status, body } = await list(id);
    expect(status).toBe(200);
    const [{ id: versionId }] = body.data;
    expect(body).toEqual({
      data: [
        {
          id: versionId,
          versionId,
          version: 1,
          content: `${"é".repeat(199)}👩x`,
          preview: `${"é".repeat(199)}👩`,
          userName: "owner@localhost",
          createdAt: clock.now(),
          createdBy: "owner@localhost",
        },
      ],
      pagination: { cursor: "", hasMore: false },
    });
    expect(versionId).toMatch(/^[0-9A-Za-z]{27}$/);
  });

  test("rows are newest first, also when the clock was set back in between", async () => {
    const { id } = await create();
    clock.step(-5_000);
    await patch(id, { content: "two", changeLog: "second" });
    clock.step(5_000);
    await patch(id, { parameters: { a: 1 } });
    const { data } = (await list(id)).body;
    expect(numbers(data)).toEqual([3, 2, 1]);
    expect(data.map(({ content }: { content: string }) => content)).toEqual(["two", "two", "one"]);
    expect(data[1].changeLog).toBe("second");
  });

  test("pages: a walk returns every row once, also while versions are added", async () => {
    const { id } = await create();
    for (let i = 2; i <= 7; i++) await patch(id, { content: `${i}` });
    let pages = 0;
    const rows = await walkPages(client, `/v1/prompts/${id}/versions?limit=2`, () =>
      patch(id, { content: `during page ${pages++}` }),
    );
    expect(numbers(rows)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test("the default limit is 100", async () => {
    const { id } = await create();
    for (let i = 2; i <= 102; i++) await patch(id, { content: `${i}` });
    const first = (await list(id)).body;
    expect(numbers(first.data)).toEqual(Array.from({ length: 100 }, (_, i) => 102 - i));
    const second = (await list(id, `?cursor=${first.pagination.cursor}`)).body;
    expect(numbers(second.data)).toEqual([2, 1]);
  });

  test("a page of large bodies ends early", async () => {
    const { id } = await create({ content: "x".repeat(1024 * 1024) });
    for (let i = 2; i <= 10; i++) await patch(id, { content: `${i}`.padEnd(1024 * 1024, "x") });
    const { data, pagination } = (await list(id)).body;
    expect(data.length).toBeLessThan(10);
    expect(pagination.hasMore).toBe(true);
    const rest = (await list(id, `?cursor=${pagination.cursor}`)).body;
    expect(numbers([...data, ...rest.data])).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test.each(["limit=0", "limit=101", "limit=x", "limit=", "cursor=garbage", "limit=1&limit=1"])(
    "%s is 400",
    async (query) => {
      const { id } = await create();
      expect((await list(id, `?${query}`)).status).toBe(400);
    },
  );

  test("a cursor of another prompt is 400", async () => {
    const [a, b] = [await create(), await create()];
    await patch(a.id, { content: "two" });
    await patch(b.id, { content: "two" });
    const { cursor } = (await list(a.id, "?limit=1")).body.pagination;
    expect((await list(b.id, `?limit=1&cursor=${cursor}`)).status).toBe(400);
    expect((await list(a.id, `?limit=1&cursor=${cursor}`)).status).toBe(200);
  });

  test("an unknown prompt is 404, a malformed id 400", async () => {
    expect((await list(UNKNOWN)).status).toBe(404);
    expect((await list("short")).status).toBe(400);
  });
});

describe("restore", () => {
  test("copies content, variables and parameters into a new version and nothing else", async () => {
    const versioned = { content: "one", variables: [{ name: "a", type: "number" }], parameters: { p: [1] } };
    const { id } = await create({ ...versioned, tags: ["old"] });
    const [first] = (await list(id)).body.data;
    const changed = { title: "T", description: "D", tags: ["new"], isPublic: true };
    await patch(id, { ...changed, content: "two", variables: [], parameters: {} });
    clock.advance(1000);
    const { status, body } = await restore(id, { versionId: first.versionId });
    expect(status).toBe(200);
    expect(body.data).not.toHaveProperty("tags");
    const { data } = (await client("GET", `/v1/prompts/${id}`)).body;
    expect(data).toEqual({ ...body.data, tags: ["new"] });
    expect(data).toMatchObject({ ...changed, ...versioned, currentVersion: 3, updatedAt: clock.now() });
    const rows = (await list(id)).body.data;
    expect(numbers(rows)).toEqual([3, 2, 1]);
    expect(rows[0]).toMatchObject({
      content: "one",
      changeLog: "restored version 1",
      createdAt: clock.now(),
    });
    expect(rows[1].content).toBe("two");
    expect(rows[0].id).not.toBe(first.id);
  });

  test("restoring the current version makes a new version too", async () => {
    const { id } = await create();
    const [first] = (await list(id)).body.data;
    expect((await restore(id, { versionId: first.id })).body.data.currentVersion).toBe(2);
    expect((await restore(id, { versionId: first.id, changeLog: "x" })).body.data.currentVersion).toBe(3);
    expect((await list(id)).body.data.length).toBe(3);
  });

  test("the new version has the name of the user who restored", async () => {
    const { id } = await create();
    const [first] = (await list(id)).body.data;
    started.app.store.sql.run("UPDATE users SET name = 'Ada' WHERE email = 'owner@localhost'");
    await restore(id, { versionId: first.id });
    started.app.store.sql.run("UPDATE users SET name = NULL");
    const rows = (await list(id)).body.data;
    expect(rows[0]).toMatchObject({ userName: "Ada", createdBy: "Ada" });
    expect(rows[1]).toMatchObject({ userName: "owner@localhost" });
  });

  test("an unknown version, and one of another prompt: 404, and nothing is written", async () => {
    const [own, other] = [await create(), await create()];
    const [foreign] = (await list(other.id)).body.data;
    for (const versionId of [UNKNOWN, "short", "", foreign.id, own.id]) {
      expect((await restore(own.id, { versionId })).status).toBe(404);
    }
    expect((await list(own.id)).body.data.length).toBe(1);
  });

  test.each([
    ["no versionId", {}],
    ["null", { versionId: null }],
    ["a number", { versionId: 1 }],
  ])("400: %s", async (_name, body) => {
    const { id } = await create();
    expect((await restore(id, body)).status).toBe(400);
  });

  test("an unknown prompt: 404", async () => {
    expect((await restore(UNKNOWN, { versionId: UNKNOWN })).status).toBe(404);
  });

  test("versions are deleted with their prompt, and cannot be restored into another", async () => {
    const [gone, kept] = [await create(), await create()];
    const [version] = (await list(gone.id)).body.data;
    await client("DELETE", `/v1/prompts/${gone.id}`);
    expect((await list(gone.id)).status).toBe(404);
    expect((await restore(kept.id, { versionId: version.id })).status).toBe(404);
  });
});
