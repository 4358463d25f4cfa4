// PATCH of prompts: what changes, what makes a version, what changes nothing.

import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const { client } = started;

const base = {
  title: "t",
  description: "d",
  content: "one",
  tags: ["a"],
  variables: [{ name: "v", type: "string" }],
  parameters: { b: 1, a: { y: [1, 2], x: null } },
  metadata: { author: "Ada" },
  workspaceId: "w",
};

async function fresh() {
  const { data } = (await client("POST", "/v1/prompts", base)).body;
  clock.advance(1000);
  return data;
}
const patch = (id: string, body: unknown) => client("PATCH", `/v1/prompts/${id}`, body);
const versions = async (id: string) => (await client("GET", `/v1/prompts/${id}/versions`)).body.data;

describe("changes that make a version", () => {
  test.each([
    ["content", { content: "two" }],
    ["content by a trailing line end", { content: "one\n" }],
    ["content by its canonical form alone", { content: "on\u0065\u0301" }],
    ["parameters", { parameters: { b: 2 } }],
    ["parameters cleared", { parameters: {} }],
    ["the order in an array of parameters", { parameters: { b: 1, a: { y: [2, 1], x: null } } }],
    ["variables", { variables: [{ name: "v", type: "number" }] }],
    ["variables cleared", { variables: [] }],
    ["a variable's description", { variables: [{ name: "v", type: "string", description: "" }] }],
    ["all three at once", { content: "three", parameters: {}, variables: [] }],
    ["content and title", { content: "four", title: "T" }],
  ])("%s", async (_name, change) => {
    const before = await fresh();
    const { status, body } = await patch(before.id, { ...change, changeLog: "why" });
    expect(status).toBe(200);
    const after = { ...before, ...change, currentVersion: 2, updatedAt: clock.now() };
    expect(body).toEqual({ data: after });
    const rows = await versions(before.id);
    expect(rows.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect(rows[0]).toMatchObject({ content: after.content, changeLog: "why" });
    expect(rows[1].content).toBe("one");
    expect(rows[1]).not.toHaveProperty("changeLog");
    expect((await client("GET", `/v1/prompts/${before.id}`)).body.data).toEqual(after);
  });
});

describe("changes that make no version", () => {
  test.each([
    [
      "metadata",
      { metadata: { author: "Grace", years: [1906] } },
      { metadata: { author: "Grace", years: [1906] } },
    ],
    ["metadata cleared", { metadata: {} }, { metadata: {} }],
    ["title", { title: "T" }, { title: "T" }],
    ["description", { description: "" }, { description: "" }],
    ["tags replaced", { tags: [" z ", "z", "y"] }, { tags: ["z", "y"] }],
    ["tags cleared", { tags: [] }, { tags: [] }],
    ["isPublic", { isPublic: true }, { isPublic: true }],
    [
      "title beside content and parameters as they are",
      {
        title: "T",
        content: "one",
        parameters: { a: { x: null, y: [1, 2] }, b: 1.0 },
        variables: base.variables,
      },
      { title: "T" },
    ],
  ])("%s, and the change log is dropped", async (_name, change, expected) => {
    const before = await fresh();
    const { status, body } = await patch(before.id, { ...change, changeLog: "lost" });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, ...expected, updatedAt: clock.now() });
    const rows = await versions(before.id);
    expect(rows.length).toBe(1);
    expect(rows[0]).not.toHaveProperty("changeLog");
    await patch(before.id, { content: "next" });
    expect((await versions(before.id))[0]).not.toHaveProperty("changeLog");
  });
});

describe("changes of nothing", () => {
  test.each([
    ["an empty object", {}],
    ["everything as it is", { ...base }],
    ["a change log alone", { changeLog: "nothing" }],
    ["members in another order", { parameters: { a: { x: null, y: [1, 2] }, b: 1 } }],
    ["unknown members in a variable", { variables: [{ name: "v", type: "string", default: 1 }] }],
    [
      "what cannot be changed",
      {
        id: "x",
        workspaceId: "v",
        isArchived: true,
        currentVersion: 7,
        stats: { views: 1 },
        createdAt: 1,
        zzz: 1,
      },
    ],
  ])("%s: 200 and nothing changes", async (_name, change) => {
    const before = await fresh();
    const { status, body } = await patch(before.id, change);
    expect(status).toBe(200);
    expect(body).toEqual({ data: before });
    expect((await versions(before.id)).length).toBe(1);
  });

  test("an empty object is accepted, an empty body is 400", async () => {
    const before = await fresh();
    const { status, body } = await patch(before.id, {});
    expect([status, body.data]).toEqual([200, before]);
    expect((await client("PATCH", `/v1/prompts/${before.id}`)).status).toBe(400);
  });
});

test("omitted fields are not changed", async () => {
  const before = await fresh();
  await patch(before.id, { content: "two" });
  await patch(before.id, { parameters: { only: true } });
  const { data } = (await client("GET", `/v1/prompts/${before.id}`)).body;
  expect(data).toEqual({
    ...before,
    content: "two",
    parameters: { only: true },
    currentVersion: 3,
    updatedAt: clock.now(),
  });
});

describe("400, and nothing changes", () => {
  test.each([
    ["title: null", { title: null }],
    ["description: null", { description: null }],
    ["content: null", { content: null }],
    ["tags: null", { tags: null }],
    ["variables: null", { variables: null }],
    ["parameters: null", { parameters: null }],
    ["isPublic: null", { isPublic: null }],
    ["changeLog: null", { changeLog: null }],
    ["a blank title", { title: " " }],
    ["a blank content", { content: "\n" }],
    ["a number as changeLog", { changeLog: 1 }],
    ["a comma in a tag", { content: "x", tags: ["a,b"] }],
    ["an unknown type of variable", { content: "x", variables: [{ name: "a", type: "any" }] }],
  ])("%s", async (_name, change) => {
    const before = await fresh();
    const { status, body } = await patch(before.id, change);
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBeString();
    expect((await client("GET", `/v1/prompts/${before.id}`)).body.data).toEqual(before);
  });
});

test("a change log of more than 16 kB is 413", async () => {
  const { id } = await fresh();
  expect((await patch(id, { content: "x", changeLog: "x".repeat(16 * 1024) })).status).toBe(200);
  const over = await patch(id, { content: "y", changeLog: "x".repeat(16 * 1024 + 1) });
  expect([over.status, over.body.error.details[0].path]).toEqual([413, "changeLog"]);
});

test("concurrent changes make a version each", async () => {
  const { id } = await fresh();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) => patch(id, { content: `parallel ${i}` })),
  );
  expect(replies.map(({ body }) => body.data.currentVersion).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  expect((await versions(id)).length).toBe(9);
});
