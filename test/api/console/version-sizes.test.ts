// The number of lines that each version of a record has changed.

import { expect, test } from "bun:test";
import { consoleClient } from "../../helpers/console-client.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { client, create } = started;
const owner = await consoleClient(started);

type Size = { version: number; added: number | null; removed: number | null };
const sizesOf = async (id: string, reader = owner) => {
  const { body } = await reader("GET", `/console/api/records/${id}/versions`);
  return body.data.map(({ version, added, removed }: Size) => [version, added, removed]);
};

test("lines of a document that were added and removed; moved lines do not count", async () => {
  const id = await create("/v1/documents", { title: "t", content: "a\nb\nb" });
  for (const content of ["b\na\nb", "a\nb\nc\nd"]) await client("PATCH", `/v1/documents/${id}`, { content });
  await client("PATCH", `/v1/documents/${id}`, { title: "only the title" });
  expect(await sizesOf(id)).toEqual([
    [3, 0, 0],
    [2, 2, 1],
    [1, 0, 0],
    [0, 3, 0],
  ]);
});

test("prompts have versions, too", async () => {
  const id = await create("/v1/prompts", { title: "t", description: "d", content: "one" });
  await client("PATCH", `/v1/prompts/${id}`, { content: "one\ntwo" });
  expect(await sizesOf(id)).toEqual([
    [2, 1, 0],
    [1, 1, 0],
  ]);
  const reader = await consoleClient(started, { ...started.owner, scopes: ["documents.read"] });
  expect(await sizesOf(id, reader)).toEqual([]);
});

test("records of others and unknown ids have none", async () => {
  const { body } = await started.clientOf("other@example.org")("POST", "/v1/documents", {
    title: "t",
    content: "x",
  });
  expect(await sizesOf(body.data.id)).toEqual([]);
  expect(await sizesOf("2yGqQzDbdVZNFCVpSyVEFDUUbZ5")).toEqual([]);
});

test("old versions of large texts are not compared", async () => {
  await started.stopJobs();
  const text = (letter: string) => `${letter.repeat(99)}\n`.repeat(22_500);
  const id = await create("/v1/documents", { title: "large", content: text("a") });
  for (const letter of ["b", "c"]) await client("PATCH", `/v1/documents/${id}`, { content: text(letter) });
  expect(await sizesOf(id)).toEqual([
    [2, 22_500, 22_500],
    [1, null, null],
    [0, null, null],
  ]);
});
