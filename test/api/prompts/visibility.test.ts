// Another user × private and public × every operation on prompts; the effect of making a prompt public and private
// again.

import { describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const UNKNOWN = "0".repeat(27);
const started = useServer();
const owner = started.client;
const other = started.clientOf("prompts-other@example.org");

const make = async (isPublic: boolean): Promise<string> =>
  (await owner("POST", "/v1/prompts", { title: "Shared", description: "d", content: "c", isPublic })).body
    .data.id;

const OPERATIONS: [name: string, method: string, path: string, body: object | undefined, ofPublic: number][] =
  [
    ["read", "GET", "", undefined, 200],
    ["list versions", "GET", "/versions", undefined, 403],
    ["list versions with a bad cursor", "GET", "/versions?cursor=x", undefined, 403],
    ["change", "PATCH", "", { content: "stolen" }, 403],
    ["change nothing", "PATCH", "", {}, 403],
    ["make private", "PATCH", "", { isPublic: false }, 403],
    ["delete", "DELETE", "", undefined, 403],
    ["restore an unknown version", "POST", "/restore", { versionId: UNKNOWN }, 403],
  ];

describe("another user", () => {
  test.each(OPERATIONS)(
    "%s: private 404, public as the contract says",
    async (_name, method, path, body, ofPublic) => {
      const [hidden, open] = [await make(false), await make(true)];
      const ask = (id: string) => other(method, `/v1/prompts/${id}${path}`, body);
      const missing = await ask(UNKNOWN);
      expect(missing.status).toBe(404);
      const ofHidden = await ask(hidden);
      expect([ofHidden.status, ofHidden.body]).toEqual([404, missing.body]);
      expect((await ask(open)).status).toBe(ofPublic);
      for (const id of [hidden, open]) {
        const { data } = (await owner("GET", `/v1/prompts/${id}`)).body;
        expect(data).toMatchObject({
          title: "Shared",
          content: "c",
          currentVersion: 1,
          isPublic: id === open,
        });
      }
    },
  );

  test("restore with the right version is rejected too", async () => {
    const id = await make(true);
    const [{ versionId }] = (await owner("GET", `/v1/prompts/${id}/versions`)).body.data;
    expect((await other("POST", `/v1/prompts/${id}/restore`, { versionId })).status).toBe(403);
    const own = (await other("POST", "/v1/prompts", { title: "t", description: "d", content: "c" })).body
      .data;
    expect((await other("POST", `/v1/prompts/${own.id}/restore`, { versionId })).status).toBe(404);
  });

  test("a malformed body or id is 400 before the record is looked up", async () => {
    const id = await make(true);
    expect((await other("PATCH", `/v1/prompts/${id}`, { title: "" })).status).toBe(400);
    expect((await other("POST", `/v1/prompts/${id}/restore`, {})).status).toBe(400);
    for (const [, method, path, body] of OPERATIONS.filter(([, , path]) => !path.includes("?")))
      expect((await other(method, `/v1/prompts/short${path}`, body)).status).toBe(400);
  });

  test("can read a public prompt until it is private again", async () => {
    const id = await make(false);
    const read = () => other("GET", `/v1/prompts/${id}`);
    expect((await read()).status).toBe(404);
    await owner("PATCH", `/v1/prompts/${id}`, { isPublic: true });
    const shown = await read();
    expect(shown.status).toBe(200);
    expect(shown.body.data).toMatchObject({ id, content: "c", isPublic: true, currentVersion: 1 });
    expect(shown.body.data).not.toHaveProperty("userId");
    await owner("PATCH", `/v1/prompts/${id}`, { isPublic: false });
    expect((await read()).status).toBe(404);
  });

  test("cannot add a prompt to the owner's collection", async () => {
    const collection = (await owner("POST", "/v1/collections", { name: "mine", isPublic: true })).body.data
      .id;
    const body = { title: "t", description: "d", content: "c", collectionIds: [collection] };
    expect((await other("POST", "/v1/prompts", body)).status).toBe(404);
  });
});

test("a key with prompts.read can read prompts, but not write", async () => {
  const reader = started.clientOf("owner@localhost", ["prompts.read"]);
  const id = await make(false);
  const [{ versionId }] = (await owner("GET", `/v1/prompts/${id}/versions`)).body.data;
  expect((await reader("GET", `/v1/prompts/${id}`)).status).toBe(200);
  expect((await reader("GET", "/v1/prompts")).status).toBe(200);
  expect((await reader("GET", `/v1/prompts/${id}/versions`)).status).toBe(200);
  const prompt = { title: "t", description: "d", content: "c" };
  expect((await reader("POST", "/v1/prompts", prompt)).status).toBe(403);
  expect((await reader("PATCH", `/v1/prompts/${id}`, {})).status).toBe(403);
  expect((await reader("DELETE", `/v1/prompts/${id}`)).status).toBe(403);
  expect((await reader("POST", `/v1/prompts/${id}/restore`, { versionId })).status).toBe(403);
});
