// The group `prompts` of GET /v1/search: by meaning with the shipped model, and by text.

import { beforeAll, describe, expect, test } from "bun:test";
import { expectSameFromBothEngines } from "../../helpers/engines.ts";
import { type Client, startServer, useServer } from "../../helpers/start.ts";

const ids: Record<string, string> = {};

async function store(name: string, prompt: object, by: Client = client) {
  const { status, body } = await by("POST", "/v1/prompts", { description: "", content: "-", ...prompt });
  expect(status).toBe(201);
  ids[name] = body.data.id;
}

interface Row {
  id: string;
  promptId: string;
  score?: number;
}
async function search(q: string, parameters = "", by: Client = client): Promise<Row[]> {
  const { status, body } = await by("GET", `/v1/search?q=${encodeURIComponent(q)}${parameters}`);
  expect(status).toBe(200);
  return body.data.prompts;
}
const nameOf = (row: Row | undefined) => Object.keys(ids).find((name) => ids[name] === row?.promptId);
const byMeaning = async (q: string, parameters = "") => (await search(q, parameters)).map(nameOf);
const byText = async (q: string, parameters = "", by: Client = client) =>
  (await search(q, `&semantic=false${parameters}`, by)).map(nameOf);

const RULES =
  "Read the request twice before you answer. Keep to the facts that were given. Structure the answer with headings. Never invent sources or numbers. ";

const started = useServer({ realModel: true });
const { client } = started;
const other = started.clientOf("prompt-search-other@example.org");

beforeAll(async () => {
  await store("review", {
    title: "Code reviewer",
    description: "Finds bugs in a pull request",
    content: `You are a senior engineer. Point out mistakes in \${diff} and suggest a fix for each.`,
    tags: ["work", "code"],
  });
  await store("email", {
    title: "Polite mail",
    description: "Writes a friendly reminder",
    content: `Write to \${name} that the invoice of \${date} has not been paid yet.`,
    tags: ["work"],
  });
  await store("recipe", {
    title: "Kitchen helper",
    description: "Suggests what to cook",
    content: `Propose three dishes made from \${ingredients}.`,
  });
  await store("long", {
    title: "Travel planner",
    description: "Plans a holiday trip day by day",
    content: RULES.repeat(120),
  });
  await store(
    "foreign",
    { title: "Code reviewer of another", content: "bugs in a pull request", isPublic: true },
    other,
  );
  await started.settle();
});

describe("by meaning", () => {
  test.each([
    ["look for errors in my patch", "review"],
    ["ask a customer for outstanding money", "email"],
    ["what can I make for dinner with leftovers", "recipe"],
    ["organise a vacation in Italy", "long"],
  ])("%s", async (q, name) => {
    const [first] = await search(q);
    expect(nameOf(first)).toBe(name);
    expect(first?.score).toBeGreaterThanOrEqual(0.35);
    expect(first?.score).toBeLessThanOrEqual(1);
  });

  test("a row has the members of the prompt except its content", async () => {
    const [row] = await search("look for errors in my patch");
    expect(row as object).toEqual({
      id: ids.review,
      type: "prompt",
      promptId: ids.review,
      title: "Code reviewer",
      description: "Finds bugs in a pull request",
      tags: ["work", "code"],
      score: expect.any(Number),
    });
  });

  test("threshold, limit and order", async () => {
    const all = await search("write code", "&scoreThreshold=0");
    expect(all.length).toBe(4);
    const scores = all.map(({ score = Number.NaN }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(await search("write code", "&scoreThreshold=0&limit=2")).toEqual(all.slice(0, 2));
    const [best = 0, second = 0] = scores;
    const above = await search("write code", `&scoreThreshold=${((best + second) / 2).toFixed(12)}`);
    expect(above).toEqual(all.slice(0, 1));
    expect(await search("write code", "&scoreThreshold=1")).toEqual([]);
  });

  test("tags must all match, and restrict the candidates", async () => {
    expect(await byMeaning("dinner", "&scoreThreshold=0&tags=work")).toHaveLength(2);
    expect(await byMeaning("dinner", "&scoreThreshold=0&tags=work,code")).toEqual(["review"]);
    expect(await byMeaning("dinner", "&scoreThreshold=0&tags=Work")).toEqual([]);
  });
});

describe("by text", () => {
  beforeAll(async () => {
    await store("school", { title: "L'École des Femmes", content: "Molière wrote it in 1662." });
    await store("percent", {
      title: "Rates",
      description: "100% of file_name",
      content: "1000 or file-name",
    });
    await store("deep", { title: "Long", content: `${RULES.repeat(60)} xylophone ${RULES}` });
    await store("cjk", { title: "日本語", content: "東京都は日本の首都です。" });
    await store("nul", {
      title: "Bytes",
      description: "end of it",
      content: `before\0after \${placeholder}`,
    });
  });

  test.each([
    ["a title", "femmes", ["school"]],
    ["with Unicode case", "ÉCOLE", ["school"]],
    ["a decomposed accent", "e\u0301cole", ["school"]],
    ["the content", "MOLIÈRE WROTE", ["school"]],
    ["the description", "suggests what", ["recipe"]],
    ["a percent sign as text", "100%", ["percent"]],
    ["an underscore as text", "file_name", ["percent"]],
    ["deep inside a content", "ylophon", ["deep"]],
    ["a placeholder", `\${PLACEHOLDER}`, ["nul"]],
    ["one character of a script without spaces", "都", ["cjk"]],
    ["the last characters", "す。", ["cjk"]],
    ["one letter", "ß", []],
    ["across a NUL", "before after", ["nul"]],
    ["not across the end of the description", "it before", []],
    ["nothing", "zebra", []],
    ["quotes and operators", '" OR *', []],
  ])("%s", async (_name, q, expected) => {
    expect(await byText(q)).toEqual(expected);
  });

  test("rows have no score", async () => {
    expect((await search("femmes", "&semantic=false")) as object[]).toEqual([
      {
        id: ids.school,
        type: "prompt",
        promptId: ids.school,
        title: "L'École des Femmes",
        description: "",
        tags: [],
      },
    ]);
  });

  test("title matches come first, then newest first; limit counts prompts", async () => {
    await store("body1", { title: "A", content: "quagmire one" });
    await store("title1", { title: "Quagmire", content: "quagmire" });
    await store("body2", { title: "B", description: "the quagmire" });
    await store("title2", { title: "a QUAGMIRE" });
    const expected = ["title2", "title1", "body2", "body1"];
    expect(await byText("quagmire")).toEqual(expected);
    for (const limit of [1, 2, 3])
      expect(await byText("quagmire", `&limit=${limit}`)).toEqual(expected.slice(0, limit));
  });

  test("tags must all match", async () => {
    expect(await byText("o", "&tags=work")).toEqual(["email", "review"]);
    expect(await byText("invoice", "&tags=code")).toEqual([]);
    expect(await byText("pull request", "&tags=code,%20work")).toEqual(["review"]);
  });

  test("a change is found immediately, a deleted prompt is not found", async () => {
    await store("brief", { title: "Ephemeral" });
    await client("PATCH", `/v1/prompts/${ids.brief}`, { content: "mayfly", tags: ["insect"] });
    expect(await byText("mayfly", "&tags=insect")).toEqual(["brief"]);
    await client("DELETE", `/v1/prompts/${ids.brief}`);
    expect(await byText("mayfly")).toEqual([]);
  });
});

test.each(["auto", "javascript"] as const)(
  "prompts of other users and with other tags are no candidates (%s)",
  async (vectorEngine) => {
    const crowded = startServer({ settings: { vectorEngine } });
    try {
      const post = (by: Client, title: string, tags: string[]) =>
        by("POST", "/v1/prompts", { title, description: "", content: title, tags });
      const stranger = crowded.clientOf("crowd@example.org");
      for (let i = 0; i < 300; i += 20) {
        const posts = Array.from({ length: 20 }, () => post(crowded.client, "quagga", ["near"]));
        await Promise.all(posts);
      }
      await post(crowded.client, "quagga in the zoo", ["far"]);
      await post(stranger, "quagga at the gate", []);
      await crowded.settle();
      const titles = async (by: Client, parameters: string) =>
        (await by("GET", `/v1/search?q=quagga&scoreThreshold=0.1${parameters}`)).body.data.prompts.map(
          ({ title }: { title: string }) => title,
        );
      expect(await titles(crowded.client, "&limit=50")).toEqual(Array(50).fill("quagga"));
      expect(await titles(crowded.client, "&tags=far")).toEqual(["quagga in the zoo"]);
      expect(await titles(stranger, "")).toEqual(["quagga at the gate"]);
    } finally {
      await crowded.stop();
    }
  },
);

test("found by text before anything is embedded, and by meaning without an error", async () => {
  const busy = startServer();
  try {
    await busy.stopJobs();
    await busy.client("POST", "/v1/prompts", {
      title: "Immediately",
      description: "here",
      content: "bodyword",
    });
    const count = async (q: string, semantic: boolean) =>
      (await busy.client("GET", `/v1/search?semantic=${semantic}&q=${q}&scoreThreshold=0`)).body.data.prompts
        .length;
    for (const q of ["mmediate", "HERE", "bodyword"]) expect(await count(q, false)).toBe(1);
    expect(await count("bodyword", true)).toBe(0);
  } finally {
    await busy.stop();
  }
});

describe("visibility", () => {
  test.each([true, false])("never another user's prompt, public or not (semantic=%s)", async (semantic) => {
    const q = "bugs in a pull request";
    const parameters = `&semantic=${semantic}&scoreThreshold=0&limit=50`;
    expect((await search(q, parameters)).map(nameOf)).not.toContain("foreign");
    expect((await search(q, parameters, other)).map(nameOf)).toEqual(["foreign"]);
  });

  test("type and scope choose the group", async () => {
    const reader = started.clientOf("owner@localhost", ["documents.read"]);
    const prompter = started.clientOf("owner@localhost", ["prompts.read"]);
    for (const semantic of [true, false]) {
      const parameters = `&semantic=${semantic}`;
      const q = "pull request";
      expect((await search(q, `${parameters}&type=prompts`)).length).toBeGreaterThan(0);
      expect(await search(q, `${parameters}&type=documents`)).toEqual([]);
      expect(await search(q, parameters, reader)).toEqual([]);
      expect((await search(q, parameters, prompter)).length).toBeGreaterThan(0);
    }
  });
});

test("the JavaScript engine returns the same", async () => {
  const queries = ["look for errors in my patch", "invoice", "dinner", "holiday", "zebra"];
  const ask = (from: Client) =>
    Promise.all(queries.map((q) => search(q, "&scoreThreshold=0&limit=50&type=prompts", from)));
  for (const rows of await expectSameFromBothEngines(started, ask)) expect(rows.length).toBeGreaterThan(4);
});
