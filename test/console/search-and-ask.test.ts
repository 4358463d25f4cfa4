// Signing in, searching and asking, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("search-and-ask", () => {
  const server = useConsole();
  const { client, create } = server;
  let p: ConsolePage;

  const document = (title: string, content: string) => create("/v1/documents", { title, content });

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("sign in with a key, sign out, and the code is removed from the address", async () => {
    const guest = await server.signIn("/console/documents?title=x");
    expect(new URL(guest.page.url()).hash).toBe("");
    expect(new URL(guest.page.url()).search).toBe("?title=x");
    await guest.press("Sign out");
    await guest.page.waitForSelector('input[type="password"]');
    await guest.page.type('input[type="password"]', "gm_wrong");
    await guest.page.click('button[type="submit"]');
    await guest.page.waitForSelector(".problem");
    await guest.fill("Or paste an API key", server.key.key);
    await guest.page.click('button[type="submit"]');
    await guest.page.waitForSelector("nav");
    await guest.page.goto(`${server.url}/console/access`);
    await guest.page.waitForSelector("main h1");
    await guest.settled();
    await guest.sees("with an API key");
    await guest.sees("managed by the local owner");
    await guest.close();
  });

  test("search: more results, days, paths, archived ones, and snippets without markup", async () => {
    const metadata = (n: number) => ({ importPath: `/harbour/buoys/${n}.md`, importRoot: "/harbour" });
    const ids: string[] = [];
    for (let n = 0; n < 25; n++) {
      const content = `Buoy **number ${n}** of the [chart](https://chart.example/${n}).`;
      ids.push(await create("/v1/documents", { title: `Buoy ${n}`, content, metadata: metadata(n) }));
    }
    await client("PATCH", `/v1/documents/${ids[3]}`, { status: "archived" });
    await server.settle();
    const shown = (count: number) =>
      p.page.waitForFunction(`document.querySelectorAll(".hits .hit").length === ${count}`);
    await p.open("/console/?q=buoy&type=documents&score=0");
    await shown(20);
    expect(await p.text(".snippet")).toMatch(/^Buoy number \d+ of the chart\.$/);
    await p.press("More results");
    await shown(25);
    await p.sees("archived", ".hits .status");
    await p.open("/console/?q=buoy&type=documents&score=0&more=1&archived=no");
    await shown(24);
    await p.page.type("input[type=date]", "01012100");
    await p.sees("Nothing found");
    await p.open("/console/?q=buoy&type=documents&score=0&path=buoys/7");
    await shown(1);
    await p.sees("Buoy 7", ".hits");
  });

  test("search: results while typing, the filters, why, and the marked paragraph", async () => {
    const id = await document(
      "Tea",
      "# Tea\n\nThe kettle whistles loudly.\n\n## Milk\n\nMilk is poured last.\n",
    );
    await document("Bread", "# Bread\n\nThe dough rises.\n");
    await server.settle();
    await p.open("/console/");
    await p.sees("Find what you and your agents have stored");
    await p.page.type("#search", "kettle whistles");
    await p.sees("The kettle whistles loudly.", ".hits");
    // Hits of the words typed so far may contain it, too.
    await p.page.waitForFunction('new URL(location.href).searchParams.get("q") === "kettle whistles"');
    await p.settled();
    expect(await p.page.$$eval(".hits mark", (marks) => marks.map((mark) => mark.textContent))).toContain(
      "kettle",
    );
    expect(await p.text(".why summary")).toMatch(
      /^ Score 0\.\d\d of Tea: (meaning|words|exact|similar).*· why\?$/,
    );
    const [filled, all] = await p.page.$eval(".score-bar", (bar) =>
      [[...bar.children].reduce((sum, part) => sum + part.clientWidth, 0), bar.clientWidth].map(Number),
    );
    const [score] = /0\.\d\d/.exec(await p.text(".why summary"))!;
    expect(filled! / all!).toBeCloseTo(Number(score), 1);
    await p.page.click(".why summary");
    expect(await p.text(".why dl")).toContain("Points for");
    expect(await p.text(".why dl")).toContain("Similarity of meaning");
    await p.page.click("a.hit");
    await p.page.waitForSelector(".block.marked");
    expect(p.path()).toBe(`/console/documents/${id}`);
    expect(await p.text(".block.marked")).toContain("The kettle whistles loudly.");
    expect(await p.page.$$eval(".marked", (marked) => marked.length)).toBe(1);
    await p.page.goBack();
    await p.sees("The kettle whistles loudly.", ".hits");
    expect(await p.value("#search")).toBe("kettle whistles");
    // The filter by collection.
    const shelf = await create("/v1/collections", { name: "Shelf" });
    await client("POST", `/v1/collections/${shelf}/items`, { itemType: "document", itemIds: [id] });
    await p.open(`/console/?q=rises&score=0&collection=${shelf}`);
    await p.sees("Tea", ".hits");
    expect(await p.text(".hits")).not.toContain("Bread");
    // Operators limit the results, and are not marked in them.
    await p.open(`/console/?score=0&q=${encodeURIComponent("kettle title:tea -dough")}`);
    await p.sees("Tea", ".hits");
    expect(await p.text(".hits")).not.toContain("Bread");
    expect(await p.page.$$eval(".hits mark", (marks) => marks.map((mark) => mark.textContent))).not.toContain(
      "Tea",
    );
    await p.open("/console/?q=dough&mode=text&type=documents");
    await p.sees("Bread", ".hits");
    expect(await p.text(".hits")).not.toContain("Tea");
  });

  test("ask: a cited answer whose citation opens the paragraph", async () => {
    await document("Harbour", "# Harbour\n\nThe ferry leaves at seven in the morning.\n");
    await server.settle();
    await p.open("/console/ask");
    await p.page.type("#question", "When does the ferry leave?");
    await p.page.keyboard.press("Enter");
    await p.page.waitForSelector(".answer .citation");
    expect(await p.text(".answer")).toContain("seven");
    await p.page.click(".answer .citation");
    await p.page.waitForSelector(".block.marked");
    expect(await p.text(".block.marked")).toContain("The ferry leaves at seven");
    await p.page.goBack();
    expect(new URL(p.page.url()).searchParams.get("q")).toBe("When does the ferry leave?");
  });

  test("Enter opens a result of the words in the field, also while older results are shown", async () => {
    await document("Yargs", "yargs parses arguments");
    const wanted = await document("Websocket library", "websocket frames and messages");
    await server.settle();
    await p.open("/console/?q=yargs+parses&mode=text");
    await p.sees("Yargs", ".hits");
    await p.page.emulateNetworkConditions({ download: -1, upload: -1, latency: 700 });
    await p.page.click("#search", { count: 3 });
    await p.page.type("#search", "websocket frames");
    await p.page.waitForSelector('.stale[aria-busy="true"]');
    // What is shown belongs to the old words, so the new ones are not marked in it.
    expect(await p.page.$$eval(".hits mark", (marks) => marks.map((mark) => mark.textContent))).not.toContain(
      "websocket",
    );
    await p.page.keyboard.press("Enter");
    await p.page.waitForSelector(".rendered");
    await p.page.emulateNetworkConditions(null);
    expect(p.path()).toBe(`/console/documents/${wanted}`);
  });

  test("results and answers say that records are still being indexed", async () => {
    const waiting = await server.signIn("/console/");
    await server.stopJobs();
    await document("Not indexed", "a text that waits");
    await waiting.open("/console/?q=kettle");
    await waiting.sees("1 record still being indexed: results are incomplete", ".pending");
    await waiting.open("/console/ask?q=When+does+the+kettle+whistle%3F");
    await waiting.sees("1 record still being indexed", ".pending");
    await waiting.close();
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
