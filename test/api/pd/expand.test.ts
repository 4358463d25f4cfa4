// POST /v1/pd/expand: from one chunk to its parent, children, siblings, or a window of them.

import { beforeAll, describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

/** Every line is a chunk and names itself: a heading its section, any other line a paragraph. */
const TREE = `intro

# A

a1

a2

a3

a4

a5

# B

b1

# C

## D

d1

# E

e1

e2

e3
`;

let documentId: string;
/** Ids by name; the document itself is `root`. */
let ids: Map<string, string>;

const idsOf = (document: string) =>
  new Map(
    started.app.store.sql
      .query<{ id: string; level: string; text: string }, [string]>(
        `SELECT c.id, c.level, c.text FROM chunks AS c JOIN index_generations AS g ON g.id = c.generation_id
         WHERE g.document_id = ? AND g.state = 'live' ORDER BY c.key`,
      )
      .all(document)
      .map(({ id, level, text }) => [level === "document" ? "root" : text.replace(/^#+ /, ""), id] as const),
  );
const post = async (title: string, content: string) => {
  const { body } = await client("POST", "/v1/documents", { title, content });
  await started.settle();
  return body.data.id as string;
};
const expand = async (chunkId: string, direction: string, count?: number) => {
  const { status, body } = await client("POST", "/v1/pd/expand", { chunkId, direction, count });
  expect(status).toBe(200);
  return body.data.chunks as Record<string, unknown>[];
};
const namesOf = (chunks: Record<string, unknown>[], among = ids) => {
  const names = new Map([...among].map(([name, id]) => [id, name]));
  return chunks.map(({ _id }) => names.get(_id as string)).join(" ");
};

const started = useServer();
const { client } = started;

beforeAll(async () => {
  documentId = await post("Tree", TREE);
  ids = idsOf(documentId);
});

test("the document has the chunks that the cases name", () => {
  expect([...ids.keys()].join(" ")).toBe("root intro A a1 a2 a3 a4 a5 B b1 C D d1 E e1 e2 e3");
});

describe("directions", () => {
  test.each<[string, string, number | undefined, string]>([
    ["a1", "up", undefined, "A"],
    ["A", "up", undefined, "root"],
    ["root", "up", undefined, ""],
    ["root", "down", undefined, "intro A B C D E"],
    ["E", "down", undefined, "e1 e2 e3"],
    ["E", "down", 1, "e1 e2 e3"],
    ["C", "down", undefined, ""],
    ["e1", "down", undefined, ""],
    ["a2", "next", undefined, "a3"],
    ["a2", "next", 5, "a3"],
    ["a5", "next", undefined, ""],
    ["intro", "next", undefined, "A"],
    ["root", "next", undefined, ""],
    ["a2", "previous", undefined, "a1"],
    ["a5", "previous", 5, "a4"],
    ["a1", "previous", undefined, ""],
    ["root", "previous", undefined, ""],
  ])("%s %s (count %p): %s", async (from, direction, count, expected) => {
    expect(namesOf(await expand(ids.get(from)!, direction, count))).toBe(expected);
  });
});

describe("surrounding", () => {
  test.each<[string, number | undefined, string]>([
    ["a3", undefined, "a1 a2 a3 a4 a5"],
    ["a3", 1, "a2 a3 a4"],
    ["a1", 1, "a1 a2"],
    ["a5", 2, "a3 a4 a5"],
    ["a4", 25, "a1 a2 a3 a4 a5"],
    ["B", 1, "A B C"],
    ["intro", 2, "intro A B"],
  ])("a window of siblings: %s (count %p): %s", async (from, count, expected) => {
    expect(namesOf(await expand(ids.get(from)!, "surrounding", count))).toBe(expected);
  });

  test.each<[string, number | undefined, string]>([
    ["b1", undefined, "a4 a5 b1 C"],
    ["b1", 1, "a5 b1 C"],
    ["b1", 25, "a1 a2 a3 a4 a5 b1 C"],
    ["d1", undefined, "C d1 e1 e2"],
    ["d1", 3, "C d1 e1 e2 e3"],
    ["root", 2, "root"],
  ])(
    "an only child looks into the sections beside its own: %s (count %p): %s",
    async (from, count, expected) => {
      expect(namesOf(await expand(ids.get(from)!, "surrounding", count))).toBe(expected);
    },
  );

  test("with nothing beside it, the window is the chunk alone", async () => {
    const only = idsOf(await post("Only", "# One\n\nalone\n"));
    for (const name of ["One", "alone"]) {
      expect(namesOf(await expand(only.get(name)!, "surrounding"), only)).toBe(name);
    }
  });
});

describe("the members of a chunk", () => {
  test("a paragraph", async () => {
    expect(await expand(ids.get("e1")!, "next")).toEqual([
      {
        _id: ids.get("e2"),
        chunkId: ids.get("e2"),
        documentId,
        documentTitle: "Tree",
        level: "paragraph",
        content: "e2",
        parentId: ids.get("E"),
        siblingIds: { prev: ids.get("e1"), next: ids.get("e3") },
        chunkIndex: 1,
        headingText: "E",
        sectionPath: "E",
        wordCount: 1,
        source: { heading: "E", line: expect.any(Number) },
      },
    ]);
  });

  test("a nested section, and the document", async () => {
    expect((await expand(ids.get("d1")!, "up"))[0]).toMatchObject({
      level: "section",
      content: "## D\n\nd1",
      parentId: ids.get("root"),
      siblingIds: { prev: ids.get("C"), next: ids.get("E") },
      chunkIndex: 4,
      sectionPath: "C > D",
    });
    const [root] = await expand(ids.get("D")!, "up");
    expect(root).toMatchObject({
      level: "document",
      content: TREE.trimEnd(),
      parentId: null,
      siblingIds: { prev: null, next: null },
      chunkIndex: 0,
      sectionPath: "",
    });
    expect(root).not.toHaveProperty("headingText");
    expect(root).not.toHaveProperty("score");
  });

  test("the same content as in read", async () => {
    for (const chunk of [
      ...(await expand(ids.get("root")!, "down")),
      ...(await expand(ids.get("A")!, "down")),
    ]) {
      const { body } = await client("GET", `/v1/pd/read/${chunk._id}`);
      expect(chunk.content).toBe(body.data.content);
    }
  });
});

describe("a chunk that does not exist: an empty list", () => {
  test.each(["up", "down", "next", "previous", "surrounding"])("%s", async (direction) => {
    const other = started.clientOf("expand-other@example.org");
    const foreign = await other("POST", "/v1/pd/expand", { chunkId: ids.get("a3"), direction });
    expect([foreign.status, foreign.body]).toEqual([200, { data: { chunks: [] } }]);
    for (const chunkId of ["0".repeat(27), "not an id", ""])
      expect(await expand(chunkId, direction)).toEqual([]);
  });

  test("also after its document was changed or deleted", async () => {
    const id = await post("Passing", "# P\n\np1\n\np2\n");
    const old = idsOf(id);
    expect(namesOf(await expand(old.get("p1")!, "next"), old)).toBe("p2");
    await client("PATCH", `/v1/documents/${id}`, { content: "# P\n\np1\n\np2\n\np3\n" });
    await started.settle();
    expect(await expand(old.get("p1")!, "next")).toEqual([]);
    const fresh = idsOf(id);
    expect(namesOf(await expand(fresh.get("p2")!, "next"), fresh)).toBe("p3");
    await client("DELETE", `/v1/documents/${id}`);
    expect(await expand(fresh.get("p2")!, "next")).toEqual([]);
  });
});

describe("a malformed body is 400", () => {
  test.each<[string, object]>([
    ["no chunkId", { direction: "up" }],
    ["chunkId null", { chunkId: null, direction: "up" }],
    ["chunkId a number", { chunkId: 5, direction: "up" }],
    ["no direction", { chunkId: "x" }],
    ["an unknown direction", { chunkId: "x", direction: "left" }],
    ["direction null", { chunkId: "x", direction: null }],
    ["count 0", { chunkId: "x", direction: "surrounding", count: 0 }],
    ["count 26", { chunkId: "x", direction: "surrounding", count: 26 }],
    ["count 1.5", { chunkId: "x", direction: "surrounding", count: 1.5 }],
    ["count as text", { chunkId: "x", direction: "surrounding", count: "2" }],
    ["count null", { chunkId: "x", direction: "surrounding", count: null }],
    ["count out of range where it is not used", { chunkId: "x", direction: "up", count: 0 }],
    ["nothing", {}],
  ])("%s", async (_name, body) => {
    const reply = await client("POST", "/v1/pd/expand", body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].path).toBeString();
  });

  test("unknown members are ignored", async () => {
    const body = { chunkId: ids.get("a1"), direction: "up", limit: "many" };
    expect((await client("POST", "/v1/pd/expand", body)).status).toBe(200);
  });
});

test("a response ends early at 8 MB, a text is cut at 2 MB, and next continues", async () => {
  // A control character takes six bytes in JSON: a section of 2 MB alone is more than 8 MB of response.
  const paragraphs = Array.from({ length: 960 }, (_, at) => `p${at} ${"\u0001".repeat(2_300)}`).join("\n\n");
  const big = idsOf(await post("Big", `# first\n\n${paragraphs}\n\n# second\n\nshort\n`));
  const chunks = await expand(big.get("root")!, "down");
  expect(namesOf(chunks, big)).toBe("first");
  const { _id: first, content } = chunks[0] as { _id: string; content: string };
  expect(content.length).toBe(2 * 1024 * 1024);
  expect(namesOf(await expand(first, "next"), big)).toBe("second");
});
