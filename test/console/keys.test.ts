// Finding and doing things with the keyboard, and what a key with few scopes is offered, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("keys", () => {
  const server = useConsole();
  const { create } = server;
  let p: ConsolePage;
  let runbook = "";

  const document = (title: string, content: string) => create("/v1/documents", { title, content });
  const focusedText = () => p.page.evaluate("document.activeElement.textContent");
  const openPalette = async (page = p) => {
    await page.page.keyboard.down("Control");
    await page.page.keyboard.press("k");
    await page.page.keyboard.up("Control");
    await page.page.waitForSelector("dialog.palette input");
  };

  beforeAll(async () => {
    runbook = await document("Queue depth runbook", "x");
    await document("Another text", "y");
    p = await server.signIn("/console/documents");
  });

  test("Ctrl+K goes to a title although a letter is missing, and to what was opened last", async () => {
    await openPalette();
    await p.sees("Queue depth runbook", ".palette");
    await p.page.keyboard.type("runbok");
    await p.page.waitForFunction('document.querySelectorAll(".palette [role=option]").length === 1');
    await p.page.evaluate(axe.source);
    const { violations } = (await p.page.evaluate(
      "axe.run(document.querySelector('.palette'))",
    )) as axe.AxeResults;
    expect(violations.map(({ id }) => id)).toEqual([]);
    await p.page.keyboard.press("Enter");
    await p.page.waitForSelector(".rendered");
    expect(p.path()).toBe(`/console/documents/${runbook}`);

    await p.open("/console/activity");
    await openPalette();
    await p.sees("Queue depth runbook", '.palette [aria-selected="true"]');
    await p.page.keyboard.type("import");
    await p.sees("Import files", ".palette");
    await p.page.keyboard.press("Escape");
    await p.page.waitForFunction('document.querySelector("dialog.palette") === null');
    expect(p.path()).toBe("/console/activity");
  });

  test("a title that is stored meanwhile is found", async () => {
    await openPalette();
    await document("Brand new title", "x");
    await p.page.keyboard.type("brand new");
    await p.sees("Brand new title", ".palette");
    await p.page.keyboard.press("Escape");
  });

  test("j and k move through rows, o opens, e edits, g goes elsewhere, ? shows the keys", async () => {
    await p.open("/console/documents");
    await p.page.keyboard.press("j");
    expect(await focusedText()).toBe("Brand new title");
    await p.page.keyboard.press("j");
    expect(await focusedText()).toBe("Another text");
    await p.page.keyboard.press("k");
    await p.page.keyboard.press("j");
    await p.page.keyboard.press("o");
    await p.sees("y", ".rendered");
    // The keyboard continues where the link led.
    expect(await focusedText()).toBe("Another text");
    await p.page.keyboard.press("e");
    await p.typed();
    await p.page.click(".text-editor");
    await p.page.keyboard.type("je?");
    expect(await p.typed()).toContain("je?");
    await p.press("Discard");
    await p.open("/console/");
    await p.page.keyboard.press("Tab");
    await p.page.evaluate("document.activeElement.blur()");
    await p.page.keyboard.type("gd");
    await p.page.waitForFunction('location.pathname === "/console/documents"');
    await p.page.keyboard.press("?");
    await p.sees("saves what is being edited", "dialog");
    await p.page.keyboard.press("Escape");
  });

  test("a record is pinned to the start page by a key, and in the palette no longer", async () => {
    await p.open(`/console/documents/${runbook}`);
    await p.sees("Pin", ".pin:enabled");
    await p.page.keyboard.press("p");
    await p.sees("Pinned", ".pin");
    await p.open("/console/");
    await p.sees("Queue depth runbook", ".pinned");
    await p.open(`/console/documents/${runbook}`);
    await p.sees("Pinned", ".pin:enabled");
    await openPalette();
    await p.page.keyboard.type("pin this");
    await p.sees("Pin this no longer", ".palette");
    await p.page.keyboard.press("Enter");
    await p.page.waitForFunction('document.querySelector(".pin:enabled")?.textContent === "Pin"');
    // After g, the same key goes elsewhere.
    await p.page.keyboard.type("gp");
    await p.page.waitForFunction('location.pathname === "/console/prompts"');
    await p.open("/console/");
    expect(await p.page.$(".pinned")).toBeNull();
  });

  test("a key that may only read is offered nothing else", async () => {
    const reader = await server.signIn(`/console/documents/${runbook}?view=edit`, {
      scopes: ["documents.read"],
    });
    await reader.page.waitForSelector(".rendered");
    expect(await reader.page.$(".text-editor")).toBeNull();
    const links = await reader.page.$$eval("body > nav li a", (all) => all.map((link) => link.textContent));
    expect(links).toEqual(["Search", "Ask", "Documents", "Collections", "Activity", "Access"]);
    await reader.open("/console/add");
    await reader.sees("documents.write or prompts.write");
    expect(reader.problems()).toEqual([]);
    await reader.close();
  });

  test("a key for prompts is not led to documents", async () => {
    const writer = await server.signIn("/console/add", { scopes: ["prompts.write"] });
    expect(await writer.page.$$eval(".choice label", (all) => all.map((label) => label.textContent))).toEqual(
      ["Write a prompt"],
    );
    await writer.open("/console/documents");
    await writer.sees("lacks the scope documents.read");
    await openPalette(writer);
    await writer.page.keyboard.type("runbook");
    await writer.sees("No title is like that", ".palette");
    expect(writer.problems()).toEqual([]);
    await writer.close();
  });

  test("an address that does not exist says so in the console", async () => {
    const { status, headers } = await server.send(
      new Request(`${server.url}/console/nope`, { headers: { Accept: "text/html", "User-Agent": "test/1" } }),
    );
    expect(status).toBe(404);
    expect(headers.get("content-type")).toContain("text/html");
    await p.open("/console/nope");
    await p.sees("No such page");
  });

  test("the colours can be chosen, and stay after a reload", async () => {
    await p.open("/console/");
    const background = () => p.page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await p.press("Colours: system");
    expect(await background()).toBe(light);
    await p.press("Colours: light");
    expect(await background()).not.toBe(light);
    await p.page.reload();
    await p.sees("Colours: dark", "body > nav");
    expect(await background()).not.toBe(light);
    await p.press("Colours: dark");
    expect(await background()).toBe(light);
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
