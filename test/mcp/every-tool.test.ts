// The official clients of both generations use every tool over both transports, against the real program and the real
// model.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { TOOLS } from "../../src/mcp/tools/all.ts";
import {
  type ClientVersion,
  connectOverHttp,
  connectOverStdio,
  type OfficialClient,
} from "../helpers/mcp.ts";
import { article, type Pages, startPages } from "../helpers/pages.ts";
import { runProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
const VERSIONS: ClientVersion[] = ["client 2.4.0", "sdk 1.32.2"];
const SETTINGS = { CTXREPO_SCRAPE_PRIVATE_NETWORK: "allow" };

let root: string;
let site: Pages;
beforeAll(() => {
  root = makeTempDir();
  site = startPages();
});
afterAll(async () => {
  await site.stop();
  rmSync(root, { recursive: true, force: true });
});

/** A client, and a function that ends it and its server. */
async function connected(transport: "http" | "stdio", version: ClientVersion, dataDir: string) {
  if (transport === "stdio") {
    const client = await connectOverStdio(version, {
      dataDir,
      args: ["--tools", "all"],
      environment: SETTINGS,
    });
    return { client, end: () => client.close() };
  }
  const server = await serveProgram(dataDir, [], SETTINGS);
  const created = await runProgram(["keys", "create", "--json", "--data-dir", dataDir]);
  const client = await connectOverHttp(version, { url: server.url, key: JSON.parse(created.stdout).key });
  return {
    client,
    async end() {
      await client.close();
      await server.kill("SIGTERM");
    },
  };
}

describe.each(["http", "stdio"] as const)("over %s", (transport) => {
  test.each(VERSIONS)(
    "%s uses every tool",
    async (version) => {
      const dataDir = join(root, `${transport}-${version.slice(0, 3)}`);
      const { client, end } = await connected(transport, version, dataDir);
      try {
        const used = await useEveryTool(client);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
        expect([...used].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
      } finally {
        await end();
      }
    },
    60_000,
  );
});

/** Runs a scenario in which each tool does its work, and returns the names of the tools. */
async function useEveryTool(client: OfficialClient): Promise<Set<string>> {
  const used = new Set<string>();
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    used.add(name);
    const { content, structuredContent: data, isError } = await client.callTool({ name, arguments: given });
    expect([name, isError ?? false, content[0].text]).toEqual([name, false, expect.any(String)]);
    return { text: content[0].text as string, data };
  };
  /** Repeats a search until the text is indexed. */
  const untilFound = async (name: string, given: Record<string, unknown>, wanted: RegExp) => {
    for (let attempt = 0; attempt < 300; attempt++) {
      const { text } = await call(name, given);
      const found = wanted.exec(text);
      // An earlier revision is found until the last one is indexed, and its passages end then.
      if (found && !text.includes("still being indexed")) return found;
      await Bun.sleep(100);
    }
    throw new Error(`${name} does not find ${wanted}`);
  };
  expect((await call("get_user_info")).data.email).toBe("owner@localhost");

  const stored = await call("create_document", {
    title: "Kettles",
    content: `# Tea\n\n${TEXT}\n\nLet it stand.`,
    tags: ["home"],
  });
  const { documentId } = stored.data;
  expect((await call("list_documents", { tags: ["home"] })).text).toContain(documentId);
  expect((await call("get_document", { documentId })).text).toContain(TEXT);
  const changed = await call("update_document", {
    documentId,
    oldText: "Let it stand.",
    newText: "Let it stand for three minutes.",
    expectedRevision: 0,
  });
  expect(changed.data.revision).toBe(1);
  expect((await call("lease_document", { documentId, action: "acquire" })).text).toContain(
    "requires no lease",
  );
  const logged = await call("create_document", { title: "Log", content: "# Log" });
  await call("append_to_document", { documentId: logged.data.documentId, text: "Tea was made." });
  expect((await call("recent_changes")).text).toMatch(/^- \*\*Log\*\*/);
  const versions = await call("get_document_versions", { documentId });
  const [, first] = /Version 0\*\* \(versionId: (\w+)/.exec(versions.text)!;
  expect((await call("restore_document_version", { documentId, versionId: first })).data.revision).toBe(2);

  const [, chunkId] = await untilFound(
    "deep_search",
    { query: "how do I know that water boils?", documentId },
    /chunkId: (\w+)[^\n]*\n {2}The kettle/,
  );
  expect((await call("deep_read", { chunkId })).text).toContain(TEXT);
  expect((await call("deep_expand", { chunkId, direction: "next" })).text).toContain("Let it stand.");
  expect((await call("find_items", { query: "kettle that whistles" })).text).toContain("**Kettles**");
  const answer = await call("reason", { query: "When does the kettle whistle?" });
  expect(answer.text).toContain("when the water boils");
  expect(answer.text).toContain(`[[${chunkId}]]`);

  site.pages["/page"] = () =>
    article("A page", TEXT, "A second paragraph follows here, with some more words in it.");
  const scraped = await call("scrape_url", { url: `${site.url}/page` });
  expect(scraped.data).toMatchObject({ status: "completed", title: "A page" });
  site.pages["/page"] = () =>
    article("A page", TEXT, "The second paragraph was changed, and it still has some words.");
  expect((await call("refresh_document", { documentId: scraped.data.documentId })).data.changed).toBe(true);

  const template = "Explain ${noise}.";
  const prompt = await call("create_prompt", {
    title: "Explain",
    description: "Explains a noise",
    content: template,
  });
  const { promptId } = prompt.data;
  expect((await call("search_prompts", { search: "noise" })).text).toContain(promptId);
  expect((await call("read_prompt", { promptId })).text).toContain(template);
  expect((await call("update_prompt", { promptId, content: "Explain it." })).data.version).toBe(2);
  const promptVersions = await call("get_prompt_versions", { promptId });
  const [, versionId] = /Version 1\*\* \(versionId: (\w+)/.exec(promptVersions.text)!;
  expect((await call("restore_prompt_version", { promptId, versionId })).data.version).toBe(3);

  const { collectionId } = (await call("create_collection", { name: "Kitchen" })).data;
  const items = { collectionId, itemIds: [documentId], itemType: "document" };
  expect((await call("add_to_collection", items)).data.added).toBe(1);
  expect((await call("get_collection", { collectionId })).text).toContain(`documentId: ${documentId}`);
  expect((await call("remove_from_collection", items)).data.removed).toBe(1);
  await call("update_collection", { collectionId, name: "Kitchen and garden" });
  expect((await call("list_collections")).text).toContain("Kitchen and garden");
  expect((await call("delete_collection", { collectionId })).data.deleted).toBe(true);
  expect((await call("delete_prompt", { promptId })).data.deleted).toBe(true);
  expect((await call("delete_document", { documentId })).data.deleted).toBe(true);
  return used;
}
