// Twelve tasks of agents, each solved through the tools alone with the calls that a careful reader of their
// descriptions needs. Prints what each task costs in tokens of 4 characters: the arguments that are sent and the
// results that are read.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mcpPoster } from "../helpers/mcp.ts";
import { article, type Pages, startPages } from "../helpers/pages.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer({ realModel: true, settings: { scrapePrivateNetwork: "allow" } });
const { tool } = mcpPoster(started);

const PLANS = `# Plans

## Rowing

Members of the rowing section pay 40 euros a month. The boats are insured.

## Sailing

| What | Sailing Standard | Sailing Plus |
| --- | --- | --- |
| Berth | none | 6 metres |
| Monthly fee | 55 euros | 90 euros |
| Guests | 1 | 4 |
`;
const OLD_RULES = "# Rules of 2024\n\nThe slipway closes at eight. Dogs are not allowed on the pier.";
const NEW_RULES = "# Rules of 2025\n\nThe slipway closes at ten. Dogs are allowed on a lead.";
const NIGHT = "The keeper lights the lamp at dusk and walks down to the pier to meet the boat.";
const LOG = `# Log of the lighthouse\n\n${Array.from(
  { length: 120 },
  (_, n) => `## Night ${n}\n\n${`${NIGHT} `.repeat(10)}\n\nThe wind was force ${n % 9}.\n`,
).join("\n")}`;
/** The store in which the tasks are solved, by path. */
const STORE: Readonly<Record<string, { title: string; content: string; tags?: string[] }>> = {
  "club/plans.md": { title: "Plans", content: PLANS, tags: ["club"] },
  "club/rules-2024.md": { title: "Rules", content: OLD_RULES, tags: ["club"] },
  "club/rules-2025.md": { title: "Rules", content: NEW_RULES, tags: ["club"] },
  "lighthouse/log.md": { title: "Log of the lighthouse", content: LOG },
  "boats/engine.md": {
    title: "Engine",
    content: "Start the engine with `harbour://engine/start?safe=1`. It needs two minutes to warm up.",
  },
  "boats/sails.md": { title: "Sails", content: "The jib is stored dry. The main sail has two reefs." },
};

let site: Pages;
beforeAll(async () => {
  site = startPages();
  site.pages["/tides"] = () =>
    article("Tides", "High water is at six in the morning, and the bar can be crossed two hours before it.");
  for (const [path, { title, content, tags }] of Object.entries(STORE)) {
    const metadata = { importRoot: "/notes", importPath: `/notes/${path}` };
    await started.client("POST", "/v1/documents", { title, content, tags, metadata });
  }
  const content = "Write a notice about ${subject} for the board of the club.";
  await started.client("POST", "/v1/prompts", {
    title: "Notice",
    description: "Announces a change",
    content,
  });
  await started.settle();
});

const costs: { task: string; calls: number; tokens: number }[] = [];
afterAll(async () => {
  await site.stop();
  for (const { task, calls, tokens } of costs) {
    console.log(`${task.padEnd(48)} ${calls} calls ${String(tokens).padStart(6)} tokens`);
  }
});

type Call = (name: string, given?: object) => ReturnType<typeof tool>;

/** Declares a task that must be solved with this many calls and tokens. */
function task(name: string, most: { calls: number; tokens: number }, solve: (call: Call) => Promise<void>) {
  test(name, async () => {
    const cost = { task: name, calls: 0, tokens: 0 };
    costs.push(cost);
    await solve(async (tool_, given = {}) => {
      const result = await tool(tool_, given);
      cost.calls++;
      cost.tokens += Math.round((tool_.length + JSON.stringify(given).length + result.text.length) / 4);
      return result;
    });
    expect(cost.calls).toBe(most.calls);
    expect(cost.tokens).toBeLessThan(most.tokens);
  }, 60_000);
}

task("1. find a fact in a table, and its source", { calls: 2, tokens: 350 }, async (call) => {
  const found = await call("deep_search", { query: "monthly fee of Sailing Standard" });
  expect(found.text).toContain("path: club/plans.md");
  const [, chunkId] = /club\/plans\.md[\s\S]*?chunkId: (\w+)/.exec(found.text)!;
  expect((await call("deep_read", { chunkId })).text).toMatch(/Monthly fee \| 55 euros/);
});

task("2. compare two documents of one title", { calls: 3, tokens: 260 }, async (call) => {
  const listed = await call("list_documents", { search: "Rules" });
  expect(listed.text).toContain("path: club/rules-2024.md");
  const old = await call("get_document", { documentId: "club/rules-2024.md" });
  const current = await call("get_document", { documentId: "club/rules-2025.md" });
  expect([old.text, current.text]).toEqual([
    expect.stringContaining("closes at eight"),
    expect.stringContaining("closes at ten"),
  ]);
});

task("3. update while somebody else edits", { calls: 4, tokens: 300 }, async (call) => {
  const [, revision] = /revision (\d+)/.exec((await call("get_document", { documentId: "Sails" })).text)!;
  const change = { documentId: "Sails", oldText: "two reefs", newText: "three reefs" };
  await tool("append_to_document", { documentId: "Sails", text: "The jib was washed." });
  const stale = await call("update_document", { ...change, expectedRevision: revision });
  expect(stale.text).toStartWith("REVISION_MISMATCH");
  const again = await call("get_document", { documentId: "Sails" });
  const [, current] = /revision (\d+)/.exec(again.text)!;
  expect((await call("update_document", { ...change, expectedRevision: current })).isError).toBe(false);
  const { text } = await tool("get_document", { documentId: "Sails" });
  expect(text).toMatch(/three reefs\.[\s\S]*The jib was washed\./);
});

task("4. put documents into a collection", { calls: 2, tokens: 100 }, async (call) => {
  await call("create_collection", { name: "Boats" });
  const added = await call("add_to_collection", {
    collectionId: "Boats",
    itemIds: ["Engine", "Sails"],
    itemType: "document",
  });
  expect(added.data.added).toBe(2);
});

task("5. store a web page and cite it", { calls: 2, tokens: 260 }, async (call) => {
  const url = `${site.url}/tides`;
  expect((await call("scrape_url", { url })).text).toContain(`url: ${url}`);
  await started.settle();
  const found = await call("deep_search", { query: "when can the bar be crossed?", limit: 2 });
  expect(found.text).toMatch(/url: \S+\/tides[\s\S]*two hours before/);
});

task("6. follow a stored prompt", { calls: 2, tokens: 120 }, async (call) => {
  const found = await call("find_items", { query: "announce a change", type: "prompts" });
  expect(found.text).toContain("**Notice**");
  expect((await call("read_prompt", { promptId: "Notice" })).text).toContain("${subject}");
});

task("7. restore an earlier version", { calls: 2, tokens: 180 }, async (call) => {
  await tool("update_document", { documentId: "Engine", content: "Lost." });
  expect((await call("get_document_versions", { documentId: "Engine" })).text).toContain("**Version 0**");
  await call("restore_document_version", { documentId: "Engine", versionId: 0 });
  expect((await tool("get_document", { documentId: "Engine" })).text).toContain("two minutes");
});

task("8. read in a document of 25,000 tokens", { calls: 2, tokens: 700 }, async (call) => {
  const passage = { query: "force of the wind in night 77", documentId: "lighthouse/log.md", limit: 3 };
  const found = await call("deep_search", passage);
  const [, chunkId] = /› Night 77\n- chunkId: (\w+)/.exec(found.text)!;
  const read = await call("deep_expand", { chunkId, direction: "surrounding", count: 1, maxTokens: 1_000 });
  expect(read.text).toContain("Night 77");
});

task("9. search on without what was seen", { calls: 2, tokens: 800 }, async (call) => {
  const query = { query: "the keeper lights the lamp", limit: 3 };
  const first = await call("deep_search", { ...query, sessionId: "new" });
  const [, sessionId] = /sessionId: (\w+)/.exec(first.text)!;
  const second = await call("deep_search", { ...query, sessionId });
  const ids = [first, second].flatMap(({ text }) =>
    [...text.matchAll(/chunkId: (\w+)/g)].map(([, id]) => id),
  );
  expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
});

task("10. archive a document and check it", { calls: 2, tokens: 110 }, async (call) => {
  await call("update_document", { documentId: "club/rules-2024.md", status: "archived" });
  const listed = await call("list_documents", { search: "Rules" });
  expect(listed.text).toContain("rules-2025.md");
  expect(listed.text).not.toContain("rules-2024.md");
});

task("11. find a literal text, and by a tag", { calls: 2, tokens: 180 }, async (call) => {
  const found = await call("find_items", { query: "harbour://engine/start?safe=1", semantic: false });
  expect(found.text).toContain("path: boats/engine.md");
  expect((await call("list_documents", { tags: "club" })).text).toContain("**Plans**");
});

task("12. learn that nothing is stored about it", { calls: 1, tokens: 60 }, async (call) => {
  const { text } = await call("reason", { query: "Who composed the anthem of the republic of Venus?" });
  expect(text).toStartWith("The documents do not answer this question.");
});
