// What is typed and not saved, in a real browser: it survives reloads, failures, other tabs, deletions and signing out.

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

const TEXT = "Text (Markdown)";

describe.skipIf(!CHROMIUM)("drafts", () => {
  const server = useConsole();
  const { client, create } = server;
  let p: ConsolePage;

  const document = (title: string, content: string) => create("/v1/documents", { title, content });
  const stored = async (id: string) => (await client("GET", `/v1/documents/${id}`)).body.data;
  const titled = async (title: string) => {
    const { body } = await client("GET", `/v1/documents?search=${encodeURIComponent(title)}`);
    return body.data.length as number;
  };
  const pressSave = async (page: Page) => {
    await page.keyboard.down("Control");
    await page.keyboard.press("s");
    await page.keyboard.up("Control");
  };
  const isInWindow = (page: Page, selector: string) =>
    page.evaluate(
      `(() => { const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight; })()`,
    );

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("a reload loses nothing", async () => {
    const id = await document("Draft", "stored");
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill(TEXT, "typed but not saved");
    await p.fill("What did you change?", "typed as well");
    await p.page.reload();
    await p.sees("this is what you typed just now", ".save-bar");
    expect(await p.typed()).toBe("typed but not saved");
    expect(await p.page.$$eval(".editor input", (inputs) => inputs.map((input) => input.value))).toContain(
      "typed as well",
    );
  });

  test("discarding can be undone", async () => {
    const id = await document("Discarded", "stored");
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill(TEXT, "discarded by mistake");
    await p.press("Discard");
    await p.sees("stored", ".rendered");
    await p.press("Undo");
    await p.page.waitForSelector(".text-editor");
    expect(await p.typed()).toBe("discarded by mistake");
    await p.press("Discard");
    await p.sees("stored", ".rendered");
    await p.open(`/console/documents/${id}?view=edit`);
    expect(await p.typed()).toBe("stored");
  });

  test("a failed save says so in the window, and saves at the next attempt", async () => {
    const id = await document("Offline", "stored\n".repeat(200));
    await p.open(`/console/documents/${id}?view=edit`);
    expect(await isInWindow(p.page, ".save-bar")).toBe(true);
    await p.fill(TEXT, "typed offline");
    await p.page.setOfflineMode(true);
    await p.page.focus(".editor input");
    await pressSave(p.page);
    await p.sees("Not saved: The server cannot be reached", ".save-bar");
    expect(await isInWindow(p.page, ".save-state")).toBe(true);
    await p.page.setOfflineMode(false);
    await pressSave(p.page);
    await p.sees("typed offline", ".rendered");
    expect((await stored(id)).revision).toBe(1);
  });

  test("two tabs of one browser keep their own texts of one document", async () => {
    const id = await document("Two tabs", "stored");
    const address = `${server.url}/console/documents/${id}?view=edit`;
    await p.open(`/console/documents/${id}?view=edit`);
    const second = await p.page.browserContext().newPage();
    await second.goto(address);
    await second.waitForSelector(".text-editor");
    await p.fill(TEXT, "AAA");
    await second.bringToFront();
    await second.waitForFunction('document.querySelector(".text-editor").shadowRoot !== null');
    await second.click(".text-editor");
    await second.keyboard.type("BBB");
    await second.waitForFunction('document.querySelector(".save-bar").textContent.includes("Another tab")');
    await p.page.bringToFront();
    await p.page.reload();
    await p.page.waitForSelector(".text-editor");
    expect(await p.typed()).toBe("AAA");
    // A tab that is closed leaves its text to the next one that edits the document.
    await p.press("Discard");
    await second.close();
    await p.sees("stored", ".rendered");
    await p.open(`/console/documents/${id}?view=edit`);
    expect(await p.typed()).toContain("BBB");
    await p.press("Discard");
  });

  test("a document that was deleted elsewhere: the text can be saved as a new one", async () => {
    const ids = [
      await document("Gone while typing", "stored"),
      await document("Gone after a reload", "stored"),
    ];
    await p.open(`/console/documents/${ids[0]}?view=edit`);
    await p.fill(TEXT, "typed before it was deleted");
    await client("DELETE", `/v1/documents/${ids[0]}`);
    await p.press("Save");
    await p.sees("was deleted", ".save-bar");
    await p.press("Save as a new document");
    await p.sees("typed before it was deleted", ".rendered");

    await p.open(`/console/documents/${ids[1]}?view=edit`);
    await p.fill(TEXT, "kept after a reload");
    await client("DELETE", `/v1/documents/${ids[1]}`);
    await p.page.reload();
    await p.sees("What you typed is still here");
    await p.open("/console/drafts");
    await p.sees("kept after a reload");
    await p.press("Save as a new document");
    await p.sees("kept after a reload", ".rendered");
    expect(await titled("Gone after a reload")).toBe(1);
    await p.open("/console/drafts");
    expect(await p.text()).not.toContain("Gone after a reload");
  });

  test("pressing Save several times stores one document", async () => {
    await p.open("/console/add");
    await p.fill("Title", "Twin document");
    await p.fill(TEXT, "once");
    await p.page.emulateNetworkConditions({ download: -1, upload: -1, latency: 500 });
    await p.page.focus(".editor input");
    for (let presses = 0; presses < 3; presses++) await pressSave(p.page);
    await p.sees("once", ".rendered");
    await p.page.emulateNetworkConditions(null);
    expect(await titled("Twin document")).toBe(1);
  });

  test("a new document that was discarded comes back", async () => {
    await p.open("/console/add");
    await p.fill("Title", "Half written");
    await p.press("Discard");
    expect(await p.value(".editor input")).toBe("");
    await p.press("Undo");
    expect(await p.value(".editor input")).toBe("Half written");
    await p.press("Discard");
  });

  test.each([
    ["CRLF", "one\r\ntwo\r\nthree\r\n", "one\r\n2\r\nthree\r\n"],
    ["mixed", "one\r\ntwo\nthree\n", "one\r\n2\nthree\n"],
  ])("line ends of unchanged lines survive: %s", async (_name, before, after) => {
    const id = await document("Line ends", before);
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill(TEXT, "one\n2\nthree\n");
    await p.press("Save");
    await p.page.waitForSelector(".rendered");
    expect((await stored(id)).content).toBe(after);
  });

  test("large texts are kept, too", async () => {
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push(await document(`Large ${i}`, "x"));
    for (const [i, id] of ids.entries()) {
      await p.open(`/console/documents/${id}?view=edit`);
      await p.fill(TEXT, `${i} ${"large text\n".repeat(150_000)}`);
      await p.sees("a copy is kept", ".save-bar");
    }
    for (const [i, id] of ids.entries()) {
      await p.open(`/console/documents/${id}?view=edit`);
      expect(await p.typed()).toStartWith(`${i} large `);
      await p.press("Discard");
    }
  });

  test("signing out asks for unsaved texts and finishes deletions", async () => {
    const [deleted, edited] = [await document("Deleted at last", "x"), await document("Edited at last", "x")];
    const other = await server.signIn(`/console/documents/${edited}?view=edit`);
    await other.fill(TEXT, "kept over the sign-out");
    await other.page.waitForSelector('nav a[href="/console/drafts"]');
    await other.page.evaluate(`document.querySelector('a[href="/console/documents"]').click()`);
    await other.press("Deleted at last");
    await other.press("Delete");
    await other.sees("is in the trash", ".notices");
    await other.press("Sign out");
    await other.sees("Edited at last", "dialog");
    await other.press("Keep them and sign out");
    await other.sees("Sign in to ctxrepo");
    expect((await client("GET", `/v1/documents/${deleted}`)).status).toBe(404);
    const { code } = server.app.consoleSessions.createCode(server.owner);
    await other.page.goto("about:blank");
    await other.page.goto(`${server.url}/console/documents/${edited}?view=edit#signin=${code}`);
    await other.page.waitForSelector(".text-editor");
    expect(await other.typed()).toBe("kept over the sign-out");
    await other.press("Sign out");
    await other.press("Delete them and sign out");
    await other.sees("Sign in to ctxrepo");
    const again = server.app.consoleSessions.createCode(server.owner).code;
    await other.page.goto("about:blank");
    await other.page.goto(`${server.url}/console/drafts#signin=${again}`);
    await other.sees("Everything is saved");
    await other.close();
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems().filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });
});
