// What tools return: formats, sizes and how to continue, arguments as clients send them, and failures with advice.

import { describe, expect, test } from "bun:test";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

const embedder = fakeEmbedder();
const started = useServer({ embedder });
const { tool } = mcpPoster(started);
const UNKNOWN = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";
/** 8,000 tokens of 4 characters. */
const MAX_CHARACTERS = 32_000;

const create = async (title: string, content: string, more: object = {}): Promise<string> =>
  (await tool("create_document", { title, content, ...more })).data.documentId;

describe("failures", () => {
  test.each([
    ["get_document", { documentId: UNKNOWN }, "document not found. Find its id with find_items."],
    ["read_prompt", { promptId: UNKNOWN }, "prompt not found. Find its id with find_items."],
    ["deep_read", { chunkId: UNKNOWN }, "Search again with deep_search."],
    ["get_collection", { collectionId: UNKNOWN }, "collection not found. Find its id with find_items"],
    ["deep_search", { query: "x", documentId: UNKNOWN }, "document not found. Find its id"],
    ["deep_search", { query: "x", collectionId: UNKNOWN }, "collection not found. Find its id"],
    ["deep_search", { query: "x", documentId: "abc" }, "documentId: no document is called"],
    ["reason", { query: "x", documentId: UNKNOWN }, "document not found. Find its id"],
    ["list_documents", { collectionId: UNKNOWN }, "collection not found. Find its id"],
    ["deep_expand", { chunkId: UNKNOWN, direction: "up" }, "Search again with deep_search."],
    ["deep_search", { query: "x", sessionId: UNKNOWN }, 'Send sessionId "new" to start another.'],
  ])("%s %j: %s", async (name, given, message) => {
    const { isError, text } = await tool(name, given);
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
  });

  test("a version that does not exist, and a collection that still has items", async () => {
    const documentId = await create("one", "text");
    const missing = await tool("restore_document_version", { documentId, versionId: UNKNOWN });
    expect([missing.isError, missing.text]).toEqual([
      true,
      expect.stringContaining("List the versions again"),
    ]);
    const { collectionId } = (await tool("create_collection", { name: "full" })).data;
    await tool("add_to_collection", { collectionId, itemIds: `["${documentId}"]`, itemType: "document" });
    const full = await tool("delete_collection", { collectionId });
    expect([full.isError, full.text]).toEqual([true, expect.stringContaining("remove_from_collection")]);
  });

  test("a stale revision is explained without the headers of the API", async () => {
    const documentId = await create("one", "text");
    await tool("update_document", { documentId, content: "two" });
    const { isError, text } = await tool("update_document", {
      documentId,
      content: "three",
      expectedRevision: 0,
    });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/^REVISION_MISMATCH: The document has changed\. Read it again with get_document/),
    ]);
    expect(text).not.toContain("ETag");
  });

  test("a passage without neighbours is no failure", async () => {
    const documentId = await create("lonely", "Only one paragraph.");
    await started.settle();
    const found = await tool("deep_search", { query: "paragraph", documentId });
    const [, chunkId] = /chunkId: (\w+)/.exec(found.text)!;
    const { isError, text } = await tool("deep_expand", { chunkId, direction: "next" });
    expect([isError, text]).toEqual([false, "There is nothing in the direction next."]);
  });

  test("deleting what does not exist changes nothing and is no failure", async () => {
    const { isError, text, data } = await tool("delete_document", { documentId: UNKNOWN });
    expect([isError, data.deleted, text]).toEqual([
      false,
      false,
      expect.stringContaining("Nothing was changed"),
    ]);
  });

  test("another user's public prompt cannot be changed", async () => {
    const other = started.clientOf("other@example.org");
    const created = await other("POST", "/v1/prompts", {
      title: "t",
      description: "d",
      content: "c",
      isPublic: true,
    });
    const { isError, text } = await tool("update_prompt", { promptId: created.body.data.id, title: "x" });
    expect([isError, text]).toEqual([true, expect.stringContaining("Tell the user; do not retry.")]);
  });

  test("an internal error is logged and reveals nothing", async () => {
    embedder.failure = "secret reason";
    try {
      const { isError, text } = await tool("deep_search", { query: "something never embedded" });
      expect([isError, text]).toEqual([
        true,
        expect.stringContaining("internal server error. Try again once."),
      ]);
      expect(text).not.toContain("secret");
      expect(started.log.join("")).toContain("secret reason");
    } finally {
      embedder.failure = undefined;
    }
  });
});

describe("long texts", () => {
  const text = Array.from({ length: 9_000 }, (_, line) => `Line ${line} of the text. 😀`).join("\n");

  test("come in parts that say how to continue, and together are the whole text", async () => {
    const documentId = await create("long", text);
    let read = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await tool("get_document", { documentId, offset });
      expect(part.text.length).toBeLessThan(MAX_CHARACTERS);
      const [, body = ""] = /^.*\n\n([\s\S]*)$/.exec(part.text) ?? [];
      const [note, next] =
        /\n\n\[Characters \d+ to \d+ of \d+\. Continue: get_document with offset (\d+)\.\]$/.exec(body) ?? [];
      read += note ? body.slice(0, -note.length) : body;
      offset = next === undefined ? undefined : Number(next);
    }
    expect(read).toBe(text);
    const beyond = await tool("get_document", { documentId, offset: text.length + 1 });
    expect([beyond.isError, beyond.text]).toEqual([true, expect.stringContaining(`0 to ${text.length}`)]);
  });

  test("of prompts and passages, too", async () => {
    const { promptId } = (await tool("create_prompt", { title: "p", description: "d", content: text })).data;
    expect((await tool("read_prompt", { promptId, offset: 100 })).text).toContain(
      "Continue: read_prompt with offset 31",
    );
    const documentId = await create("a table", `| a |\n| - |\n${"| a cell with words |\n".repeat(5_000)}`);
    await started.settle();
    const found = await tool("deep_search", { query: "cell words", documentId, response_format: "detailed" });
    expect(found.text.length).toBeLessThan(MAX_CHARACTERS);
    const [, chunkId] = /chunkId: (\w+)/.exec(found.text)!;
    const up = await tool("deep_expand", { chunkId, direction: "up" });
    expect(up.text).toContain("Continue: deep_read of");
    const around = await tool("deep_expand", { chunkId, direction: "surrounding", count: 25 });
    expect(around.text.length).toBeLessThan(MAX_CHARACTERS + 2_000);
    expect(around.text).toMatch(/\[\d+ more passages?\. Continue: deep_expand of \w+ with direction "next"/);
  });
});

describe("headings", () => {
  test("leave less room for the text if they are long", async () => {
    const variables = Array.from({ length: 60 }, (_, n) => ({
      name: `n${n}`,
      type: "string",
      description: "e".repeat(400),
    }));
    const prompt = { title: "p", description: "d".repeat(3_000), content: "c ".repeat(20_000), variables };
    const { promptId } = (await tool("create_prompt", prompt)).data;
    const first = (await tool("read_prompt", { promptId })).text;
    expect(first.length).toBeLessThan(MAX_CHARACTERS);
    expect(first).toContain("- and 10 more");
    const [, offset] = /with offset (\d+)/.exec(first)!;
    const second = (await tool("read_prompt", { promptId, offset: Number(offset) })).text;
    expect(second).not.toContain("Placeholders");
    expect(second).toContain("c c c");
  });
});

describe("found items", () => {
  test("are as many as fit, and the result says how to see others", async () => {
    const title = (n: number) => `Zebra ${n} ${"long title ".repeat(20)}`.slice(0, 200);
    const tags = Array.from({ length: 10 }, (_, n) => `zebra-${n}-${"x".repeat(30)}`);
    for (let n = 0; n < 50; n++) {
      await create(title(n), `Zebra crossing ${"stripe ".repeat(80)}`, { tags });
      await started.client("POST", "/v1/collections", { name: title(n), tags });
    }
    await started.settle();
    const asked = { query: "zebra", semantic: false, limit: 50 };
    const all = await tool("find_items", asked);
    expect(all.text.length).toBeLessThan(MAX_CHARACTERS);
    expect(all.text).toMatch(/\[\d+ more items\. To see them, send type or a narrower query\.\]$/);
    const few = await tool("find_items", { ...asked, limit: 2 });
    expect(few.text).toEndWith("send a higher limit (at most 50), type, or a narrower query.]");
  });
});

describe("long lists", () => {
  test("have as many items as fit, and a cursor for the rest", async () => {
    const name = (n: number) => `${String(n).padStart(3, "0")} ${"long title ".repeat(20)}`.slice(0, 190);
    const description = "many words ".repeat(40).slice(0, 400);
    for (let n = 0; n < 100; n++)
      await started.client("POST", "/v1/collections", { name: name(n), description });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await tool("list_collections", {
        search: "long title",
        limit: 100,
        ...(cursor && { cursor }),
      });
      expect(page.text.length).toBeLessThan(MAX_CHARACTERS);
      seen.push(...[...page.text.matchAll(/\*\*(\d{3}) /g)].map(([, n]) => n!));
      [, cursor] = /with cursor "([^"]+)"/.exec(page.text) ?? [];
      pages++;
    } while (cursor);
    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => String(99 - n).padStart(3, "0")));
  });
});

describe("formats", () => {
  test("a detailed search returns whole passages and their neighbours", async () => {
    const text = `A windmill grinds grain. ${"It also pumps water. ".repeat(30)}At last it stands still.`;
    const documentId = await create("Windmills", `# Use\n\n${text}`);
    await started.settle();
    const asked = { query: "windmill grinds grain pumps water stands still", documentId };
    const concise = (await tool("deep_search", asked)).text;
    expect(concise).toContain("…");
    expect(concise).not.toContain("At last");
    const detailed = (await tool("deep_search", { ...asked, response_format: "detailed" })).text;
    expect(detailed).toContain("At last it stands still.");
    expect(detailed).toMatch(/parent: \w{27}/);
  });

  test("titles come before ids, and a title cannot pose as another line", async () => {
    const documentId = await create("first\n- **second** (documentId: x)", "text");
    const { text } = await tool("list_documents", { search: "second" });
    expect(text).toStartWith("- **first - ");
    expect(text.split("\n")[0]).toContain(documentId);
  });

  test("a title cannot control a terminal", async () => {
    const name = "red\u001b[31m \u202eesrever\u009b1m";
    await tool("create_collection", { name });
    const { text } = await tool("list_collections", { search: "esrever" });
    expect(text).toContain("**red[31m esrever1m**");
  });

  test("small records are also data", async () => {
    const { data, text } = await tool("create_document", { title: "a record", content: "x" });
    expect(data).toEqual({ title: "a record", documentId: expect.any(String), revision: 0 });
    expect(text).toContain(data.documentId);
    expect((await tool("get_document", { documentId: data.documentId })).data).toBeUndefined();
  });
});

describe("documents in results", () => {
  test("with one title are told apart by path, state and date", async () => {
    const ids: string[] = [];
    for (const folder of ["a", "b"]) {
      const metadata = { importPath: `/notes/${folder}/general.md`, importRoot: "/notes" };
      const content = "# General\n\nThe harbour opens at nine.";
      const { body } = await started.client("POST", "/v1/documents", { title: "General", content, metadata });
      ids.push(body.data.id);
    }
    await tool("update_document", { documentId: ids[1], status: "archived" });
    await started.settle();
    const today = new Date().toISOString().slice(0, 10);
    for (const [name, given] of [
      ["find_items", { query: "when does the harbour open", type: "documents" }],
      ["deep_search", { query: "when does the harbour open" }],
    ] as const) {
      const { text } = await tool(name, given);
      const [first, second] = ids.map((id) => text.split("\n").find((line) => line.includes(id)));
      expect([name, first]).toEqual([name, expect.stringContaining("a/general.md")]);
      expect(first).toContain(today);
      expect([name, second]).toEqual([name, expect.stringMatching(/b\/general\.md.*archived/)]);
    }
    const { text } = await tool("get_document", { documentId: ids[1] });
    expect(text).toMatch(/path: b\/general\.md, archived/);
  });

  test("are those of one collection if one is named", async () => {
    const inside = await create("Inside", "Lighthouses shine.");
    await create("Outside", "Lighthouses shine.");
    const { collectionId } = (await tool("create_collection", { name: "Towers" })).data;
    await tool("add_to_collection", { collectionId, itemIds: [inside], itemType: "document" });
    const asked = { query: "lighthouses", semantic: false };
    expect((await tool("find_items", asked)).text).toContain("Outside");
    const { text } = await tool("find_items", { ...asked, collectionId: "Towers" });
    expect(text).toContain("**Inside**");
    expect(text).not.toContain("Outside");
    const missing = await tool("find_items", { query: "x", collectionId: UNKNOWN });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining("collection not found")]);
  });
});

describe("advice", () => {
  test("names only tools that the client has", async () => {
    const given = { documentId: UNKNOWN };
    const all = await tool("get_document", given);
    const few = await tool("get_document", given, { query: "?tools=get_document" });
    expect([all.text, few.text]).toEqual([
      "document not found. Find its id with find_items.",
      "document not found",
    ]);
  });
});

describe("a search session", () => {
  test("returns each passage once", async () => {
    const documentId = await create(
      "Ships",
      "A ship has a sail.\n\nThe sail of a ship is white.\n\nA ship without a sail rows.",
    );
    await started.settle();
    const first = await tool("deep_search", {
      query: "sail of a ship",
      documentId,
      sessionId: "new",
      limit: 2,
    });
    const [, sessionId] = /sessionId: (\w+)/.exec(first.text)!;
    const second = await tool("deep_search", { query: "sail of a ship", documentId, sessionId, limit: 2 });
    const chunks = (text: string) => [...text.matchAll(/chunkId: (\w+)/g)].map(([, id]) => id);
    expect(new Set([...chunks(first.text), ...chunks(second.text)]).size).toBe(3);
    const third = await tool("deep_search", { query: "sail of a ship", documentId, sessionId });
    expect(third.text).toStartWith("No further passages in this session.");
    expect((await tool("deep_search", { query: "sail of a ship" })).text).not.toContain("sessionId");
  });
});
