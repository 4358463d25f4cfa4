// Collections in search: by their members' scores, by name and description, by tags, only the caller's.

import { beforeAll, describe, expect, test } from "bun:test";
import type { Identity } from "../../../src/auth/identity.ts";
import {
  type MemberScores,
  searchCollectionsByMembers,
  searchCollectionsByText,
} from "../../../src/features/search/collections.ts";
import { collectionHitToWire } from "../../../src/features/search/contract.ts";
import { useServer } from "../../helpers/start.ts";

let caller: Identity;
const id: Record<string, string> = {};

const post = async (path: string, body: object, by = client): Promise<string> => {
  const { status, body: created } = await by("POST", path, body);
  expect(status).toBe(201);
  return created.data.id;
};
const idOf = (name: string) => id[name] ?? "no such record";
const collection = async (name: string, body: object = {}, by = client) => {
  id[name] = await post("/v1/collections", { name, ...body }, by);
};
const document = async (name: string, collections: string[], by = client) => {
  const collectionIds = collections.map((of) => id[of]);
  id[name] = await post("/v1/documents", { title: name, content: "c", collectionIds }, by);
};
const prompt = async (name: string, collections: string[]) => {
  const collectionIds = collections.map((of) => id[of]);
  id[name] = await post("/v1/prompts", { title: name, description: "d", content: "c", collectionIds });
};

const started = useServer();
const { client } = started;

beforeAll(async () => {
  const authorization = `API-Key ${started.key.key}`;
  caller = (await started.app.credentials.identify(authorization, []))!;
  await collection("Recipes", {
    description: "Soups and ÉCLAIRS",
    tags: ["food", "home"],
    color: "#fff",
    icon: "🍲",
  });
  await collection("Travel", { tags: ["home"] });
  await collection("Soup of the day", { tags: ["food"] });
  await collection("Empty shelf");
  await document("borscht", ["Recipes"]);
  await document("ramen", ["Recipes", "Travel"]);
  await document("loose", []);
  await prompt("menu", ["Travel"]);
  const other = started.clientOf("search-other@example.org");
  await collection("Soup of others", { isPublic: true, tags: ["food"] }, other);
  await document("gumbo", ["Soup of others"], other);
});

type Found = [name: string, score: number | undefined];

function byMembers(query: string, scores: Record<string, number>, tags: string[] = [], limit = 10): Found[] {
  const { menu, ...others } = scores;
  const scoresOf = (byName: Record<string, number>) => ({
    ids: Object.keys(byName).map(idOf),
    scores: Float64Array.from(Object.values(byName)),
  });
  const members: MemberScores = {
    documents: scoresOf(others),
    prompts: scoresOf(menu === undefined ? {} : { menu }),
  };
  return searchCollectionsByMembers(started.app.store, caller, { query, members, tags, limit }).map(
    ({ row, score }) => [row.name, score],
  );
}

describe("by members", () => {
  test.each<[string, Record<string, number>, Found[]]>([
    ["one document", { borscht: 0.6 }, [["Recipes", 0.6]]],
    [
      "the best of two",
      { borscht: 0.6, ramen: 0.7 },
      [
        ["Travel", 0.7],
        ["Recipes", 0.7],
      ],
    ],
    ["a prompt", { menu: 0.5 }, [["Travel", 0.5]]],
    [
      "a document and a prompt",
      { ramen: 0.4, menu: 0.9 },
      [
        ["Travel", 0.9],
        ["Recipes", 0.4],
      ],
    ],
    [
      "a prompt below a document",
      { ramen: 0.9, menu: 0.4, borscht: 1 },
      [
        ["Recipes", 1],
        ["Travel", 0.9],
      ],
    ],
    ["a member with the score 0", { borscht: 0 }, [["Recipes", 0]]],
    ["a document in no collection", { loose: 0.9 }, []],
    ["another user's document in their public collection", { gumbo: 0.9 }, []],
    ["no member", {}, []],
  ])("%s", (_name, scores, expected) => {
    expect(byMembers("no name holds this", scores)).toEqual(expected);
  });

  test("tags must all match", () => {
    const scores = { borscht: 0.6, ramen: 0.7 };
    expect(byMembers("zzz", scores, ["food"])).toEqual([["Recipes", 0.7]]);
    expect(byMembers("zzz", scores, ["home"])).toEqual([
      ["Travel", 0.7],
      ["Recipes", 0.7],
    ]);
    expect(byMembers("zzz", scores, ["food", "home", "x"])).toEqual([]);
  });

  test("the limit selects the best", () => {
    expect(byMembers("soup", { borscht: 0.6, menu: 0.7 }, [], 1)).toEqual([["Travel", 0.7]]);
  });
});

describe("by name and description, if no member matches", () => {
  test.each<[string, Record<string, number>, string[], number, Found[]]>([
    [
      "SOUP",
      {},
      [],
      10,
      [
        ["Soup of the day", undefined],
        ["Recipes", undefined],
      ],
    ],
    ["e\u0301clairs", {}, [], 10, [["Recipes", undefined]]],
    [
      "soup",
      { borscht: 0.4 },
      [],
      10,
      [
        ["Recipes", 0.4],
        ["Soup of the day", undefined],
      ],
    ],
    [
      "soup",
      { menu: 0.4 },
      [],
      2,
      [
        ["Travel", 0.4],
        ["Soup of the day", undefined],
      ],
    ],
    ["soup", {}, ["home"], 10, [["Recipes", undefined]]],
    ["shelf", {}, [], 10, [["Empty shelf", undefined]]],
    ["others", {}, [], 10, []],
    ["%", {}, [], 10, []],
  ])("%s", (query, scores, tags, limit, expected) => {
    expect(byMembers(query, scores, tags, limit)).toEqual(expected);
  });
});

describe("literal", () => {
  const byText = (query: string, tags: string[] = [], limit = 10) =>
    searchCollectionsByText(started.app.store, caller, { query, tags, limit });

  test.each<[string, string[], number, string[]]>([
    ["soup", [], 10, ["Soup of the day", "Recipes"]],
    ["soup", [], 1, ["Soup of the day"]],
    ["SOUPS", [], 10, ["Recipes"]],
    ["e", [], 10, ["Empty shelf", "Soup of the day", "Travel", "Recipes"]],
    ["s and é", [], 10, ["Recipes"]],
    ["e", ["food"], 10, ["Soup of the day", "Recipes"]],
    ["e", ["food", "home"], 10, ["Recipes"]],
    ["borscht", [], 10, []],
    ["others", [], 10, []],
  ])("%s %p", (query, tags, limit, expected) => {
    expect(byText(query, tags, limit).map(({ row }) => row.name)).toEqual(expected);
  });

  test("a row of the group", () => {
    expect(
      JSON.parse(JSON.stringify(byText("clairs").map((hit) => collectionHitToWire(hit, false)))),
    ).toEqual([
      {
        id: id.Recipes,
        type: "collection",
        collectionId: id.Recipes,
        name: "Recipes",
        description: "Soups and ÉCLAIRS",
        color: "#fff",
        icon: "🍲",
        tags: ["food", "home"],
        itemCount: 2,
      },
    ]);
  });
});

describe("GET /v1/search", () => {
  interface Group {
    collectionId: string;
    name: string;
    score?: number;
  }
  const search = async (parameters: string, by = client): Promise<Group[]> => {
    const { status, body } = await by("GET", `/v1/search?${parameters}`);
    expect(status).toBe(200);
    return body.data.collections;
  };

  test("a collection has the score of its best member", async () => {
    await started.settle();
    const { body } = await client("GET", "/v1/search?q=borscht&scoreThreshold=0.1");
    const [hit] = body.data.documents;
    expect(hit.documentId).toBe(id.borscht);
    const [first] = body.data.collections;
    expect(first).toMatchObject({ collectionId: id.Recipes, type: "collection", score: hit.score });
  });

  test.each([
    ["q=soup&semantic=false", ["Soup of the day", "Recipes"]],
    ["q=soup&semantic=false&type=collections", ["Soup of the day", "Recipes"]],
    ["q=soup&semantic=false&type=documents", []],
    ["q=soup&semantic=false&limit=1", ["Soup of the day"]],
    ["q=soup&semantic=false&tags=home", ["Recipes"]],
    ["q=soup&scoreThreshold=1", ["Soup of the day", "Recipes"]],
    ["q=others&semantic=false", []],
  ])("%s", async (parameters, expected) => {
    expect((await search(parameters)).map(({ name }) => name)).toEqual(expected);
  });

  test("needs documents.read", async () => {
    const prompts = started.clientOf("owner@localhost", ["prompts.read"]);
    const documents = started.clientOf("owner@localhost", ["documents.read"]);
    for (const semantic of [true, false]) {
      expect(await search(`q=soup&semantic=${semantic}`, prompts)).toEqual([]);
      expect((await search(`q=soup&semantic=${semantic}`, documents)).length).toBe(2);
    }
  });
});

describe("within a collection", () => {
  type Hit = { title: string };
  const search = async (collectionId: string, more: string, by = client) => {
    const { status, body } = await by(
      "GET",
      `/v1/search?collectionId=${collectionId}&scoreThreshold=0&${more}`,
    );
    expect(status).toBe(200);
    expect(body.data.collections).toEqual([]);
    return [...body.data.documents, ...body.data.prompts].map(({ title }: Hit) => title).sort();
  };

  test.each([
    ["by meaning", "Recipes", "q=ramen", ["borscht", "ramen"]],
    ["by meaning", "Travel", "q=ramen", ["menu", "ramen"]],
    ["by meaning", "Empty shelf", "q=ramen", []],
    ["by meaning, documents only", "Travel", "q=ramen&type=documents", ["ramen"]],
    ["by meaning, prompts only", "Travel", "q=ramen&type=prompts", ["menu"]],
    ["by text", "Travel", "q=M&semantic=false", ["menu", "ramen"]],
    ["by text", "Recipes", "q=loose&semantic=false", []],
    ["by text", "Recipes", "q=BORSCHT&semantic=false", ["borscht"]],
  ])("%s, only what is in %s is found for %s", async (_how, name, query, expected) => {
    await started.settle();
    expect(await search(idOf(name), query)).toEqual(expected);
  });

  test("collections that are unknown or another user's contain nothing; an empty id is no filter", async () => {
    for (const semantic of [true, false]) {
      const query = `q=gumbo&semantic=${semantic}`;
      expect(await search(idOf("Soup of others"), query)).toEqual([]);
      expect(await search("unknown", query)).toEqual([]);
      const { body } = await client("GET", `/v1/search?q=Soup&semantic=${semantic}&collectionId=`);
      expect(body.data.collections.length).toBeGreaterThan(0);
    }
  });
});
