// Names in place of ids in the arguments of tools, and scrape_url of a page that is stored already.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mcpPoster } from "../helpers/mcp.ts";
import { article, type Pages, startPages } from "../helpers/pages.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer({ settings: { scrapePrivateNetwork: "allow" } });
const { client, create } = started;
const { tool } = mcpPoster(started);

let lisbon: string;
let journeys: string;
beforeAll(async () => {
  const metadata = { importPath: "/home/ada/notes/trips/Lisbon plan.md", importRoot: "/home/ada/notes" };
  lisbon = await create("/v1/documents", {
    title: "Lisbon in May",
    content: "The tram starts at noon.",
    metadata,
  });
  await create("/v1/documents", { title: "Twin", content: "one" });
  await create("/v1/documents", { title: "twin", content: "two" });
  await create("/v1/prompts", { title: "Twin", description: "d", content: "Say hello." });
  journeys = await create("/v1/collections", { name: "Journeys" });
  await started.settle();
});

describe("a document", () => {
  test("by title, path, end of a path, and the start of its id", async () => {
    const names = [
      "lisbon in MAY",
      "/home/ada/notes/trips/Lisbon plan.md",
      "trips/Lisbon plan",
      lisbon.slice(0, 24),
      lisbon,
    ];
    for (const documentId of names) {
      const { isError, text } = await tool("get_document", { documentId });
      expect([documentId, isError, text]).toEqual([
        documentId,
        false,
        expect.stringContaining("The tram starts"),
      ]);
    }
  });

  test("with an ambiguous name is an error with candidates", async () => {
    const { isError, text } = await tool("update_document", { documentId: "TWIN", content: "x" });
    expect([isError, text.match(/\n {2}\w{27} {2}document {2}[Tt]win/g)?.length]).toEqual([true, 2]);
    expect(text).toContain('documentId: "TWIN" names more than one document');
  });

  test("with an unknown name is an error with similar ones", async () => {
    const { isError, text } = await tool("delete_document", { documentId: "lisbon" });
    expect(isError).toBe(true);
    expect(text).toContain('no document is called "lisbon"');
    expect(text).toContain(`${lisbon}  document  Lisbon in May  /home/ada/notes/trips/Lisbon plan.md`);
  });
});

test("prompts, collections and items are named as well, each by its own type", async () => {
  expect((await tool("read_prompt", { promptId: "twin" })).text).toContain("Say hello.");
  const added = await tool("add_to_collection", {
    collectionId: "journeys",
    itemIds: ["Lisbon in May", lisbon.slice(0, 20)],
    itemType: "document",
  });
  expect(added.data).toMatchObject({ collectionId: journeys, added: 1 });
  expect((await tool("get_collection", { collectionId: "Journeys" })).text).toContain("Lisbon in May");
  expect((await tool("deep_search", { query: "tram", collectionId: "Journeys" })).text).toContain("tram");
  expect((await tool("reason", { query: "tram?", collectionId: "nowhere" })).text).toContain(
    "no collection is called",
  );
  const stored = await tool("create_document", { title: "New", content: "c", collectionIds: ["journeys"] });
  expect(
    (await client("GET", `/v1/documents?collectionId=${journeys}`)).body.data.map(({ id }: never) => id),
  ).toContain(stored.data.documentId);
});

test("a version is named by its number", async () => {
  const { documentId } = (await tool("create_document", { title: "Numbered", content: "first" })).data;
  await tool("update_document", { documentId, content: "second" });
  const restored = await tool("restore_document_version", { documentId, versionId: 0 });
  expect([restored.isError, restored.data?.revision]).toEqual([false, 2]);
  expect((await tool("get_document", { documentId })).text).toContain("first");
  const missing = await tool("restore_document_version", { documentId, versionId: "7" });
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining("List the versions again")]);
  const { promptId } = (await tool("create_prompt", { title: "n", description: "d", content: "one" })).data;
  await tool("update_prompt", { promptId, content: "two" });
  expect((await tool("restore_prompt_version", { promptId, versionId: "version 1" })).data.version).toBe(3);
});

test("records of other users have no names", async () => {
  const stranger = started.clientOf("stranger@example.org");
  await stranger("POST", "/v1/documents", { title: "Secret plan", content: "c" });
  expect((await tool("get_document", { documentId: "Secret plan" })).text).not.toContain("  document  ");
});

describe("scrape_url", () => {
  let site: Pages;
  beforeAll(() => {
    site = startPages();
  });
  afterAll(() => site.stop());
  beforeEach(() => {
    site.pages["/page"] = () =>
      article("Kettles", "The kettle whistles when the water boils, and we know it is hot.");
  });

  test("refreshes the document of the URL, and makes another one with new", async () => {
    const url = `${site.url}/page`;
    const first = await tool("scrape_url", { url });
    expect(first.text).toContain("Stored");
    site.pages["/page"] = () =>
      article("Kettles", "The kettle is silent now, because nobody wants any tea today.");
    const second = await tool("scrape_url", { url: `${url}#top`, collectionIds: ["Journeys"] });
    expect(second).toMatchObject({ data: { documentId: first.data.documentId, changed: true } });
    expect((await tool("get_collection", { collectionId: "Journeys" })).text).toContain(
      first.data.documentId,
    );
    const found = await tool("find_items", { query: url });
    expect(found.text).toContain(`documentId: ${first.data.documentId}, url: ${url}`);
    const third = await tool("scrape_url", { url, new: true });
    expect(third.data.documentId).not.toBe(first.data.documentId);
    site.pages["/page"] = () => new Response("gone", { status: 410 });
    const failed = await tool("scrape_url", { url });
    expect([failed.isError, failed.text]).toEqual([true, expect.stringContaining("HTTP_410")]);
  });

  test("leaves nothing if the first fetch of a page fails", async () => {
    const url = `${site.url}/missing`;
    const failed = await tool("scrape_url", { url });
    expect([failed.isError, failed.text]).toEqual([
      true,
      expect.stringMatching(/^the page was not stored: HTTP_404/),
    ]);
    expect(failed.text).not.toContain("refresh_document");
    expect((await tool("list_documents", { search: "/missing" })).text).toStartWith("No document matches");
  });
});
