// Labels on versions of prompts: who sets them, and reading the version that has one.

import { expect, test } from "bun:test";
import { consoleClient } from "../../helpers/console-client.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { client, create } = started;
const owner = await consoleClient(started);

/** A prompt with three versions; the ids of the versions, oldest first. */
async function promptWithVersions(isPublic = false) {
  const variables = [{ name: "who", type: "string" }];
  const id = await create("/v1/prompts", {
    title: "p",
    description: "",
    content: "one",
    variables,
    isPublic,
  });
  await client("PATCH", `/v1/prompts/${id}`, { content: "two", variables: [] });
  await client("PATCH", `/v1/prompts/${id}`, { content: "three" });
  const { body } = await client("GET", `/v1/prompts/${id}/versions`);
  const versions: string[] = body.data.map(({ id: versionId }: { id: string }) => versionId).reverse();
  return { id, versions };
}
const put = (id: string, label: string, versionId: string | null, by = owner) =>
  by("PUT", `/console/api/prompts/${id}/labels`, { label, versionId });
const read = (id: string, label: string, by = client) => by("GET", `/v1/prompts/${id}?label=${label}`);

test("a label returns its version, until it is moved or taken off", async () => {
  const { id, versions } = await promptWithVersions();
  expect((await read(id, "production")).status).toBe(404);
  expect((await put(id, "production", versions[0]!)).status).toBe(200);
  const first = await read(id, "production");
  expect(first.body.data).toMatchObject({
    id,
    content: "one",
    variables: [{ name: "who", type: "string" }],
    label: "production",
    version: 1,
    currentVersion: 3,
  });
  const current = (await client("GET", `/v1/prompts/${id}`)).body.data;
  expect(current.content).toBe("three");
  expect(current).not.toContainKeys(["label", "version"]);

  await put(id, "staging", versions[1]!);
  await put(id, "production", versions[1]!);
  expect((await read(id, "production")).body.data).toMatchObject({
    content: "two",
    version: 2,
    variables: [],
  });
  const listed = (await client("GET", `/v1/prompts/${id}/versions`)).body.data;
  expect(listed.map(({ labels }: { labels?: string[] }) => labels)).toEqual([
    undefined,
    ["production", "staging"],
    undefined,
  ]);

  expect((await put(id, "production", null)).status).toBe(200);
  expect((await put(id, "production", null)).status).toBe(404);
  expect((await read(id, "production")).status).toBe(404);
});

test("only the owner sets labels; who may read the prompt may read the labelled version", async () => {
  const { id, versions } = await promptWithVersions(true);
  const other = started.clientOf("other@example.org");
  expect((await put(id, "production", versions[0]!, other)).status).toBe(403);
  await put(id, "production", versions[0]!);
  expect((await read(id, "production", other)).body.data.content).toBe("one");
  const hidden = await promptWithVersions();
  await put(hidden.id, "production", hidden.versions[0]!);
  expect((await read(hidden.id, "production", other)).status).toBe(404);
  const reader = started.clientOf("owner@localhost", ["prompts.read"]);
  expect((await put(id, "staging", versions[0]!, reader)).status).toBe(403);
});

test("a version of another prompt, a wrong label and too many labels are rejected", async () => {
  const { id, versions } = await promptWithVersions();
  const another = await promptWithVersions();
  expect((await put(id, "production", another.versions[0]!)).status).toBe(404);
  for (const label of ["", "Production", "a b", "-x", "x".repeat(41)]) {
    expect((await put(id, label, versions[0]!)).status).toBe(400);
    if (label !== "") expect((await read(id, encodeURIComponent(label))).status).toBe(400);
  }
  for (let label = 0; label < 20; label++) {
    expect((await put(id, `label-${label}`, versions[0]!)).status).toBe(200);
  }
  expect((await put(id, "label-20", versions[0]!)).status).toBe(422);
  expect((await read(id, "label-20")).status).toBe(404);
  expect((await put(id, "label-0", versions[1]!)).status).toBe(200);
});

test("labels are deleted with the prompt", async () => {
  const { id, versions } = await promptWithVersions();
  await put(id, "production", versions[0]!);
  await client("DELETE", `/v1/prompts/${id}`);
  const rows = started.app.store.sql.query("SELECT * FROM prompt_labels WHERE prompt_id = ?").all(id);
  expect(rows).toEqual([]);
});
