// POST, GET and DELETE of prompts: shapes, caps, what belongs to a prompt.

import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type Client, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const { client } = started;

const base = { title: "t", description: "d", content: "c" };
const create = (body: object) => client("POST", "/v1/prompts", body);
const read = async (id: string) => (await client("GET", `/v1/prompts/${id}`)).body.data;
const count = (table: string) =>
  started.app.store.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
const UNKNOWN = "0".repeat(27);

describe("POST /v1/prompts", () => {
  test("returns the whole prompt with its location", async () => {
    const given = {
      title: "Reviewer",
      description: "Reviews a change",
      content: `Review \${change} in \${language}.\n`,
      tags: [" b ", "A", "b"],
      variables: [
        { name: "change", type: "string", description: "the diff" },
        { name: "lines", type: "number" },
        { name: "strict", type: "boolean", description: "" },
      ],
      parameters: { temperature: 0.2, stop: ["\n", null], nested: { a: [{}] } },
      metadata: { author: "Ada", years: [1815] },
      isPublic: true,
      workspaceId: "w1",
    };
    const { status, headers, body } = await create(given);
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        ...given,
        tags: ["b", "A"],
        id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
        isArchived: false,
        currentVersion: 1,
        stats: { views: 0, copies: 0 },
        createdAt: clock.now(),
        updatedAt: clock.now(),
      },
    });
    expect(headers.get("location")).toBe(`/v1/prompts/${body.data.id}`);
    const got = await client("GET", headers.get("location")!);
    expect(got.status).toBe(200);
    expect(got.body).toEqual(body);
  });

  test("omitted members have their default; optional fields without a value are omitted", async () => {
    const { data } = (await create(base)).body;
    expect(data).toEqual({
      ...base,
      id: data.id,
      tags: [],
      variables: [],
      parameters: {},
      metadata: {},
      isPublic: false,
      isArchived: false,
      currentVersion: 1,
      stats: { views: 0, copies: 0 },
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
  });

  test("members that are read-only or unknown are ignored, in variables too", async () => {
    const { data } = (
      await create({
        ...base,
        id: "x",
        currentVersion: 9,
        isArchived: true,
        stats: { views: 5 },
        createdAt: 1,
        changeLog: 7,
        variables: [{ name: "a", type: "string", default: "x" }],
      })
    ).body;
    expect(data).toMatchObject({ currentVersion: 1, isArchived: false, stats: { views: 0, copies: 0 } });
    expect(data.createdAt).toBe(clock.now());
    expect(data.variables).toEqual([{ name: "a", type: "string" }]);
  });

  test("texts are stored byte for byte, names of prototype members are data", async () => {
    const content = `\ufeff\${a}\0b\r\n\u2028e\u0301 👩‍👩‍👧 {{x}}\n\n`;
    const description = "\ufeff one\0two\r\n";
    const { id } = (await create({ ...base, description, content })).body.data;
    expect(await read(id)).toMatchObject({ description, content });
    const raw =
      '{"title":"t","description":"","content":"c","parameters":{"__proto__":{"a":1},"toString":2}}';
    const second = (await client("POST", "/v1/prompts", raw)).body.data.id;
    expect(JSON.stringify((await read(second)).parameters)).toBe('{"__proto__":{"a":1},"toString":2}');
  });

  test.each([
    ["no title", { title: undefined }],
    ["no description", { description: undefined }],
    ["no content", { content: undefined }],
    ["an empty title", { title: "" }],
    ["a blank title", { title: " \t" }],
    ["an empty content", { content: "" }],
    ["a blank content", { content: " \r\n\u3000" }],
    ["NUL in the title", { title: "a\0b" }],
    ["a number as title", { title: 1 }],
    ["null as title", { title: null }],
    ["null as description", { description: null }],
    ["null as content", { content: null }],
    ["null as tags", { tags: null }],
    ["null as variables", { variables: null }],
    ["null as parameters", { parameters: null }],
    ["null as isPublic", { isPublic: null }],
    ["null as collectionIds", { collectionIds: null }],
    ["null as workspaceId", { workspaceId: null }],
    ["tags as text", { tags: "a,b" }],
    ["a blank tag", { tags: [" "] }],
    ["a comma in a tag", { tags: ["a,b"] }],
    ["NUL in a tag", { tags: ["a\0"] }],
    ["a tag of 129 bytes", { tags: [`${"é".repeat(64)}x`] }],
    ["101 tags", { tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }],
    ["variables as object", { variables: {} }],
    ["a variable as text", { variables: ["a"] }],
    ["a variable without a name", { variables: [{ type: "string" }] }],
    ["a variable with an empty name", { variables: [{ name: "", type: "string" }] }],
    ["a variable with a blank name", { variables: [{ name: " ", type: "string" }] }],
    ["NUL in a variable's name", { variables: [{ name: "a\0", type: "string" }] }],
    ["a variable without a type", { variables: [{ name: "a" }] }],
    ["an unknown type of variable", { variables: [{ name: "a", type: "array" }] }],
    ["a type in capitals", { variables: [{ name: "a", type: "String" }] }],
    [
      "a variable whose description is null",
      { variables: [{ name: "a", type: "string", description: null }] },
    ],
    ["parameters as array", { parameters: [] }],
    ["parameters as text", { parameters: "{}" }],
    ["isPublic as text", { isPublic: "true" }],
    ["collectionIds as text", { collectionIds: UNKNOWN }],
    ["a number in collectionIds", { collectionIds: [1] }],
    ["501 collectionIds", { collectionIds: Array.from({ length: 501 }, () => UNKNOWN) }],
    ["a workspaceId of 129 bytes", { workspaceId: "x".repeat(129) }],
    ["NUL in the workspaceId", { workspaceId: "a\0" }],
  ])("400, and nothing is written: %s", async (_name, change) => {
    const before = count("prompts");
    const { status, body } = await create({ ...base, ...change });
    expect(status).toBe(400);
    expect(body.error.code).toBe(400);
    expect(body.error.details[0].path.split(".")[0]).toBe(Object.keys(change)[0]);
    expect(count("prompts")).toBe(before);
  });

  test("an empty description is accepted", async () => {
    expect((await create({ ...base, description: "" })).body.data.description).toBe("");
  });

  const KB = 1024;
  /** Variables of exactly so many bytes as JSON. */
  const variablesOf = (bytes: number) => {
    const sized = (length: number) => [{ name: "a", type: "string", description: "x".repeat(length) }];
    return sized(bytes - JSON.stringify(sized(0)).length);
  };
  test.each([
    ["title", "é".repeat(256), `${"é".repeat(256)}x`],
    ["description", "é".repeat(8 * KB), `${"é".repeat(8 * KB)}x`],
    ["content", "é".repeat(512 * KB), `${"é".repeat(512 * KB)}x`],
    ["parameters", { a: "x".repeat(256 * KB - 8) }, { a: "x".repeat(256 * KB - 7) }],
    ["variables", variablesOf(256 * KB), variablesOf(256 * KB + 1)],
  ])("the cap of %s: at it 201, over it 413; PATCH likewise", async (name, fits, tooMuch) => {
    const made = await create({ ...base, [name]: fits });
    expect(made.status).toBe(201);
    expect(made.body.data[name]).toEqual(fits);
    const patch = (value: unknown) => client("PATCH", `/v1/prompts/${made.body.data.id}`, { [name]: value });
    expect((await patch(fits)).status).toBe(200);
    for (const over of [await create({ ...base, [name]: tooMuch }), await patch(tooMuch)]) {
      expect(over.status).toBe(413);
      expect(over.body.error.details[0].path).toBe(name);
    }
  });

  test("many wrong variables get a short reply", async () => {
    const variables = Array.from({ length: 5000 }, () => ({ name: " ", type: "string" }));
    const { status, body } = await create({ ...base, variables });
    expect(status).toBe(400);
    expect(body.error.details.length).toBeLessThanOrEqual(20);
  });
});

describe("collectionIds", () => {
  const collection = async (by: Client = client): Promise<string> =>
    (await by("POST", "/v1/collections", { name: "c" })).body.data.id;
  const itemsOf = async (id: string) =>
    (await client("GET", `/v1/collections/${id}/items`)).body.data.map(
      ({ itemType, itemId }: { itemType: string; itemId: string }) => [itemType, itemId],
    );

  test("the new prompt is a member of each, once", async () => {
    const [a, b] = [await collection(), await collection()];
    const { id } = (await create({ ...base, collectionIds: [a, b, a] })).body.data;
    expect(await itemsOf(a)).toEqual([["prompt", id]]);
    expect(await itemsOf(b)).toEqual([["prompt", id]]);
    await client("DELETE", `/v1/prompts/${id}`);
    expect(await itemsOf(a)).toEqual([]);
  });

  test("one that is unknown or another user's: 404, and nothing is written", async () => {
    const own = await collection();
    const foreign = await collection(started.clientOf("collector@example.org"));
    for (const bad of [UNKNOWN, "short", foreign]) {
      const before = count("prompts");
      expect((await create({ ...base, collectionIds: [own, bad] })).status).toBe(404);
      expect(count("prompts")).toBe(before);
    }
    expect(await itemsOf(own)).toEqual([]);
    expect(count("prompt_versions")).toBeGreaterThanOrEqual(count("prompts"));
  });
});

describe("DELETE /v1/prompts/{id}", () => {
  test("deletes the prompt with its versions and its vector", async () => {
    const { id } = (await create({ ...base, title: "Doomed wombat" })).body.data;
    await client("PATCH", `/v1/prompts/${id}`, { content: "second" });
    await started.settle();
    const left = (table: string) =>
      started.app.store.sql
        .query<{ n: number }, [string]>(`SELECT count(*) AS n FROM ${table} WHERE prompt_id = ?`)
        .get(id)!.n;
    expect([left("prompt_versions"), left("prompt_vectors")]).toEqual([2, 1]);
    const { status, body } = await client("DELETE", `/v1/prompts/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, id });
    expect([left("prompt_versions"), left("prompt_vectors")]).toEqual([0, 0]);
    expect((await client("GET", `/v1/prompts/${id}`)).status).toBe(404);
    expect((await client("DELETE", `/v1/prompts/${id}`)).status).toBe(404);
    for (const semantic of [true, false]) {
      const found = await client("GET", `/v1/search?q=doomed+wombat&semantic=${semantic}`);
      expect(found.body.data.prompts).toEqual([]);
    }
  });
});

test("the manifest lists all prompt operations", async () => {
  const { capabilities } = (await client("GET", "/v1/mcp/capabilities")).body;
  expect(new Set(Object.values(capabilities.prompts))).toEqual(new Set([true]));
});
