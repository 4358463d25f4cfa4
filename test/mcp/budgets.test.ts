// Results within the tokens that a client allows: where they end, and how to go on.

import { describe, expect, test } from "bun:test";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer({ embedder: fakeEmbedder() });
const { tool } = mcpPoster(started);

const SENTENCE = "The keeper lights the lamp at dusk and walks down to the pier to meet the boat.";
const section = (n: number) => `## Night ${n}\n\n${`${SENTENCE} `.repeat(6).trim()}\n\n- one\n- two\n`;
const LONG = `# Log\n\n${Array.from({ length: 60 }, (_, n) => section(n)).join("\n")}`;

const create = async (title: string, content: string): Promise<string> =>
  (await tool("create_document", { title, content })).data.documentId;
const tokens = (text: string) => text.length / 4;

describe("a long document", () => {
  test("is read within 2,000 tokens a page, and no page ends in a sentence", async () => {
    const documentId = await create("Log", LONG);
    let offset: string | undefined = "0";
    let read = "";
    while (offset !== undefined) {
      const { text } = await tool("get_document", { documentId, offset, maxTokens: 2_000 });
      expect(tokens(text)).toBeLessThan(2_000);
      const [, part, next] =
        /^[^\n]*\n\n([\s\S]*?)(?:\n\n\[Characters \d+ to (\d+) of \d+\. Continue: [^\]]*\])?$/.exec(text) ??
        [];
      if (next !== undefined) expect(part).toEndWith("\n\n");
      read += part;
      offset = next;
    }
    expect(read).toBe(LONG);
  });

  test("begins with its headings and where they are", async () => {
    const documentId = await create("Log with headings", LONG);
    const { text } = await tool("get_document", { documentId, maxTokens: 4_000 });
    const [, at] = /^ {2}- Night 41 (\d+)$/m.exec(text) ?? [];
    const page = await tool("get_document", { documentId, offset: at, maxTokens: 500 });
    expect(page.text.split("\n\n")[1]).toBe("## Night 41");
    // Not all headings fit: only the first level is shown.
    const small = await tool("get_document", { documentId, maxTokens: 800 });
    expect(small.text).toContain("- Log 0");
    expect(small.text).not.toContain("- Night 41");
  });

  test("has headings that are not in code, and pages that do not end in code", async () => {
    const code = `\`\`\`sh\n# not a heading\n${"echo one\n\n".repeat(40)}\`\`\`\n\n`;
    const documentId = await create("Code", `# Real\n\n${code.repeat(10)}`);
    const { text } = await tool("get_document", { documentId, maxTokens: 500 });
    expect(text).toContain("- Real 0");
    expect(text).not.toContain("- not a heading");
    const [, part] = /\n\n(# Real[\s\S]*)\n\n\[Characters/.exec(text)!;
    expect((part!.match(/```/g) ?? []).length % 2).toBe(0);
  });
});

describe("passages", () => {
  test("of a section fit the tokens, and title and heading are said once", async () => {
    const documentId = await create("Nights", LONG);
    await started.settle();
    const found = await tool("deep_search", { query: SENTENCE, documentId, limit: 5 });
    expect(found.text.match(/\*\*Nights\*\*/g)).toHaveLength(1);
    expect(found.text.match(new RegExp(documentId, "g"))).toHaveLength(1);
    const [, chunkId] = /chunkId: (\w+)/.exec(found.text)!;
    const { text: up } = await tool("deep_expand", { chunkId, direction: "up" });
    const [, sectionId] = /chunkId: (\w+)/.exec(up)!;
    const around = { chunkId: sectionId, direction: "surrounding", count: 25 };
    const all = await tool("deep_expand", around);
    const few = await tool("deep_expand", { ...around, maxTokens: 600 });
    expect(tokens(few.text)).toBeLessThan(600);
    expect(few.text).toMatch(/\[\d+ more passages?\. Continue: deep_expand of \w{27} with direction "next"/);
    expect(all.text.length).toBeGreaterThan(few.text.length);
    const read = await tool("deep_read", { chunkId, maxTokens: 1 });
    expect(tokens(read.text)).toBeLessThan(200);
    const small = await tool("deep_search", { query: SENTENCE, documentId, limit: 50, maxTokens: 400 });
    expect(tokens(small.text)).toBeLessThan(400);
  });
});

test("lists fit the tokens and go on with a cursor", async () => {
  for (let n = 0; n < 30; n++) await create(`Entry ${n} of a list that is long`, "text");
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await tool("list_documents", { search: "Entry", limit: 100, maxTokens: 500, cursor });
    expect(tokens(page.text)).toBeLessThan(500);
    for (const [title] of page.text.matchAll(/Entry \d+/g)) seen.add(title);
    [, cursor] = /with cursor "([^"]+)"/.exec(page.text) ?? [];
  } while (cursor);
  expect(seen.size).toBe(30);
});
