// GET /v1/search by meaning and by words, with the shipped model: exact words, other scripts, unknown topics,
// explanations.

import { beforeAll, describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const DOCUMENTS = {
  Kitchen:
    "The kettle whistles when the water boils.\n\nSalt the pasta water only after it has come to a boil.",
  "Error codes": "E-4711 means that the pump has lost its prime.\n\nE-4712 means that the filter is clogged.",
  Staff: "Mr. Quagliarella looks after the greenhouse on weekdays.",
  Garden: "Tomatoes want sun, water and a stake to climb. Pinch out the side shoots every week.",
  Tokyo: "東京タワーは港区にある電波塔です。高さは三百三十三メートルです。",
  Kyoto: "京都の金閣寺は北山にあります。庭園がとても美しいです。",
  Delhi: "हिन्दी भारत की राजभाषा है और देवनागरी लिपि में लिखी जाती है।",
  Moscow: "Московское метро открылось в тысяча девятьсот тридцать пятом году.",
  Bangkok: "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย",
  Seoul: "서울은 대한민국의 수도이며 한강이 도시를 가로지릅니다.",
  Zürich: "Die Straßenbahn fährt über die Brücke zum Hauptbahnhof.",
};

const started = useServer({ realModel: true });
const { client } = started;

beforeAll(async () => {
  for (const [title, content] of Object.entries(DOCUMENTS)) {
    expect((await client("POST", "/v1/documents", { title, content })).status).toBe(201);
  }
  await started.settle();
});

const search = async (q: string, parameters = "") => {
  const { status, body } = await client(
    "GET",
    `/v1/search?type=documents&q=${encodeURIComponent(q)}${parameters}`,
  );
  expect(status).toBe(200);
  return body.data.documents as {
    title: string;
    score: number;
    highlight: string;
    explain?: Record<string, unknown>;
  }[];
};

describe("words decide if the meaning does not help", () => {
  test.each([
    ["E-4712", "Error codes", "clogged"],
    ["what does E-4711 mean?", "Error codes", "prime"],
    ["Quagliarella", "Staff", "greenhouse"],
    ["strassenbahn brucke", "Zürich", "Brücke"],
  ])("%s", async (q, title, highlight) => {
    const [first] = await search(q);
    expect(first?.title).toBe(title);
    expect(first?.highlight).toContain(highlight);
  });
});

test("an unknown code does not find similar codes", async () => {
  expect(await search("E4713")).toEqual([]);
  expect(await search("ERR4711x")).toEqual([]);
});

describe("words of other scripts are found at the default threshold, and foreign ones are not", () => {
  test.each([
    ["東京タワー", "Tokyo"],
    ["金閣寺の庭園", "Kyoto"],
    ["塔", "Tokyo"],
    ["हिन्दी", "Delhi"],
    ["देवनागरी लिपि", "Delhi"],
    ["метро", "Moscow"],
    ["เมืองหลวงของไทย", "Bangkok"],
    ["한강", "Seoul"],
    ["수도", "Seoul"],
  ])("%s", async (q, title) => {
    expect((await search(q)).map((hit) => hit.title)).toEqual([title]);
  });

  test.each(["大阪城", "कंप्यूटर", "самолёт", "부산", "เชียงใหม่"])("nothing is stored about %s", async (q) => {
    expect(await search(q)).toEqual([]);
  });
});

test.each([
  "monetary policy of the central bank in the nineteenth century",
  "how do I configure a reverse proxy for websockets?",
  "xyzzy plugh",
])("a question about nothing stored finds nothing: %s", async (q) => {
  expect(await search(q)).toEqual([]);
  const all = await search(q, "&scoreThreshold=0&limit=50");
  for (const { score } of all) expect(score).toBeLessThan(0.35);
});

test("a word that the question repeats counts each time", async () => {
  const balanceOf = async (q: string) => {
    const hits = await search(q, "&scoreThreshold=0&limit=50&explain=true");
    const lexical = (title: string) => hits.find((hit) => hit.title === title)!.explain!.lexical as number;
    return lexical("Garden") / lexical("Staff");
  };
  expect(await balanceOf("tomatoes tomatoes tomatoes greenhouse")).toBeGreaterThan(
    2 * (await balanceOf("tomatoes greenhouse")),
  );
});

test("stop words count only in queries without other words", async () => {
  const [hit] = await search("the kettle and the water", "&explain=true");
  const [same] = await search("kettle water", "&explain=true");
  expect(hit?.explain).toMatchObject({ lexical: same!.explain!.lexical });
  const toBe = await search("to be or not to be", "&scoreThreshold=0&limit=50&explain=true");
  expect(toBe.length).toBeGreaterThan(0);
});

describe("explain", () => {
  test("returns the parts of the score", async () => {
    const hits = await search("salt the water for pasta", "&explain=true&scoreThreshold=0&limit=50");
    expect(hits.length).toBeGreaterThan(3);
    const sums = hits.map(({ score, explain }) => {
      expect(explain).toEqual({
        chunkId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
        cosine: expect.any(Number),
        dense: expect.any(Number),
        exact: expect.any(Number),
        lexical: expect.any(Number),
        neighbours: expect.any(Number),
        denseWeight: 0.6,
      });
      const { dense, lexical, neighbours, denseWeight } = explain as Record<string, number>;
      expect(Math.min(dense!, lexical!, neighbours!)).toBeGreaterThanOrEqual(0);
      expect(Math.max(dense!, lexical!, score)).toBeLessThanOrEqual(1);
      return denseWeight! * dense! + (1 - denseWeight!) * lexical! + neighbours!;
    });
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
    const { body } = await client("GET", `/v1/pd/read/${hits[0]!.explain!.chunkId}`);
    expect(body.data.content).toContain("Salt the pasta");
  });

  test("the cosine does not count in scripts that the model does not support", async () => {
    const [hit] = await search("метро", "&explain=true");
    expect(hit?.explain).toMatchObject({ denseWeight: 0, neighbours: 0 });
    const [mixed] = await search("метро in Moscow", "&explain=true");
    expect(mixed!.explain!.denseWeight as number).toBeGreaterThan(0);
    expect(mixed!.explain!.denseWeight as number).toBeLessThan(0.6);
  });

  test("is off by default and in a search by text", async () => {
    expect((await search("kettle"))[0]).not.toHaveProperty("explain");
    expect((await search("kettle", "&explain=false"))[0]).not.toHaveProperty("explain");
    expect((await search("kettle", "&explain=true&semantic=false"))[0]).not.toHaveProperty("explain");
    expect((await client("GET", "/v1/search?q=kettle&explain=yes")).status).toBe(400);
  });

  test("prompts have their cosine, collections their best member", async () => {
    const own = started.clientOf("explained@example.org");
    const content = "Explain what a kettle does.";
    const prompt = (await own("POST", "/v1/prompts", { title: "Kettle", description: "Says it", content }))
      .body.data.id;
    const { id } = (await own("POST", "/v1/collections", { name: "Kitchen" })).body.data;
    await own("POST", `/v1/collections/${id}/items`, { itemIds: [prompt], itemType: "prompt" });
    await started.settle();
    const { data } = (await own("GET", "/v1/search?q=kettle&explain=true")).body;
    expect(data.prompts[0].explain).toEqual({ cosine: expect.any(Number) });
    expect(data.collections[0]?.explain).toEqual({ itemId: prompt });
  });
});

test("scores do not depend on what other users have stored", async () => {
  const before = await search("kettle water", "&scoreThreshold=0&limit=50");
  const other = started.clientOf("other@example.org");
  for (let i = 0; i < 20; i++) {
    await other("POST", "/v1/documents", { title: `Kettle ${i}`, content: `Kettle water number ${i}.` });
  }
  await started.settle();
  expect(await search("kettle water", "&scoreThreshold=0&limit=50")).toEqual(before);
});

test("an update replaces the words, a deletion removes them", async () => {
  const own = started.clientOf("fresh@example.org");
  const titles = async (q: string) =>
    (await own("GET", `/v1/search?q=${q}`)).body.data.documents.map(({ title }: { title: string }) => title);
  const { id } = (await own("POST", "/v1/documents", { title: "Notes", content: "The wolpertinger sleeps." }))
    .body.data;
  await started.settle();
  expect(await titles("wolpertinger")).toEqual(["Notes"]);
  await own("PATCH", `/v1/documents/${id}`, { content: "The jackalope sleeps." });
  await started.settle();
  expect(await titles("wolpertinger")).toEqual([]);
  expect(await titles("jackalope")).toEqual(["Notes"]);
  await own("DELETE", `/v1/documents/${id}`);
  expect(await titles("jackalope")).toEqual([]);
});

test("tags restrict the candidates of both searches", async () => {
  const own = started.clientOf("narrow@example.org");
  for (let i = 0; i < 150; i++) {
    await own("POST", "/v1/documents", {
      title: `Common ${i}`,
      content: "A quokka smiles.",
      tags: ["common"],
    });
  }
  await own("POST", "/v1/documents", {
    title: "Rare",
    content: "Once upon a time, far away and long ago, somebody may have seen something like a quokka there.",
    tags: ["rare"],
  });
  await started.settle();
  const { body } = await own("GET", "/v1/search?q=quokka&tags=rare");
  expect(body.data.documents.map(({ title }: { title: string }) => title)).toEqual(["Rare"]);
});

test("in a small store only the good hit is above the threshold", async () => {
  const own = started.clientOf("small@example.org");
  await own("POST", "/v1/documents", { title: "Gears", content: "Maintenance of bicycle gears." });
  await own("POST", "/v1/documents", {
    title: "Bread",
    content: "Knead the dough for ten minutes and let it rise.",
  });
  await started.settle();
  const { documents } = (await own("GET", "/v1/search?q=bicycle%20maintenance")).body.data;
  expect(documents.map(({ title }: { title: string }) => title)).toEqual(["Gears"]);
  expect(documents[0].score).toBeGreaterThan(0.6);
});
