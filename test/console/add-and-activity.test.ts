// Adding texts and pages, and the view Activity, in a real browser. Importing files has tests of its own.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { fetcherOf } from "../helpers/console-fetcher.ts";

const PAGE = "https://example.org/kettle";

describe.skipIf(!CHROMIUM)("add-and-activity", () => {
  const pages = fetcherOf({
    [PAGE]: "<title>Kettle</title><h1>Kettle</h1><p>A kettle boils water for tea and other drinks.</p>",
  });
  const server = useConsole({ fetcher: pages.fetcher });
  const { client } = server;
  let p: ConsolePage;

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("add: write a document; fetch a page, and fetch it again after it has changed", async () => {
    await p.open("/console/add");
    await p.fill("Title", "Written");
    await p.fill("Text (Markdown)", "# Hello");
    await p.press("Save document");
    await p.page.waitForSelector(".rendered h1");

    await p.open("/console/add?what=page");
    await p.fill("Address", PAGE);
    await p.press("Fetch");
    await p.sees("completed", ".jobs");
    await p.press("Kettle");
    await p.sees("A kettle boils water", ".rendered");
    pages.set(
      PAGE,
      "<title>Kettle</title><h1>Kettle</h1><p>A kettle boils water for coffee and other drinks.</p>",
    );
    await p.press("Fetch again");
    await p.sees("The page has changed", ".notices");
    await p.press("What has changed?");
    await p.page.waitForSelector(".diff .added");
    expect(await p.text(".diff")).toContain("coffee");
  });

  test("add: a page that is stored already is fetched again into its document", async () => {
    const count = async () => (await client("GET", "/v1/documents")).body.data.length;
    const before = await count();
    await p.open("/console/add?what=page");
    await p.fill("Address", `${PAGE.replace("https://", "")}#top`);
    await p.press("Fetch");
    await p.sees("completed", ".jobs");
    await p.sees("Kettle", ".jobs");
    expect(await count()).toBe(before);
  });

  test("activity: sizes, who changed what, and failed fetches with their reason", async () => {
    await client("POST", "/v1/documents/scrape", { url: "https://example.org/missing" });
    await server.settle();
    await p.open("/console/activity");
    await p.sees("Database on disk");
    await p.sees("404", ".jobs");
    await p.sees("owner@localhost with an API key", ".changes");
    pages.set(
      "https://example.org/missing",
      "<title>Found</title><p>It is here now, with enough text to be read.</p>",
    );
    await p.press("Retry");
    await p.sees("no fetch has failed");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
