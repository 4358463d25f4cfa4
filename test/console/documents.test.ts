// The views of documents, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("documents", () => {
  const server = useConsole();
  const { client, create } = server;
  let p: ConsolePage;

  const document = (title: string, content: string) => create("/v1/documents", { title, content });

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("documents: list, edit with preview, versions, restore, lease, archive, delete with undo", async () => {
    const id = await document("Harbour log", "first text\n");
    await p.open("/console/documents?title=harbour+log");
    await p.press("Harbour log");
    await p.page.waitForSelector(".rendered");
    await p.press("Edit");
    await p.fill("Title", "Harbour log 2");
    await p.fill("Text (Markdown)", "second **text**\n");
    await p.page.waitForSelector(".preview strong");
    await p.fill("What did you change?", "rewrote it");
    await p.press("Save");
    await p.sees("revision 1");
    await p.page.waitForSelector(".rendered strong");
    await p.press("Versions");
    await p.page.waitForSelector(".diff .added");
    expect(await p.text(".diff .removed")).toContain("first");
    expect(await p.text(".columns")).toContain("rewrote it");
    await (await p.page.$$(".version")).at(-1)!.click();
    // The address names the versions that are compared.
    await p.page.waitForFunction('location.search === "?version=0"');
    await p.open(`/console/documents/${id}/versions?version=1&against=0`);
    await p.page.waitForSelector(".diff .added");
    expect(await p.text(".diff .removed")).toContain("first");
    await p.open(`/console/documents/${id}/versions?version=0`);
    await p.press("Restore version 0");
    await p.sees("Version 2 (current)");
    expect((await client("GET", `/v1/documents/${id}`)).body.data).toMatchObject({
      title: "Harbour log",
      content: "first text\n",
      revision: 2,
    });

    await p.open(`/console/documents/${id}`);
    await p.press("Require a lease");
    await p.sees("need a lease");
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill("Text (Markdown)", "third text\n");
    await p.press("Save");
    await p.sees("revision 3");
    const { body } = await client("GET", `/v1/documents/${id}/coordination`);
    expect(body.data).toMatchObject({ policy: "lease_required", fence: 1, lease: { state: "none" } });

    await p.press("Stop requiring a lease");
    await p.sees("can change this document at any time");
    await p.press("Archive");
    await p.sees("archived", ".facts");

    await p.press("Delete");
    await p.page.waitForFunction("location.pathname === '/console/documents'");
    await p.press("Undo");
    await p.settled();
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(200);
    await p.open(`/console/documents/${id}`);
    await p.press("Delete");
    await p.sees("“Harbour log” is in the trash", ".notices");
    await p.settled();
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(404);
    await p.open("/console/trash");
    await p.press("Select Harbour log");
    await p.press("Restore");
    await p.sees("The trash is empty");
    expect((await client("GET", `/v1/documents/${id}`)).body.data).toMatchObject({ content: "third text\n" });
    await p.open(`/console/documents/${id}`);
    await p.press("Delete");
    await p.settled();
    await p.open("/console/trash");
    await p.press("Select Harbour log");
    await p.press("Delete for good");
    await p.press("Delete 1 record for good?");
    await p.sees("The trash is empty");
    expect((await client("POST", `/console/api/trash/${id}`)).status).toBe(404);
  });

  test("a long list: only the rows near the visible ones exist, and scrolling reads the next pages", async () => {
    const long = 250;
    for (let i = 0; i < long; i++)
      await client("POST", "/v1/documents", { title: `Row ${i}`, content: "", tags: ["long"] });
    await p.open("/console/documents?tags=long");
    const rows = () => p.page.$$eval(".windowed > .row", (items) => items.length);
    /** Whether the rows of the visible part are shown: its middle is in one of them, or nothing is left to read. */
    const isShown = `(() => {
        const middle = document.elementFromPoint(innerWidth / 2, innerHeight - 20);
        return middle?.closest(".windowed > .row") !== null || [...document.querySelectorAll(".title-cell > a")].at(-1)?.textContent === "Row 0";
      })()`;
    expect(await rows()).toBeLessThan(60);
    const seen = new Set<string>();
    for (let at = 0; !seen.has("Row 0"); at += 600) {
      await p.page.evaluate(`scrollTo(0, ${at})`);
      await p.page.waitForFunction(isShown);
      for (const title of await p.page.$$eval(".title-cell > a", (links) =>
        links.map((link) => link.textContent ?? ""),
      )) {
        seen.add(title);
      }
      expect(await rows()).toBeLessThan(60);
      expect(at).toBeLessThan(long * 100);
    }
    expect(seen.size).toBe(long);
  });

  test("two browsers editing one document: the changes are merged, and nothing is overwritten unasked", async () => {
    const lines = ["one", "two", "three", "four", "five"];
    const id = await document("Shared", `${lines.join("\n")}\n`);
    const stored = async () => (await client("GET", `/v1/documents/${id}`)).body.data;
    await p.open(`/console/documents/${id}?view=edit`);
    await client("PATCH", `/v1/documents/${id}`, {
      content: "one\ntwo\nthree\nfour\nfive by an agent\n",
      tags: ["agent"],
    });
    await p.fill("Text (Markdown)", "one by me\ntwo\nthree\nfour\nfive\n");
    await p.fill("Tags", "mine");
    await p.press("Save");
    await p.page.waitForSelector(".conflict");
    await p.sees("Both changes fit together");
    expect((await stored()).content).toContain("five by an agent");
    expect((await stored()).content).not.toContain("one by me");
    await p.press("Save the merged text");
    await p.page.waitForSelector(".rendered");
    expect(await stored()).toMatchObject({
      content: "one by me\ntwo\nthree\nfour\nfive by an agent\n",
      tags: ["mine", "agent"],
      revision: 2,
    });

    // Where both have changed the same line, the person decides.
    await p.open(`/console/documents/${id}?view=edit`);
    await client("PATCH", `/v1/documents/${id}`, { content: "one by an agent\ntwo\nthree\n" });
    await p.fill("Text (Markdown)", "one by a person\ntwo\nthree\nfour\nfive by an agent\n");
    await p.press("Save");
    await p.sees("1 place to decide");
    await p.press("Take both, theirs first");
    await p.press("Edit the merged text");
    expect(await p.typed()).toBe("one by an agent\none by a person\ntwo\nthree\n");
    await p.press("Save");
    await p.page.waitForSelector(".rendered");
    expect((await stored()).content).toBe("one by an agent\none by a person\ntwo\nthree\n");

    // The other choice: giving up one's own text.
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill("Text (Markdown)", "given up");
    await client("PATCH", `/v1/documents/${id}`, { content: "by another agent" });
    await p.press("Save");
    await p.press("Discard mine");
    await p.sees("by another agent", ".rendered");
  });

  test("several documents: select with Shift, tag, archive, add to a collection, delete with undo", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { body } = await client("POST", "/v1/documents", {
        title: `Bulk ${i}`,
        content: "x",
        tags: ["bulk", "old"],
      });
      ids.push(body.data.id);
    }
    const stored = async () =>
      Promise.all(ids.map(async (id) => (await client("GET", `/v1/documents/${id}`)).body.data));
    await p.open("/console/documents?tags=bulk");
    const boxes = () => p.page.$$(".windowed input.select");
    await (await boxes())[0]!.click();
    await p.page.keyboard.down("Shift");
    await (await boxes())[2]!.click();
    await p.page.keyboard.up("Shift");
    await p.sees("3 documents selected");
    await p.press("Tags…");
    await p.fill("Add tags", "new");
    await p.fill("Remove tags", "old");
    await p.press("Change the tags");
    await p.sees("3 documents changed", ".notices");
    expect((await stored()).map(({ tags }) => tags.join())).toEqual([
      "bulk,old",
      "bulk,old",
      "bulk,new",
      "bulk,new",
      "bulk,new",
    ]);
    const shelf = await create("/v1/collections", { name: "Bulk shelf" });
    await p.press("Add to a collection…");
    await p.page.waitForFunction(`document.querySelector('dialog option[value="${shelf}"]') !== null`);
    await p.page.select("dialog select", shelf);
    await p.sees("3 documents added", ".notices");
    expect((await client("GET", `/v1/collections/${shelf}/items`)).body.data.length).toBe(3);
    await p.press("Delete");
    await p.sees("3 documents are in the trash", ".notices");
    await p.page.waitForFunction('document.querySelectorAll(".windowed > .row").length === 2');
    await p.press("Undo");
    await p.page.waitForFunction('document.querySelectorAll(".windowed > .row").length === 5');
    await (await boxes())[4]!.click();
    await p.press("Select all 5");
    await p.press("Archive");
    await p.sees("5 documents archived", ".notices");
    expect((await stored()).map(({ isArchived }) => isArchived)).toEqual(ids.map(() => true));
    await p.sees("No documents match");
  });

  test("reading: an outline, anchors, links to other documents, and code to copy", async () => {
    const imported = (title: string, importPath: string, content: string) =>
      create("/v1/documents", { title, content, metadata: { importPath } });
    const other = await imported("Other file", "notes/sub/other.md", "# Other\n\n## Deep\n");
    const log = await document("Harbour Diary", "x");
    const filler = "Text.\n\n".repeat(60);
    const id = await imported(
      "Index",
      "notes/index.md",
      `# Index\n\n[to part two](#part-two), [other](sub/other.md#deep), [[harbour diary]], [gone](gone.md)\n\n\`\`\`js\nlet x;\n\`\`\`\n\n${filler}## Part two\n\n- [x] done\n`,
    );
    await p.open(`/console/documents/${id}`);
    await p.sees("Part two", ".outline");
    const hrefOf = (text: string) =>
      p.page.evaluate(
        `[...document.querySelectorAll(".rendered a")].find((a) => a.textContent === ${JSON.stringify(text)})?.getAttribute("href")`,
      );
    await p.page.waitForSelector(`.rendered a[href="/console/documents/${log}"]`);
    expect(await hrefOf("other")).toBe(`/console/documents/${other}#deep`);
    expect(await hrefOf("gone")).toBeNull();
    await p.press("to part two");
    await p.page.waitForFunction("scrollY > 500");
    expect(new URL(p.page.url()).hash).toBe("#part-two");
    await p.sees("☑ done", ".rendered");
    expect(await p.text('.outline [aria-current="location"]')).toBe("Part two");
    await p.press("other");
    await p.sees("Deep", ".rendered");
    expect(p.path()).toBe(`/console/documents/${other}`);
    await p.open(`/console/documents/${id}`);
    await p.page
      .browserContext()
      .overridePermissions(server.url, ["clipboard-read", "clipboard-sanitized-write"]);
    await p.page.hover(".code-block");
    await p.press("Copy");
    await p.sees("Copied", ".copy-code");
    expect(await p.page.evaluate("navigator.clipboard.readText()")).toBe("let x;\n");
  });

  test("reading: coloured code, footnotes, and documents that link here or are about the same", async () => {
    const imported = (title: string, importPath: string, content: string) =>
      create("/v1/documents", { title, content, metadata: { importPath } });
    const id = await imported(
      "Sluice gate",
      "works/sluice.md",
      `The sluice gate is closed by the keeper[^who].\n\n\`\`\`ts\n// <b>\nconst gate: string = "shut";\n\`\`\`\n\n${"***\n\n".repeat(80)}[^who]: The one on duty.\n`,
    );
    await imported("By path", "works/rota/list.md", "See [the gate](../sluice.md#x).");
    await imported("Elsewhere", "other/list.md", "See [a gate](sluice.md).");
    await document("By title", "See [[sluice gate|it]] and [[Sluice gate keeper]].");
    await document("Not meant", "See [[Sluice gate keeper]].");
    await document("Sluice gate repairs", "The sluice gate is closed by the keeper while it is repaired.");
    await server.settle();
    await p.open(`/console/documents/${id}`);
    await p.page.waitForSelector(".hljs-keyword");
    expect(await p.text("pre .hljs-keyword")).toBe("const");
    expect(await p.text("pre .hljs-comment")).toBe("// <b>");
    expect(await p.text("pre code")).toBe('// <b>\nconst gate: string = "shut";\n');
    const linking = await p.page.$$eval('[aria-label="Linked from"] a', (links) =>
      links.map(({ textContent }) => textContent),
    );
    expect(linking).toEqual(["By path", "By title"]);
    await p.sees("Sluice gate repairs", '[aria-label="Related"]');
    expect(await p.text('[aria-label="Related"]')).not.toContain("By title");

    await p.press("Footnote who");
    await p.page.waitForFunction("scrollY > 100");
    await p.press("Footnote who: back to the text");
    await p.page.waitForFunction("scrollY < 50");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
