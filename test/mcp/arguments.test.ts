// Arguments as clients really send them, and messages about those that cannot be read.

import { describe, expect, test } from "bun:test";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer({ embedder: fakeEmbedder() });
const { tool } = mcpPoster(started);
const UNKNOWN = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";

const create = async (title: string, content: string, more: object = {}): Promise<string> =>
  (await tool("create_document", { title, content, ...more })).data.documentId;
const read = async (id: string) => (await started.client("GET", `/v1/documents/${id}`)).body.data;

describe("values", () => {
  test.each([
    ["list_documents", { limit: "1" }, /^- \*\*\w+\*\*[^\n]*\n\n1 document; there are more/],
    ["list_documents", { limit: "1.0", search: "ALPHA" }, /alpha/],
    ["list_documents", { limit: [1] }, /1 document; there are more/],
    [
      "list_documents",
      { search: "", tags: "", status: "", cursor: "", collectionId: "", limit: "" },
      /alpha/,
    ],
    ["list_documents", { tags: "ops" }, /alpha/],
    ["list_documents", { tags: "ops, home" }, /alpha/],
    ["list_documents", { tags: '["ops","home"]' }, /alpha/],
    ["list_documents", { TAGS: ["ops"], max_tokens: "2000" }, /^- \*\*alpha\*\*[^\n]*tags: ops, home/],
    ["list_documents", { status: "publish" }, /alpha/],
    ["deep_search", { query: "alpha", response_Format: "Detail", other: null }, /^(No passage|\*\*alpha)/],
    ["get_collection", { collection_id: "Box", include_items: "False" }, /^\*\*Box\*\*[^\n]*$/],
    ["get_collection", { collectionId: ["Box"], includeItems: 0 }, /^\*\*Box\*\*[^\n]*$/],
    ["find_items", { query: "alpha", type: "document", semantic: "false" }, /## Documents/],
    ["find_items", { query: 2024, semantic: false, type: "Documents" }, /beta 2024/],
    ["add_to_collection", { collectionId: "Box", itemIds: "alpha", itemType: "documents" }, /1 document/],
  ])("%s %j", async (name, given, wanted) => {
    if ((await tool("list_collections", { search: "Box" })).text.includes("No collection")) {
      await create("beta 2024", "2024 was a year");
      await create("alpha", "alpha text", { tags: "ops, home" });
      await tool("create_collection", { name: "Box" });
    }
    const { text, isError } = await tool(name, given);
    expect([isError, text]).toEqual([false, expect.stringMatching(wanted)]);
  });

  test("several ids may be one text, and one object may stand for a list of one", async () => {
    const ids = [await create("one", "text"), await create("two", "text")];
    await tool("create_collection", { name: "Several" });
    const added = await tool("add_to_collection", {
      collectionId: "Several",
      itemIds: ids.join(", "),
      itemType: "document",
    });
    expect(added.data.added).toBe(2);
    const variables = { name: "x", type: "string" };
    for (const sent of [variables, [JSON.stringify(variables)], JSON.stringify([variables])]) {
      const { data } = await tool("create_prompt", {
        title: "t",
        description: "d",
        content: "c",
        variables: sent,
      });
      const stored = await started.client("GET", `/v1/prompts/${data.promptId}`);
      expect(stored.body.data.variables).toEqual([variables]);
    }
  });

  test("an optional text that is empty changes nothing", async () => {
    const documentId = await create("kept", "text", { tags: ["a"] });
    const { data } = await tool("update_document", {
      documentId,
      title: "",
      content: "",
      oldText: "text",
      newText: "other text",
      tags: "",
      status: "",
      changeLog: "",
      expectedRevision: "0",
      leaseId: "",
      fence: "",
    });
    expect(data).toEqual({ documentId, revision: 1, changed: true });
    expect(await read(documentId)).toMatchObject({ title: "kept", content: "other text", tags: ["a"] });
    await tool("update_document", { documentId, oldText: "other ", newText: "" });
    expect((await read(documentId)).content).toBe("text");
  });
});

describe("an unknown argument", () => {
  test("of a tool that only reads is named in its result", async () => {
    await create("gamma", "gamma text");
    const { text, isError } = await tool("list_documents", {
      search: "gamma",
      folder: "x",
      filters: { a: 1 },
    });
    expect([isError, text]).toEqual([
      false,
      expect.stringMatching(
        /^\[Ignored: unknown argument "folder", "filters": list_documents accepts search, .*\]\n\n- \*\*gamma\*\*/,
      ),
    ]);
  });

  test("of a tool that writes is an error, and nothing is written", async () => {
    const documentId = await create("delta", "text");
    const { text, isError } = await tool("update_document", {
      documentId,
      content: "new",
      expectedVersion: 7,
    });
    expect([isError, text]).toEqual([true, expect.stringContaining('unknown argument "expectedVersion"')]);
    expect((await read(documentId)).content).toBe("text");
  });
});

test.each([
  ["get_document", { constructor: 1 }, /^documentId \(.*\) must be sent/],
  ["get_document", {}, /^documentId \(.*\) must be sent/],
  ["get_document", { documentId: UNKNOWN, document_id: UNKNOWN }, /^documentId was sent twice/],
  ["create_document", {}, /^title \(.*\) and content \(.*\) must be sent/],
  [
    "create_document",
    { title: "t", content: { a: 1 } },
    'content: got {"a":1}; send a text, such as "notes"',
  ],
  ["create_document", { title: "t", content: "c", tags: [["a"]] }, 'tags: got [["a"]]; send a list of texts'],
  ["find_items", { query: "x", limit: "five" }, 'limit: got "five"; send a whole number, such as 10'],
  ["find_items", { query: "x", limit: 2.5 }, "limit: got 2.5; send a whole number, such as 10"],
  ["find_items", { query: "x", limit: 51 }, "limit: must be at most 50"],
  ["find_items", { query: "x", semantic: "perhaps" }, 'semantic: got "perhaps"; send true or false'],
  ["find_items", { query: "x", type: "files" }, 'type: got "files"; send one of all, documents, prompts,'],
  ["find_items", { query: "x", type: "a".repeat(500) }, /^type: got "a{50,60}…; send one of all/],
  ["find_items", { query: "" }, "query: must not be empty"],
  ["find_items", { query: " " }, "query: must not be blank"],
  ["deep_search", { query: "x", limit: 0 }, "limit: must be at least 1"],
  ["create_document", { title: " ", content: "c", tags: ["a,b"] }, "title: must not be blank; tags.0"],
  ["get_document", { documentId: "abc" }, 'documentId: no document is called "abc". Ids are shown'],
  [
    "create_prompt",
    { title: "t", description: "d", content: "c", variables: [1] },
    "variables: got [1]; send a list of objects with name, type, description",
  ],
  ["deep_read", { chunkId: "abc" }, "chunkId: must be 27 letters and digits. deep_search returns chunkIds."],
  ["search_prompts", { search: "x".repeat(5_000) }, "search: "],
  ["create_collection", { name: "c", color: "blue" }, "color: has the wrong form: send one such as #2266aa"],
])("%s %j: %s", async (name, given, message) => {
  const { isError, text } = await tool(name, given);
  const wanted =
    message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message);
  expect([isError, text]).toEqual([true, wanted]);
});

describe("a passage to be replaced", () => {
  test.each([
    ["line ends", "first line\r\nsecond line\r\n", "first line\nsecond", "1\n2", "1\r\n2 line\r\n"],
    ["line ends that stay", "a\r\nb\r\nc\r\n", "a\nb", "a\nB\nx", "a\r\nB\r\nx\r\nc\r\n"],
    ["one line of several", "one\r\ntwo\r\n", "two", "two\nthree", "one\r\ntwo\r\nthree\r\n"],
    ["mixed line ends stay", "a\nb\r\nc", "b\nc", "b\nd", "a\nb\r\nd"],
    [
      "quotes",
      "He said “no” – it’s late.",
      `"no" - it's late`,
      `"no" - it's early`,
      "He said “no” – it’s early.",
    ],
    ["decomposed", "Cafe\u0301 au lait", "Caf\u00e9 au", "Caf\u00e9 sans", "Cafe\u0301 sans lait"],
    ["composed", "Caf\u00e9 au lait", "Cafe\u0301 au lait", "The\u0301", "The\u0301"],
    ["no-break space", "10\u00a0km away", "10 km", "12 km", "12\u00a0km away"],
    ["quotes that are to change", 'a "b" c', '"b"', "“b”", "a “b” c"],
    ["deleted", "a\r\n\r\nb\r\n", "a\n\n", "", "b\r\n"],
    ["Hangul", "\u1112\u1161\u11ab글 text", "한글 text", "한글!", "\u1112\u1161\u11ab글!"],
    ["late in a long text", `${"é’ ".repeat(50_000)}it’s`, "it's", "that's", `${"é’ ".repeat(50_000)}that’s`],
  ])("%s", async (_, content, oldText, newText, wanted) => {
    const documentId = await create("passage", content);
    const { isError, text } = await tool("update_document", { documentId, oldText, newText });
    expect([isError, text]).toEqual([false, expect.any(String)]);
    expect((await read(documentId)).content).toBe(wanted);
  });

  test.each([
    ["that occurs twice in different forms", "it’s 1. it‘s 2.", "it's", "oldText occurs 2 times"],
    ["that occurs twice", "ab ab", "ab", "oldText occurs 2 times"],
    ["inside a character", "cafe\u0301’s", "cafe's", "oldText does not occur in revision 0"],
    ["that does not occur", "text", "nothing", "oldText does not occur in revision 0"],
  ])("%s", async (_, content, oldText, message) => {
    const documentId = await create("passage", content);
    const { isError, text } = await tool("update_document", { documentId, oldText, newText: "x" });
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
  });

  test("that is gone since the revision that was read: the revision is the reason", async () => {
    const documentId = await create("passage", "first");
    await tool("update_document", { documentId, content: "second" });
    const change = { documentId, oldText: "first", newText: "third", expectedRevision: 0 };
    const { isError, text } = await tool("update_document", change);
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/^REVISION_MISMATCH: The document has changed/),
    ]);
  });
});
