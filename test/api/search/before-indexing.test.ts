// A document that somebody has just written is found by its words before it is indexed: also by a search by meaning,
// and while an import waits.

import { beforeAll, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { client } = started;
let id: string;

const importedMetadata = { importPath: "/vault/zebra.md", importHash: `sha256:${"0".repeat(64)}` };
beforeAll(async () => {
  // Nothing is indexed from now on.
  await started.settle();
  await started.stopJobs();
  const note = {
    title: "Cellar",
    content: "The zebra lantern is stored behind the barrels.",
    tags: ["home"],
  };
  id = (await client("POST", "/v1/documents", note)).body.data.id;
  const imported = {
    title: "Imported",
    content: "The zebra lantern of an import.",
    metadata: importedMetadata,
  };
  expect((await client("POST", "/v1/documents", imported)).status).toBe(201);
});

const search = async (query: string) =>
  (await client("GET", `/v1/search?q=${encodeURIComponent(query)}&explain=true`)).body;

test("by the words of the question, without a dense part, and counted as pending", async () => {
  const { data, meta } = await search("where is the zebra lantern?");
  expect(data.documents).toMatchObject([
    {
      documentId: id,
      title: "Cellar",
      tags: ["home"],
      highlight: "The zebra lantern is stored behind the barrels.",
      explain: { dense: 0, denseWeight: 0 },
    },
  ]);
  expect(data.documents[0].explain).not.toContainKeys(["cosine", "chunkId"]);
  expect(data.documents[0].score).toBeGreaterThan(0.6);
  expect(meta.pending).toBe(2);
});

test("not by words such as where and the, and not by another user or tag", async () => {
  expect((await search("where is the moon?")).data.documents).toEqual([]);
  const other = started.clientOf("other@localhost");
  expect((await other("GET", "/v1/search?q=zebra")).body.data.documents).toEqual([]);
  expect((await search("zebra tag:work")).data.documents).toEqual([]);
  expect((await search("zebra tag:home")).data.documents).toHaveLength(1);
});
