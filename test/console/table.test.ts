// The table of documents, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { makeTempDir } from "../helpers/start.ts";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("the table of documents", () => {
  const server = useConsole();
  const { client, create } = server;
  let p: ConsolePage;

  beforeAll(async () => {
    const written = (title: string, tags: string[], more: object = {}) =>
      create("/v1/documents", { title, content: "x".repeat(title.length), tags, ...more });
    const file = (title: string, importPath: string) =>
      written(title, ["file"], { sourceType: "import", metadata: { importPath } });
    await written("Éclair", ["food", "sweet"]);
    await written("bread roll", ["food"]);
    const old = await written("Apple", ["food"]);
    await client("PATCH", `/v1/documents/${old}`, { status: "archived" });
    await file("Deep", "notes/deep/er/a.md");
    await file("Deeper", "notes/deep/b.md");
    await file("Other", "notes/other/c.md");
    p = await server.signIn("/console/documents");
  });

  const titles = () =>
    p.page.$$eval(".title-cell > a", (links) => links.map(({ textContent }) => textContent));
  const counts = () =>
    p.page.$$eval(".facet-value", (values) =>
      values.map((value) => [...value.children].map(({ textContent }) => textContent).join(" ")),
    );

  test("columns sort, the number is shown, and the address keeps both", async () => {
    await p.sees("5 documents");
    await p.press("Title");
    await p.page.waitForFunction('location.search === "?sort=title"');
    await p.settled();
    expect(await titles()).toEqual(["bread roll", "Deep", "Deeper", "Éclair", "Other"]);
    expect(await p.text('th[aria-sort="ascending"]')).toContain("Title");
    await p.press("Title ↑");
    await p.settled();
    expect(await titles()).toEqual(["Other", "Éclair", "Deeper", "Deep", "bread roll"]);
    await p.open("/console/documents?sort=-size");
    expect((await titles())[0]).toBe("bread roll");
  });

  test("a title is found in spite of a wrong letter, if no title contains what is typed", async () => {
    await p.open("/console/documents");
    await p.fill("Title contains", "deep");
    await p.page.waitForFunction('location.search === "?title=deep"');
    await p.settled();
    expect((await titles()).toSorted()).toEqual(["Deep", "Deeper"]);
    await p.fill("Title contains", "bred rol");
    await p.sees("bread roll", ".title-cell");
    await p.sees("1 document");
    expect(await titles()).toEqual(["bread roll"]);
  });

  test("known tags are offered for the last one of a field", async () => {
    const id = await create("/v1/documents", { title: "Untagged", content: "x" });
    await p.open(`/console/documents/${id}?view=edit`);
    await p.typed();
    await p.page.focus("input[list]");
    await p.page.keyboard.type("food, Swe");
    await p.page.waitForFunction('document.querySelectorAll("datalist option").length === 1');
    expect(await p.page.$eval("datalist option", (option) => option.value)).toBe("food, sweet");
    await p.press("Discard");
    await client("DELETE", `/v1/documents/${id}`);
  });

  test("facets count what they would leave, and can be combined", async () => {
    await p.open("/console/documents");
    expect(await counts()).toEqual(
      expect.arrayContaining(["Published 5", "Archived 1", "Import 3", "Written 2", "deep 2", "other 1"]),
    );
    expect(await counts()).toContainEqual("food 2");
    await p.press("deep 2");
    await p.page.waitForFunction('location.search === "?folder=notes%2Fdeep"');
    await p.settled();
    expect((await titles()).toSorted()).toEqual(["Deep", "Deeper"]);
    expect(await counts()).toContainEqual("er 1");
    await p.press("Clear the filter");
    await p.press("food 2");
    await p.press("sweet 1");
    await p.page.waitForFunction('document.querySelectorAll(".title-cell").length === 1');
    expect(await titles()).toEqual(["Éclair"]);
    await p.open("/console/documents?status=archived");
    expect(await titles()).toEqual(["Apple"]);
    await p.open("/console/documents?status=draft");
    await p.sees("No documents match");
  });

  test("the selection is exported as files that import reads", async () => {
    const folder = makeTempDir("ctxrepo-downloads-");
    const session = await p.page.createCDPSession();
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow",
      downloadPath: folder,
      browserContextId: p.page.browserContext().id,
    });
    await p.open("/console/documents?folder=notes/deep");
    await p.press("Select all that are loaded");
    await p.sees("2 documents selected");
    await p.press("Export");
    let names: string[] = [];
    while (!names.some((name) => name.endsWith(".zip"))) {
      await Bun.sleep(20);
      names = readdirSync(folder);
    }
    const files = unzipSync(readFileSync(join(folder, "ctxrepo-2-documents.zip")));
    expect(Object.keys(files).toSorted()).toEqual(["documents/a.md", "documents/b.md"]);
    const text = Buffer.from(files["documents/a.md"]!).toString();
    expect(text).toStartWith("---\nctxrepo: 1\n");
    expect(text).toContain("title: Deep\n");
    expect(text).toEndWith("xxxx");
    rmSync(folder, { recursive: true });
  });

  test("a tag is renamed, merged with another one, and removed, in archived documents, too", async () => {
    const tagsOf = async (title: string) => {
      const list = await client("GET", `/v1/documents?search=${title}&includeArchived=true`);
      return list.body.data[0].tags;
    };
    await p.open("/console/tags");
    await p.press("Change food");
    await p.fill("Name", "meal");
    await p.press("Rename");
    await p.sees("3 records changed", ".notices");
    expect([await tagsOf("clair"), await tagsOf("bread"), await tagsOf("Apple")]).toEqual([
      ["meal", "sweet"],
      ["meal"],
      ["meal"],
    ]);
    await p.press("Change sweet");
    await p.fill("Name", "meal");
    await p.press("Merge into meal");
    await p.page.waitForFunction('!document.querySelector(".tag-list").textContent.includes("sweet")');
    expect(await tagsOf("clair")).toEqual(["meal"]);
    await p.press("Change meal");
    await p.fill("Name", "");
    await p.press("Remove the tag");
    await p.page.waitForFunction('!document.querySelector(".tag-list").textContent.includes("meal")');
    expect(await tagsOf("Apple")).toEqual([]);
  });

  test("rows are denser if the person wants it, also after a reload", async () => {
    await p.open("/console/documents");
    const height = () => p.page.$eval(".records .row", (row) => row.getBoundingClientRect().height);
    const before = await height();
    await p.press("Rows: comfortable");
    await p.sees("Rows: compact", "nav");
    expect(await height()).toBeLessThan(before);
    await p.open("/console/documents");
    expect(await height()).toBeLessThan(before);
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
