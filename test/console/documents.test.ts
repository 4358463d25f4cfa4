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
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(200);
    await p.open(`/console/documents/${id}`);
    await p.press("Delete");
    await p.sees("Harbour log", ".notices");
    // Closing the page sends what is waiting.
    await p.page.goto("about:blank");
    for (let status = 200; status !== 404; ) status = (await client("GET", `/v1/documents/${id}`)).status;
    await p.open("/console/");
  });

  test("a long list: only the rows near the visible ones exist, and scrolling reads the next pages", async () => {
    const long = 250;
    for (let i = 0; i < long; i++)
      await client("POST", "/v1/documents", { title: `Row ${i}`, content: "", tags: ["long"] });
    await p.open("/console/documents?tags=long");
    const rows = () => p.page.$$eval(".windowed > li", (items) => items.length);
    /** Whether the rows of the visible part are shown: its middle is in one of them, or nothing is left to read. */
    const isShown = `(() => {
        const middle = document.elementFromPoint(innerWidth / 2, innerHeight - 20);
        return middle?.closest(".windowed > li") !== null || document.querySelector(".windowed > li:last-child a")?.textContent === "Row 0";
      })()`;
    expect(await rows()).toBeLessThan(60);
    const seen = new Set<string>();
    for (let at = 0; !seen.has("Row 0"); at += 600) {
      await p.page.evaluate(`scrollTo(0, ${at})`);
      await p.page.waitForFunction(isShown);
      for (const title of await p.page.$$eval(".row > a", (links) =>
        links.map((link) => link.textContent ?? ""),
      )) {
        seen.add(title);
      }
      expect(await rows()).toBeLessThan(60);
      expect(at).toBeLessThan(long * 100);
    }
    expect(seen.size).toBe(long);
  });

  test("editing: a reload loses nothing", async () => {
    const id = await document("Draft", "stored");
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill("Text (Markdown)", "typed but not saved");
    await p.fill("What did you change?", "typed as well");
    await p.page.reload();
    await p.page.waitForSelector(".editor textarea");
    await p.sees("It is not saved yet");
    expect(await p.value(".editor textarea")).toBe("typed but not saved");
    expect(await p.page.$$eval(".editor input", (inputs) => inputs.map((input) => input.value))).toContain(
      "typed as well",
    );
    await p.press("Discard");
    await p.sees("stored", ".rendered");
  });

  test("two browsers editing one document: both versions are shown, and nothing is overwritten unasked", async () => {
    const id = await document("Shared", "line one\nline two\n");
    const [first, second] = [p, await server.signIn(`/console/documents/${id}?view=edit`)];
    await first.open(`/console/documents/${id}?view=edit`);
    const fill = (where: ConsolePage, value: string) => where.fill("Text (Markdown)", value);
    const press = (where: ConsolePage, name: string) => where.press(name);
    await fill(second, "line one\nline two by the second\n");
    await press(second, "Save");
    await second.page.waitForFunction('document.querySelector("main").textContent.includes("revision 1")');
    await fill(first, "line one by the first\nline two\n");
    await press(first, "Save");
    await first.page.waitForSelector(".conflict");
    const shown = await p.text(".conflict");
    expect(shown).toContain("line two by the second");
    expect(shown).toContain("line one by the first");
    const stored = async () => (await client("GET", `/v1/documents/${id}`)).body.data;
    expect((await stored()).content).toBe("line one\nline two by the second\n");
    await press(first, "Continue editing mine");
    await fill(first, "line one by the first\nline two by the second\n");
    await press(first, "Save");
    await p.sees("revision 2");
    expect(await stored()).toMatchObject({
      content: "line one by the first\nline two by the second\n",
      revision: 2,
    });
    // The other choice: giving up one's own text.
    await second.open(`/console/documents/${id}?view=edit`);
    await fill(second, "given up");
    await client("PATCH", `/v1/documents/${id}`, { content: "by an agent" });
    await press(second, "Save");
    await second.page.waitForSelector(".conflict");
    await press(second, "Discard mine");
    await second.page.waitForFunction(
      'document.querySelector(".rendered")?.textContent.includes("by an agent")',
    );
    await second.close();
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
