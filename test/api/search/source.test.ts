// The member `source` of results: path of the imported file or URL of the page, headings, and line.

import { beforeAll, expect, test } from "bun:test";
import { fakeEmbedder, GENEROUS } from "../../helpers/embedder.ts";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ embedder: fakeEmbedder(undefined, GENEROUS) });
const { client, create } = started;

const CONTENT = "# Tea\r\n\r\nIntroduction.\r\n\r\n## Boiling\n\nThe zebra kettle whistles.\n";
let imported: string;
let page: string;

beforeAll(async () => {
  const metadata = { importPath: "/home/ada/notes/kitchen/tea.md", importRoot: "/home/ada/notes" };
  imported = await create("/v1/documents", { title: "Tea", content: CONTENT, metadata });
  const sourceUrl = "https://example.org/tea";
  page = await create("/v1/documents", { title: "Page", content: "A giraffe.", sourceUrl });
  await create("/v1/documents", { title: "Note", content: "An okapi." });
  await started.settle();
});

const SOURCE = { path: "kitchen/tea.md", heading: "Tea > Boiling", line: 7 };
const documents = async (q: string, semantic: boolean) =>
  (await client("GET", `/v1/search?q=${q}&semantic=${semantic}`)).body.data.documents;

test("a search by meaning returns path, headings and line of the best passage", async () => {
  expect(await documents("zebra", true)).toMatchObject([{ documentId: imported, source: SOURCE }]);
  const url = "https://example.org/tea";
  expect((await documents("giraffe", true))[0]).toMatchObject({ documentId: page, source: { url } });
});

test("a literal search returns path or URL, and the place of a match in a passage", async () => {
  expect(await documents("zebra", false)).toMatchObject([
    { documentId: imported, source: { path: SOURCE.path } },
  ]);
});

test("the name of the imported file and its aliases are found like the title", async () => {
  const metadata = { importPath: "/home/ada/notes/Quokka handbook.md", aliases: ["Wombat guide", 7] };
  const id = await create("/v1/documents", {
    title: "Rules",
    content: "Nothing of it is said here.",
    metadata,
  });
  await started.settle();
  for (const q of ["quokka handbook", "wombat guide"])
    expect((await documents(q, true))[0], q).toMatchObject({ documentId: id });
});

test("disclosure returns the same, also around a passage", async () => {
  const found = await client("POST", "/v1/pd/search", { query: "zebra", scoreThreshold: 0 });
  const [first] = found.body.data.results;
  expect(first.source).toEqual(SOURCE);
  const up = await client("POST", "/v1/pd/expand", { chunkId: first.chunkId, direction: "up" });
  expect(up.body.data.chunks[0].source).toEqual({ ...SOURCE, line: 5 });
});

test("without file and page there are headings and line, and a file outside the folder has its whole path", async () => {
  const [note] = (await client("POST", "/v1/pd/search", { query: "okapi" })).body.data.results;
  expect(note.source).toEqual({ line: 1 });
  const metadata = { importPath: "/elsewhere/a.md", importRoot: "/home/ada/notes" };
  await create("/v1/documents", { title: "Moved", content: "A quagga.", metadata });
  await started.settle();
  expect((await documents("quagga", true))[0].source).toMatchObject({ path: "/elsewhere/a.md" });
});
