// GET /v1/search?semantic=false: substrings of titles, previews and indexed chunks.

import { beforeAll, describe, expect, test } from "bun:test";
import { startServer, useServer } from "../../helpers/start.ts";

const ids: Record<string, string> = {};
const filler = (words: number) => Array.from({ length: words }, (_, i) => `filler${i} text.`).join(" ");

async function store(name: string, document: object) {
  const { status, body } = await client("POST", "/v1/documents", document);
  expect(status).toBe(201);
  ids[name] = body.data.id;
}

async function find(
  q: string,
  parameters = "",
): Promise<{ name: string | undefined; chunkId?: string; highlight: string }[]> {
  const { status, body } = await client(
    "GET",
    `/v1/search?semantic=false&q=${encodeURIComponent(q)}${parameters}`,
  );
  expect(status).toBe(200);
  return body.data.documents.map((hit: { documentId: string; chunkId?: string; highlight: string }) => ({
    name: Object.keys(ids).find((key) => ids[key] === hit.documentId),
    chunkId: hit.chunkId,
    highlight: hit.highlight,
  }));
}
const names = async (q: string, parameters = "") => (await find(q, parameters)).map(({ name }) => name);

const started = useServer();
const { client } = started;

beforeAll(async () => {
  await store("school", { title: "L'École des Femmes", content: "Molière wrote it in 1662." });
  await store("percent", {
    title: "Rates",
    content: "Growth was 100% in file_name.txt, not 1000 or file-name.",
  });
  await store("deep", {
    title: "Long report",
    content: `# Start\n\n${filler(900)}\n\n## Needle section\n\nHere hides the xylophone of 1984.\n`,
    tags: ["report", "old"],
  });
  await store("cjk", { title: "日本語", content: "東京都は日本の首都です。" });
  await store("split", {
    title: "One block",
    content: `${filler(198)} crossing sentence. Next one here. ${filler(200)}`,
  });
  await store("references", {
    title: "Menu",
    content: "Fish &amp; chips &lt;hot&gt; cost&nbsp;9&#32;pounds.",
  });
  await store("nul", { title: "Bytes", content: "before\0after" });
  await started.settle();
});

describe("matches", () => {
  test.each([
    ["a title", "femmes", ["school"]],
    ["with Unicode case", "ÉCOLE", ["school"]],
    ["a decomposed accent", "e\u0301cole", ["school"]],
    ["the preview", "molière wrote", ["school"]],
    ["a percent sign as text", "100%", ["percent"]],
    ["an underscore as text", "file_name", ["percent"]],
    ["a substring inside a word", "ylophon", ["deep"]],
    ["a heading", "needle sec", ["deep"]],
    ["one character of a script without spaces", "都", ["cjk"]],
    ["two of them", "日本", ["cjk"]],
    ["two characters at the end", "す。", ["cjk"]],
    ["one Latin letter", "y", ["deep", "nul"]],
    ["two Latin letters", "yl", ["deep"]],
    ["across a NUL", "before after", ["nul"]],
    ["character references as they are shown", "fish & chips <hot> cost 9 pounds", ["references"]],
    ["character references as they are written", "Fish &amp; chips", ["references"]],
    ["nothing", "zebra", []],
    ["nothing of one character", "ß", []],
    ["quotes and operators of the full-text language", '" OR *', []],
  ])("%s", async (_name, q, expected) => {
    expect((await names(q)).sort()).toEqual([...expected].sort());
  });

  test("a hit beyond the preview has its chunk, which can be read", async () => {
    const [hit] = await find("xylophone");
    expect(hit?.name).toBe("deep");
    expect(hit?.highlight).toContain("xylophone");
    const { status, body } = await client("GET", `/v1/pd/read/${hit?.chunkId}`);
    expect(status).toBe(200);
    expect(body.data.content).toBe("Here hides the xylophone of 1984.");
    expect(body.data.hierarchy.sectionPath).toBe("Start > Needle section");
  });

  test("a hit in title or preview has no chunk", async () => {
    for (const q of ["femmes", "molière"]) {
      expect((await find(q)).map(({ chunkId }) => chunkId)).toEqual([undefined]);
    }
  });

  test("a match across the cut of a split block is found in the preview", async () => {
    const [first] = await find("crossing sentence. Next");
    expect(first?.name).toBe("split");
  });

  test("rows have no score and meta no latency", async () => {
    const { body } = await client("GET", "/v1/search?semantic=false&q=femmes");
    expect(body.meta).toEqual({ query: "femmes", semantic: false });
    expect(body.data.prompts).toEqual([]);
    expect(body.data.collections).toEqual([]);
    expect(body.data.documents).toEqual([
      {
        id: ids.school,
        type: "document",
        documentId: ids.school,
        title: "L'École des Femmes",
        tags: [],
        highlight: expect.any(String),
      },
    ]);
  });
});

describe("filters and order", () => {
  test("tags must all match", async () => {
    expect(await names("xylophone", "&tags=report")).toEqual(["deep"]);
    expect(await names("xylophone", "&tags=%20old%20,,report")).toEqual(["deep"]);
    expect(await names("xylophone", "&tags=report,new")).toEqual([]);
    expect(await names("long report", "&tags=Report")).toEqual([]);
    expect(
      await names("xylophone", `&tags=${Array.from({ length: 3000 }, (_, i) => `t${i}`).join(",")}`),
    ).toEqual([]);
  });

  test("type chooses the group", async () => {
    expect(await names("femmes", "&type=documents")).toEqual(["school"]);
    expect(await names("femmes", "&type=prompts")).toEqual([]);
  });

  test("title matches come first, then newest first; limit counts documents", async () => {
    await store("body1", { title: "A", content: "quagmire one" });
    await store("title1", { title: "Quagmire", content: "x" });
    await store("body2", { title: "B", content: "quagmire two" });
    const expected = ["title1", "body2", "body1"];
    expect(await names("quagmire")).toEqual(expected);
    await started.settle();
    expect(await names("quagmire")).toEqual(expected);
    expect(await names("quagmire", "&limit=2")).toEqual(expected.slice(0, 2));
  });

  test("another user's documents are not found", async () => {
    const other = started.clientOf("literal-other@example.org");
    const { body } = await other("GET", "/v1/search?semantic=false&q=femmes");
    expect(body.data.documents).toEqual([]);
  });
});

test("title and preview match before anything is indexed, the body only afterwards", async () => {
  const busy = startServer();
  try {
    await busy.stopJobs();
    const content = `preview word\n\n${filler(1200)}\n\nbodyword`;
    await busy.client("POST", "/v1/documents", { title: "Immediately", content });
    const count = async (q: string) =>
      (await busy.client("GET", `/v1/search?semantic=false&q=${q}`)).body.data.documents.length;
    expect(await count("mmediate")).toBe(1);
    expect(await count("preview%20word")).toBe(1);
    await busy.client("POST", "/v1/documents", { title: "Bytes", content: "before\0behind the NUL" });
    expect(await count("behind")).toBe(1);
    expect(await count("bodyword")).toBe(0);
  } finally {
    await busy.stop();
  }
});

test("the title of an empty document matches before and after indexing", async () => {
  const empty = startServer();
  const title = async () => {
    const { status, body } = await empty.client("GET", "/v1/search?semantic=false&q=blank");
    expect(status).toBe(200);
    return body.data.documents.map((row: { title: string }) => row.title);
  };
  await empty.client("POST", "/v1/documents", { title: "Blank page", content: "" });
  expect(await title()).toEqual(["Blank page"]);
  await empty.settle();
  expect(await title()).toEqual(["Blank page"]);
  await empty.stop();
});

test("short queries with matches nearly everywhere find the newest first", async () => {
  const many = startServer();
  try {
    const post = (title: string, content: string) => many.client("POST", "/v1/documents", { title, content });
    await post("quince", "nothing here");
    await post("Old", "a quay");
    await post("Large", Array.from({ length: 6_000 }, (_, i) => `q${i}`).join("\n\n"));
    await post("New", `${filler(900)}\n\nthe Quay at last`);
    await many.settle();
    const find = async (q: string, limit = 10) =>
      (await many.client("GET", `/v1/search?semantic=false&q=${q}&limit=${limit}`)).body.data.documents.map(
        ({ title }: { title: string }) => title,
      );
    expect(await find("q")).toEqual(["quince", "New", "Large", "Old"]);
    expect(await find("Q", 2)).toEqual(["quince", "New"]);
    expect(await find("qu")).toEqual(["quince", "New", "Old"]);
    expect(await find("q1")).toEqual(["Large"]);
  } finally {
    await many.stop();
  }
});
