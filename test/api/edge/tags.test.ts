// Tags on every kind of record: stored as sent, compared by canonical form, in any order.

import { describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const COMPOSED = "Caf\u00e9";
const DECOMPOSED = "Cafe\u0301";
/** One accent composed, one decomposed. */
const MIXED = "Cr\u00e8me bru\u0302le\u0301e";
const KELVIN = "\u212a";

const started = useServer();

const KINDS = {
  documents: { title: "walk", content: "c" },
  prompts: { title: "walk", description: "", content: "c" },
  collections: { name: "walk" },
};
const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
const encoded = encodeURIComponent;

describe.each(kinds)("%s", (kind) => {
  const make = async (tags: string[]) =>
    (await started.client("POST", `/v1/${kind}`, { ...KINDS[kind], tags })).body.data.id as string;
  const list = async (query: string) => {
    const { status, body } = await started.client("GET", `/v1/${kind}?${query}`);
    expect(status).toBe(200);
    return body as { data: { id: string; tags: string[] }[]; pagination: { cursor: string } };
  };

  test("duplicates collapse by canonical form; spelling, order and case are stored as sent", async () => {
    const id = await make([DECOMPOSED, "b", ` ${COMPOSED} `, "B", MIXED, MIXED.normalize("NFC")]);
    const [item] = (await list(`tags=${encoded(COMPOSED)}`)).data;
    expect(item).toMatchObject({ id, tags: [DECOMPOSED, "b", "B", MIXED] });
    expect((await started.client("GET", `/v1/${kind}/${id}`)).body.data.tags).toEqual(item!.tags);
    await started.client("DELETE", `/v1/${kind}/${id}`);
  });

  test("filters find every spelling", async () => {
    const ids = [];
    for (const tag of [COMPOSED, DECOMPOSED, MIXED, KELVIN]) ids.push(await make([tag, "x"]));
    const found = async (tags: string) => (await list(`tags=${encoded(tags)}`)).data.map(({ id }) => id);
    for (const spelling of [COMPOSED, DECOMPOSED]) {
      expect(await found(spelling)).toEqual([ids[1]!, ids[0]!]);
      expect(await found(`x, ${spelling}`)).toEqual([ids[1]!, ids[0]!]);
    }
    for (const spelling of [MIXED, MIXED.normalize("NFC"), MIXED.normalize("NFD")]) {
      expect(await found(spelling)).toEqual([ids[2]!]);
    }
    expect(await found("K")).toEqual([ids[3]!]);
    expect(await found(`["${COMPOSED}"]`)).toEqual([]);
    for (const id of ids) await started.client("DELETE", `/v1/${kind}/${id}`);
  });

  test("a cursor works with the tags in another order or spelling, and with no other tags", async () => {
    const ids = [await make(["a", "b", COMPOSED]), await make(["b", "a", DECOMPOSED])];
    const first = await list(`limit=1&tags=a,b,${encoded(COMPOSED)}`);
    const { cursor } = first.pagination;
    for (const tags of ["b,a", "a,,b,a", " b , a "]) {
      const next = await list(`limit=1&tags=${encoded(`${tags},${DECOMPOSED}`)}&cursor=${cursor}`);
      expect([...first.data, ...next.data].map(({ id }) => id)).toEqual([ids[1]!, ids[0]!]);
    }
    expect((await started.client("GET", `/v1/${kind}?limit=1&tags=a,b&cursor=${cursor}`)).status).toBe(400);
    for (const id of ids) await started.client("DELETE", `/v1/${kind}/${id}`);
  });

  test.each(["true", "false"])("search finds every spelling: semantic=%s", async (semantic) => {
    const ids = [await make([COMPOSED, semantic]), await make([DECOMPOSED, semantic])];
    await started.settle();
    for (const spelling of [COMPOSED, DECOMPOSED]) {
      const query = `q=walk&semantic=${semantic}&scoreThreshold=0&tags=${encoded(spelling)},${semantic}`;
      const { body } = await started.client("GET", `/v1/search?${query}`);
      const found = body.data[kind].map((row: { id: string }) => row.id);
      expect(found.sort()).toEqual([...ids].sort());
    }
    for (const id of ids) await started.client("DELETE", `/v1/${kind}/${id}`);
  });
});

test("a change of spelling is stored", async () => {
  const { client } = started;
  const { id } = (await client("POST", "/v1/documents", { ...KINDS.documents, tags: [COMPOSED] })).body.data;
  expect((await client("PATCH", `/v1/documents/${id}`, { tags: [DECOMPOSED] })).body.data.noop).toBe(false);
  expect((await client("GET", `/v1/documents/${id}`)).body.data.tags).toEqual([DECOMPOSED]);
});

test("tags may be sent repeatedly; another parameter sent twice is 400", async () => {
  await started.client("POST", "/v1/documents", { title: "both", content: "c", tags: ["x1", "y1"] });
  await started.client("POST", "/v1/documents", { title: "one", content: "c", tags: ["x1"] });
  const titles = async (path: string) =>
    (await started.client("GET", path)).body.data.map(({ title }: { title: string }) => title);
  expect(await titles("/v1/documents?tags=x1&tags=y1")).toEqual(["both"]);
  expect(await titles("/v1/documents?tags=x1&tags=")).toEqual(["one", "both"]);
  const found = await started.client("GET", "/v1/search?q=c&semantic=false&tags=y1&tags=x1");
  expect(found.body.data.documents).toMatchObject([{ title: "both" }]);
  for (const query of ["limit=1&limit=1", "workspace=a&workspace=a", "tags=a&other=1&other=2"]) {
    expect([query, (await started.client("GET", `/v1/documents?${query}`)).status]).toEqual([query, 400]);
  }
  expect((await started.client("GET", "/v1/user/me?tags=a&tags=b")).status).toBe(400);
});
