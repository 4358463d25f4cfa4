// The texts of found chunks: summaries that show the matching part, or full texts, within the limits of a response.

import { beforeAll, describe, expect, test } from "bun:test";
import { contentsOf, useChunkSearch } from "../../helpers/chunk-search.ts";
import { type FakeEmbedder, fakeEmbedder } from "../../helpers/embedder.ts";
import { startServer } from "../../helpers/start.ts";

const LONG = [
  "The first part of this paragraph speaks of general matters that nobody asks for, in order to be long enough.",
  "It goes on with more general matters, and mentions a walrus once, which is not yet what anybody looks for.",
  "A further sentence stands between the two places, so that a summary cannot hold both of them at the same time.",
  "Now the walrus eats oysters at the seaside, together with a carpenter who weeps for them.",
  "After that the paragraph ends with another sentence of general matters, which serves no purpose but its length.",
].join(" ");
const sentences = (count: number, sentence: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => sentence(at)).join("");
const JAPANESE = `${sentences(20, (at) => `これは${at}番目の長い文章です。`)}富士山は日本で一番高い山です。${sentences(30, (at) => `まだ${at}回続きます。`)}`;

const { started, client, documents, add, search } = useChunkSearch();

beforeAll(async () => {
  await add("ocean ocean ocean", LONG);
  await add("Section of the sea", `# Coast\n\n${LONG.replaceAll(". ", ".\n\n")}`);
  await add("Manual", "# Manual\n\nA zebra crossing needs white stripes.\n\nPaint them twice a year.");
  await add("kanji kanji", JAPANESE);
  await add("Short", "okapi gnu");
  await started.settle();
});

describe("detailLevel", () => {
  test("full is the text that read returns", async () => {
    const { results } = await search({ query: "manual coast", detailLevel: "full", limit: 50 });
    const sections = results.filter(({ level }) => level === "section");
    expect(new Set(sections.map(({ documentId }) => documentId)).size).toBeGreaterThan(1);
    expect(results.length).toBeGreaterThan(sections.length);
    for (const { chunkId, content } of results) {
      expect(content).toBe((await client("GET", `/v1/pd/read/${chunkId}`)).body.data.content);
    }
  });

  test.each<[string, string, string]>([
    [
      "the sentence with the most words of the query",
      "carpenter walrus oysters",
      "Now the walrus eats oysters",
    ],
    ["a single word", "carpenter", "Now the walrus eats oysters"],
    ["other forms of the words", "carpenters weeping", "Now the walrus eats oysters"],
    ["a singular", "eat", "Now the walrus eats oysters"],
    ["a word of the first sentence", "asks", "The first part of this paragraph"],
    ["only words that are everywhere", "general matters", "The first part of this paragraph"],
    ["the end of the text", "purpose length", "the walrus eats oysters"],
  ])("a summary shows %s", async (_name, query, beginning) => {
    // The title makes it a hit; its word is not in the text.
    const ask = { query: `${query} ocean`, documentId: documents.get("ocean ocean ocean") };
    const [{ content = "" } = {}] = (await search(ask)).results;
    expect(content).toStartWith(beginning);
    expect(content.length).toBeGreaterThan(120);
    expect(content.length).toBeLessThanOrEqual(201);
    const shown = content.replace(/…$/, "");
    const after = LONG[LONG.indexOf(shown) + shown.length] ?? " ";
    expect([LONG.includes(shown), after]).toEqual([true, " "]);
  });

  test("a summary prefers one distinctive word to many that are everywhere", async () => {
    const common = "It is in the house of the lake, and it is as it was in the time of the king. ".repeat(4);
    const neutral =
      "Nobody wants that, nobody needs that, nobody asks for that, nobody ever said that. ".repeat(2);
    const content = `${common}${neutral}Then restart everything. ${neutral}`;
    const documentId = await add("Reset reset reset", content);
    await started.settle();
    const { results } = await search({ query: "is it in the reset of restart", documentId });
    expect(results[0]?.content).toStartWith("Then restart everything.");
  });

  test("a summary shows a word that is longer than its window", async () => {
    const long = "x".repeat(150);
    const documentId = await add("Long", `${"Nothing stands here. ".repeat(10)}See ${long} and the rest.`);
    await started.settle();
    const { results } = await search({ query: `${long} long`, documentId });
    expect(results[0]?.content).toContain(long);
  });

  test("a summary of a section looks into its paragraphs", async () => {
    const { results } = await search({
      query: "coast carpenter oysters",
      documentId: documents.get("Section of the sea"),
    });
    const section = results.find(({ level }) => level === "section")!;
    expect(section.content).toContain("walrus eats oysters");
    expect(section.content).not.toContain("\n");
  });

  test("a script without spaces", async () => {
    const [{ content = "" } = {}] = (
      await search({ query: "富士山 日本 kanji", documentId: documents.get("kanji kanji") })
    ).results;
    expect(content).toStartWith("富士山は日本で一番高い山です。");
    expect(content.length).toBeLessThanOrEqual(201);
  });

  test("a short chunk is its own summary", async () => {
    expect(contentsOf((await search({ query: "okapi gnu", limit: 1 })).results)).toEqual(["okapi gnu"]);
  });
});

/** Passages alternate around their context, so that a section has a higher score than its paragraphs. */
function alternatingEmbedder(): FakeEmbedder {
  const words = fakeEmbedder();
  let sign = 1;
  return {
    ...words,
    async embedPassages(passages) {
      const noise = await words.embedQuery("noise");
      const contexts = await Promise.all(passages.map(({ context }) => words.embedQuery(context)));
      const windows = contexts.map((context) => {
        sign = -sign;
        return [context.map((value, at) => (value + sign * noise[at]!) / Math.SQRT2)];
      });
      return { windows, tokens: 0 };
    },
  };
}

test("full texts are cut at 2 MB, and a response ends early at 8 MB", async () => {
  const big = startServer({ embedder: alternatingEmbedder() });
  try {
    // A control character takes six bytes in JSON: a section of 2 MB alone is more than 8 MB of response.
    const paragraphs = (count: number) => sentences(count, (at) => `p${at} ${"\u0001".repeat(2_300)}\n\n`);
    await add("tapir", `# tapir\n\n${paragraphs(960)}# tapir\n\n${paragraphs(2)}`, big.client);
    await big.settle();
    const ask = { query: "tapir", limit: 2 };
    const levels = async (body: object) => (await search(body, big.client)).results.map(({ level }) => level);
    expect(await levels(ask)).toEqual(["section", "section"]);
    const { results } = await search({ ...ask, detailLevel: "full" }, big.client);
    expect(results.map(({ content }) => content.length)).toEqual([2 * 1024 * 1024]);
  } finally {
    await big.stop();
  }
});
