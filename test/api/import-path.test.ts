// metadata.importPath: a user has one document or prompt of each path.

import { beforeEach, describe, expect, test } from "bun:test";
import { useServer } from "../helpers/start.ts";

const started = useServer();
const { client } = started;

let path: string;
let counter = 0;
beforeEach(() => {
  path = `/home/ada/${++counter}.md`;
});
const bodyOf = (kind: string, metadata: object) => ({
  title: "t",
  content: "c",
  ...(kind === "prompts" && { description: "" }),
  metadata,
});
const create = (kind: string, metadata: object) => client("POST", `/v1/${kind}`, bodyOf(kind, metadata));
const conflictWith = (type: string, id: string) => ({
  status: 409,
  body: { error: { code: 409, details: { reason: "IMPORT_PATH_TAKEN", type, id } } },
});

describe.each([
  ["documents", "document"],
  ["prompts", "prompt"],
])("%s", (kind, type) => {
  test.each(["documents", "prompts"])(
    "of %s, none is created with the path of another record",
    async (other) => {
      const { id } = (await create(kind, { importPath: path })).body.data;
      expect(await create(other, { importPath: path, more: 1 })).toMatchObject(conflictWith(type, id));
      expect((await create(other, { importPath: `${path}x` })).status).toBe(201);
    },
  );

  test("a PATCH cannot take the path of another record, and can keep its own", async () => {
    const { id } = (await create(kind, { importPath: path })).body.data;
    const other = (await create(kind, { mine: true })).body.data.id;
    const patch = (of: string, metadata: object) => client("PATCH", `/v1/${kind}/${of}`, { metadata });
    expect(await patch(other, { importPath: path })).toMatchObject(conflictWith(type, id));
    expect((await client("GET", `/v1/${kind}/${other}`)).body.data.metadata).toEqual({ mine: true });
    expect((await patch(id, { importPath: path, more: 1 })).status).toBe(200);
    // The path is free as soon as no record has it.
    expect((await patch(id, {})).status).toBe(200);
    expect((await patch(other, { importPath: path })).status).toBe(200);
    expect((await client("DELETE", `/v1/${kind}/${other}`)).status).toBe(200);
    expect((await patch(id, { importPath: path })).status).toBe(200);
  });

  test("values that are no text are not compared", async () => {
    for (const importPath of [null, 1, true, [path], { path }]) {
      const statuses = [await create(kind, { importPath }), await create(kind, { importPath })];
      expect(statuses.map(({ status }) => status)).toEqual([201, 201]);
    }
  });
});

test("another user may have a record of the same path", async () => {
  const guest = started.clientOf("guest@example.org");
  await create("documents", { importPath: path });
  expect((await guest("POST", "/v1/documents", bodyOf("documents", { importPath: path }))).status).toBe(201);
});

test("a restored version keeps what an import remembers now", async () => {
  const first = { importPath: path, importHash: "sha256:1", importState: "1", author: "Ada" };
  const { id } = (await create("documents", first)).body.data;
  const metadata = {
    importPath: `${path}x`,
    importRoot: "/home/ada",
    importHash: "sha256:2",
    importState: "2",
  };
  await client("PATCH", `/v1/documents/${id}`, { content: "two", metadata });
  await create("documents", first);
  const versions = (await client("GET", `/v1/documents/${id}/versions`)).body.data;
  const restored = await client("POST", `/v1/documents/${id}/restore`, { versionId: versions[1].id });
  expect(restored.status).toBe(200);
  const { data } = (await client("GET", `/v1/documents/${id}`)).body;
  expect([data.content, data.metadata]).toEqual(["c", { ...metadata, author: "Ada" }]);
});
