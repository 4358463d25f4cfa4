// POST /v1/pd/search: sections and paragraphs that match a question, with their position in the tree.

import { beforeAll, describe, expect, test } from "bun:test";
import { contentsOf, useChunkSearch } from "../../helpers/chunk-search.ts";

const MANUAL = `# Manual

A zebra crossing needs white stripes.

Paint the zebra stripes twice a year.

## Storage

Keep the paint in a dry cellar.
`;
const SEA = "Now the walrus eats oysters at the seaside, together with a carpenter who weeps for them. "
  .repeat(3)
  .trim();

const { started, client, documents, add, search } = useChunkSearch();

beforeAll(async () => {
  await add("Crossings", MANUAL);
  await add("Zebra", "");
  await add("Sea", SEA);
  await add("Section of the sea", `# Coast\n\n${SEA.replaceAll(". ", ".\n\n")}`);
  await add("Numbers", Array.from({ length: 60 }, (_, at) => `quokka ${at}`).join("\n\n"));
  await add("Emoji", "okapi 🦒🦒🦒🦒🦒🦒\n\nokapi gnu");
  await client("POST", "/v1/prompts", { title: "zebra", description: "zebra", content: "zebra stripes" });
  await started.settle();
});

describe("scoreThreshold", () => {
  const query = "zebra stripes";
  test("only chunks with at least this score, 0.35 by default", async () => {
    const all = (await search({ query, scoreThreshold: 0, limit: 100 })).results;
    const scores = all.map(({ score }) => score);
    const usual = (await search({ query, limit: 100 })).results;
    expect(usual).toEqual(all.filter(({ score }) => score >= 0.35));
    expect((await search({ query, scoreThreshold: 0.35, limit: 100 })).results).toEqual(usual);
    const best = Math.max(...scores);
    const atBest = (await search({ query, scoreThreshold: best, limit: 100 })).results;
    expect(atBest).toEqual(all.filter(({ score }) => score === best));
    expect(Math.min(...scores)).toBeLessThan(0.35);
  });

  test.each([-0.1, 1.1, "0.5", null])("%p is 400", async (scoreThreshold) => {
    const { status, body } = await client("POST", "/v1/pd/search", { query, scoreThreshold });
    expect([status, body.error.details[0].path]).toEqual([400, "scoreThreshold"]);
  });

  test("it is in the OpenAPI document", async () => {
    const { body: document } = await client("GET", "/openapi.json");
    expect(document.components.schemas.ChunkSearch.properties.scoreThreshold).toMatchObject({
      minimum: 0,
      maximum: 1,
      default: 0.35,
    });
  });
});

describe("what is found", () => {
  test("a section and its own paragraphs, best first, never a document", async () => {
    const { results, meta } = await search({
      query: "zebra stripes",
      documentId: documents.get("Crossings"),
    });
    expect(new Set(results.slice(0, 2).map(({ content }) => content))).toEqual(
      new Set(["A zebra crossing needs white stripes.", "Paint the zebra stripes twice a year."]),
    );
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(["paragraph", "section"]));
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score >= 0.35 && score <= 1)).toBe(true);
    expect(meta).toEqual({
      query: "zebra stripes",
      totalResults: results.length,
      latencyMs: expect.any(Number),
    });
  });

  test("empty documents and prompts are not found", async () => {
    const found = new Set((await search({ query: "zebra" })).results.map(({ documentId }) => documentId));
    expect(found).toEqual(new Set([documents.get("Crossings")!]));
  });

  test("nothing below the default threshold", async () => {
    const mine = started.clientOf("pd-threshold@example.org");
    const near = await add("Snakes", "the cobra", mine);
    await add("Trees", "an oak", mine);
    await started.settle();
    const all = await mine("GET", "/v1/search?q=cobra&scoreThreshold=0");
    expect(all.body.data.documents.length).toBe(2);
    expect((await search({ query: "cobra" }, mine)).results.map(({ documentId }) => documentId)).toEqual([
      near,
    ]);
  });

  test("a result has its position in the tree", async () => {
    const [result] = (await search({ query: "keep the paint in a dry cellar", limit: 1 })).results;
    const { hierarchy, metadata } = (await client("GET", `/v1/pd/read/${result?.chunkId}`)).body.data;
    expect(result as object).toEqual({
      chunkId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      _id: result?.chunkId,
      content: "Keep the paint in a dry cellar.",
      level: "paragraph",
      score: expect.any(Number),
      parentId: hierarchy.position.parentChunkId,
      siblingIds: { prev: null, next: null },
      documentId: documents.get("Crossings"),
      documentTitle: "Crossings",
      chunkIndex: 0,
      headingText: "Storage",
      sectionPath: "Manual > Storage",
      wordCount: metadata.wordCount,
      source: { heading: "Manual > Storage", line: expect.any(Number) },
    });
  });

  test("headingText is omitted outside of sections", async () => {
    const [result] = (await search({ query: "okapi gnu", limit: 1 })).results;
    expect(result).not.toHaveProperty("headingText");
    expect(result).toMatchObject({ sectionPath: "", chunkIndex: 1, siblingIds: { next: null } });
  });

  test("another user's chunks are not found", async () => {
    const other = started.clientOf("pd-search-other@example.org");
    expect((await search({ query: "zebra" }, other)).results).toEqual([]);
    const documentId = documents.get("Crossings");
    expect((await search({ query: "zebra", documentId }, other)).results).toEqual([]);
  });
});

describe("filters", () => {
  test("documentId", async () => {
    const documentId = documents.get("Sea");
    const { results } = await search({ query: "walrus", documentId });
    expect(results.map((result) => result.documentId)).toEqual([documentId!]);
    expect(new Set((await search({ query: "walrus" })).results.map((result) => result.documentId)).size).toBe(
      2,
    );
  });

  test("documentId restricts the candidates", async () => {
    // More than 256 better hits elsewhere must not hide the one in this document.
    const other = started.clientOf("pd-crowd@example.org");
    await add("Crowd", Array.from({ length: 300 }, () => "lemur").join("\n\n"), other);
    const documentId = await add("Lonely", "a lemur in a long sentence of its own", other);
    await started.settle();
    const { results } = await search({ query: "lemur", documentId }, other);
    expect(contentsOf(results)).toEqual(["a lemur in a long sentence of its own"]);
  });

  test("collectionId", async () => {
    const collect = (userId: string, title: string) =>
      started.write(({ sql, now, newId }) => {
        const id = newId();
        sql
          .query(
            `INSERT INTO collections (id, user_id, name, is_public, tags, last_activity_at, created_at, updated_at)
             VALUES (?, ?, 'C', 1, '[]', ?, ?, ?)`,
          )
          .run(id, userId, now, now, now);
        sql
          .query(
            "INSERT INTO collection_items (id, collection_id, document_id, added_at) VALUES (?, ?, ?, ?)",
          )
          .run(newId(), id, documents.get(title)!, now);
        return id;
      });
    const collectionId = collect(started.key.userId, "Sea");
    const { results } = await search({ query: "walrus", collectionId });
    expect(results.map(({ documentId }) => documentId)).toEqual([documents.get("Sea")!]);
    const both = { collectionId, documentId: documents.get("Section of the sea") };
    expect((await search({ query: "walrus", ...both })).results).toEqual([]);
  });

  test.each(["documentId", "collectionId"])(
    "%s that is unknown or not visible: an empty result",
    async (filter) => {
      for (const id of ["0".repeat(27), "not an id", ""]) {
        const { results, meta } = await search({ query: "walrus", [filter]: id });
        expect([results, meta.totalResults]).toEqual([[], 0]);
      }
    },
  );
});

describe("limit", () => {
  test.each<[number | undefined, number]>([
    [undefined, 10],
    [1, 1],
    [49, 49],
    [50, 50],
    [51, 50],
    [100, 50],
  ])("%p returns %p results", async (limit, expected) => {
    const { results, meta } = await search({ query: "quokka", limit });
    expect([results.length, meta.totalResults]).toEqual([expected, expected]);
  });
});

describe("maxTokens", () => {
  test("results in order until the next does not fit, the first always", async () => {
    const ask = { query: "walrus oysters", detailLevel: "full", limit: 50 };
    const all = contentsOf((await search(ask)).results);
    expect(all.length).toBeGreaterThan(2);
    const costs = all.map((content) => Math.ceil(content.length / 4));
    for (const [index, cost] of costs.entries()) {
      const upTo = costs.slice(0, index).reduce((sum, one) => sum + one, cost);
      const fitting = async (maxTokens: number) => (await search({ ...ask, maxTokens })).results.length;
      expect(await fitting(upTo)).toBeGreaterThanOrEqual(index + 1);
      expect(await fitting(upTo - 1)).toBe(Math.max(1, index));
    }
    expect(contentsOf((await search({ ...ask, maxTokens: 1 })).results)).toEqual(all.slice(0, 1));
    expect(contentsOf((await search({ ...ask, maxTokens: 100_000 })).results)).toEqual(all);
  });

  test("it counts the returned text, in characters", async () => {
    const documentId = documents.get("Emoji");
    const summaries = contentsOf((await search({ query: "okapi", documentId })).results);
    expect(summaries.toSorted()).toEqual(["okapi gnu", "okapi 🦒🦒🦒🦒🦒🦒"]);
    // 9 characters and 12 characters: 3 tokens each. In UTF-16 units the second would be 5.
    expect((await search({ query: "okapi", documentId, maxTokens: 6 })).results.length).toBe(2);
    expect((await search({ query: "okapi", documentId, maxTokens: 5.5 })).results.length).toBe(1);
    const sea = { query: "walrus", documentId: documents.get("Sea"), maxTokens: 1 };
    expect((await search({ ...sea, detailLevel: "full" })).results[0]?.content).toBe(SEA);
  });
});

describe("a malformed body is 400", () => {
  test.each<[string, object]>([
    ["no query", {}],
    ["query empty", { query: "" }],
    ["query blank", { query: " \n" }],
    ["query null", { query: null }],
    ["query a number", { query: 5 }],
    ["query with NUL", { query: "a\0b" }],
    ["query of 4,001 characters", { query: "q".repeat(4_001) }],
    ["limit 0", { query: "q", limit: 0 }],
    ["limit 101", { query: "q", limit: 101 }],
    ["limit 1.5", { query: "q", limit: 1.5 }],
    ["limit as text", { query: "q", limit: "5" }],
    ["limit null", { query: "q", limit: null }],
    ["maxTokens 0", { query: "q", maxTokens: 0 }],
    ["maxTokens 100,001", { query: "q", maxTokens: 100_001 }],
    ["maxTokens as text", { query: "q", maxTokens: "100" }],
    ["maxTokens null", { query: "q", maxTokens: null }],
    ["an unknown detailLevel", { query: "q", detailLevel: "brief" }],
    ["detailLevel null", { query: "q", detailLevel: null }],
    ["documentId null", { query: "q", documentId: null }],
    ["documentId a list", { query: "q", documentId: ["x"] }],
    ["collectionId null", { query: "q", collectionId: null }],
  ])("%s", async (_name, body) => {
    const reply = await client("POST", "/v1/pd/search", body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].path).toBe(Object.keys(body).at(-1) ?? "query");
  });

  test("4,000 characters and unknown members are accepted", async () => {
    await search({ query: "🦒".repeat(4_000), q: 5, threshold: "high" });
  });
});
