// Resources with their templates and completion, stored prompts as prompts, and the instructions.

import { describe, expect, test } from "bun:test";
import { mcpPoster } from "../helpers/mcp.ts";
import { startServer, useServer } from "../helpers/start.ts";

const started = useServer();
const { ask } = mcpPoster(started);
const { client, create } = started;
const UNKNOWN = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";

const result = async (method: string, params: object = {}) => {
  const { message } = await ask(method, params);
  if (message.error) throw new Error(JSON.stringify(message.error));
  return message.result;
};
const failure = async (method: string, params: object = {}) => (await ask(method, params)).message.error;

describe("resources", () => {
  test("are documents, prompts and collections, each read by its URI", async () => {
    const document = await create("/v1/documents", { title: "Kettles", content: "# Tea\n\nIt whistles." });
    const prompt = await create("/v1/prompts", {
      title: "Explain",
      description: "d",
      content: "Explain it.",
    });
    const collection = await create("/v1/collections", { name: "Kitchen", description: "All about cooking" });
    for (const [itemType, id] of [
      ["document", document],
      ["prompt", prompt],
    ]) {
      await client("POST", `/v1/collections/${collection}/items`, { itemIds: [id], itemType });
    }
    const read = async (uri: string) => (await result("resources/read", { uri })).contents;
    const uri = `ctxrepo://documents/${document}`;
    expect(await read(uri)).toEqual([{ uri, mimeType: "text/markdown", text: "# Tea\n\nIt whistles." }]);
    expect((await read(`ctxrepo://prompts/${prompt}`))[0].text).toBe("Explain it.");
    const [{ text }] = await read(`ctxrepo://collections/${collection}`);
    expect(text).toStartWith("# Kitchen\n\nAll about cooking\n\n");
    expect(text).toContain(`- **Kettles**: ${uri}`);
    expect(text).toContain(`- **Explain**: ctxrepo://prompts/${prompt}`);
  });

  test("are listed page by page, each once", async () => {
    for (let n = 0; n < 60; n++) await create("/v1/documents", { title: `page ${n}`, content: "" });
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await result("resources/list", cursor ? { cursor } : {});
      uris.push(...page.resources.map(({ uri }: { uri: string }) => uri));
      cursor = page.nextCursor;
    } while (cursor);
    expect(uris.length).toBe(63);
    expect(new Set(uris).size).toBe(63);
    expect(uris.at(-1)).toStartWith("ctxrepo://collections/");
  });

  test("have templates whose id is completed by title", async () => {
    const { resourceTemplates } = await result("resources/templates/list");
    const templates = resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate);
    expect(templates).toEqual(
      ["documents", "prompts", "collections"].map((kind) => `ctxrepo://${kind}/{id}`),
    );
    for (const [uri, value, words] of [
      [templates[0], "kettl", "kettles"],
      [templates[1], "expl", "explain"],
      [templates[2], "kitch", "kitchen"],
    ]) {
      const { completion } = await result("completion/complete", {
        ref: { type: "ref/resource", uri },
        argument: { name: "id", value },
      });
      const named = new RegExp(`^${words}[\\w-]*-\\w{27}$`);
      expect(completion).toEqual({ values: [expect.stringMatching(named)], hasMore: false });
      const filledIn = uri.replace("{id}", encodeURIComponent(completion.values[0]));
      expect((await result("resources/read", { uri: filledIn })).contents[0].uri).toBe(filledIn);
    }
    const { completion } = await result("completion/complete", {
      ref: { type: "ref/resource", uri: templates[0] },
      argument: { name: "id", value: "" },
    });
    expect([completion.values.length, completion.hasMore]).toEqual([61, false]);
  });

  test.each([
    `ctxrepo://documents/${UNKNOWN}`,
    "ctxrepo://documents/x",
    "ctxrepo://users/x",
    "file:///etc/passwd",
  ])("%s is not found", async (uri) => {
    expect(await failure("resources/read", { uri })).toMatchObject({ code: -32602, data: { uri } });
  });

  test("of another user are not found, and a foreign cursor is rejected", async () => {
    const other = started.clientOf("other@example.org");
    const id = (await other("POST", "/v1/documents", { title: "secret", content: "x" })).body.data.id;
    expect(await failure("resources/read", { uri: `ctxrepo://documents/${id}` })).toBeDefined();
    for (const cursor of ["x", "users:x", "documents:x"]) {
      expect((await failure("resources/list", { cursor })).code).toBe(-32602);
    }
  });
});

describe("prompts", () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: placeholders
  const content =
    "Review ${diff} with ${ focus } in mind. ${diff} again, but not $diff, ${} or ${1}. $& ${HOME}";

  test("are the stored ones, with their placeholders as arguments", async () => {
    await create("/v1/prompts", {
      title: "Review a pull request!",
      description: "Lists questions",
      content,
      variables: [{ name: "diff", type: "string", description: "the change" }],
    });
    const { prompts } = await result("prompts/list");
    const [prompt] = prompts;
    expect(prompt.name).toMatch(/^review-a-pull-request-\w{6}$/);
    expect(prompt).toMatchObject({
      title: "Review a pull request!",
      description: "Lists questions",
      arguments: [
        { name: "diff", description: "the change", required: true },
        { name: "focus", required: false },
        { name: "HOME", required: false },
      ],
    });
    const filled = await result("prompts/get", {
      name: prompt.name,
      arguments: { diff: "${focus} $&", focus: "speed" },
    });
    expect(filled.messages).toEqual([
      {
        role: "user",
        content: {
          type: "text",
          text: "Review ${focus} $& with speed in mind. ${focus} $& again, but not $diff, ${} or ${1}. $& ${HOME}",
        },
      },
    ]);
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: placeholders

  test("are found by name after their title has changed, and by id", async () => {
    const id = await create("/v1/prompts", { title: "Old", description: "", content: "text" });
    const [{ name, description }] = (await result("prompts/list")).prompts;
    expect([name, description]).toEqual([`old-${id.slice(-6)}`, "Old"]);
    await client("PATCH", `/v1/prompts/${id}`, { title: "新しい題名 / 2" });
    expect((await result("prompts/list")).prompts[0].name).toBe(`新しい題名-2-${id.slice(-6)}`);
    for (const known of [name, id]) {
      expect((await result("prompts/get", { name: known })).messages[0].content.text).toBe("text");
    }
  });

  test("that do not exist, or would become too long, are rejected", async () => {
    for (const name of ["nope", "nope-abcdef", UNKNOWN, ""]) {
      expect((await failure("prompts/get", { name })).code).toBe(-32602);
    }
    await create("/v1/prompts", { title: "Many", description: "d", content: "${a}".repeat(10_000) });
    const [{ name }] = (await result("prompts/list")).prompts;
    const error = await failure("prompts/get", { name, arguments: { a: "x".repeat(10_000) } });
    expect(error.message).toContain("too long");
  });

  test("are listed in pages", async () => {
    for (let n = 0; n < 60; n++)
      await create("/v1/prompts", { title: `p${n}`, description: "d", content: "c" });
    const first = await result("prompts/list");
    const second = await result("prompts/list", { cursor: first.nextCursor });
    expect([first.prompts.length, second.nextCursor]).toEqual([50, undefined]);
    const names = [...first.prompts, ...second.prompts].map(({ name }) => name);
    expect(new Set(names).size).toBe(64);
  });
});

describe("the instructions", () => {
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };

  test("say what the store contains, in at most 250 tokens", async () => {
    const other = startServer();
    try {
      const poster = mcpPoster(other);
      const read = async () =>
        (await poster.ask("initialize", initialize)).message.result.instructions as string;
      expect(await read()).toEndWith("It contains 0 documents and 0 prompts.");
      for (let n = 0; n < 30; n++) {
        const tags = [`a long tag with many words ${n}`, "home"];
        await other.client("POST", "/v1/documents", { title: "t", content: "", tags });
        await other.client("POST", "/v1/collections", {
          name: `a collection with a name that is very long ${n}`,
        });
      }
      const text = await read();
      expect(text).toContain(
        "It contains 30 documents and 0 prompts. Newest collections: a collection with a",
      );
      expect(text).toContain("Recent tags: a long tag with many wor…, home");
      expect(text.length / 4).toBeLessThanOrEqual(250);
    } finally {
      await other.stop();
    }
  });
});
