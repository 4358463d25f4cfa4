// The views of prompts and collections, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("prompts-and-collections", () => {
  const server = useConsole();
  const { client, create } = server;
  let p: ConsolePage;

  const document = (title: string, content: string) => create("/v1/documents", { title, content });

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("prompts: write one, fill in its placeholders, edit, versions", async () => {
    await p.open("/console/prompts");
    await p.press("New prompt");
    await p.fill("Title", "Review");
    await p.fill("Description", "Reviews a change");
    await p.fill("Prompt", "Review ${diff} for ${team}.");
    await p.press("Save prompt");
    await p.page.waitForSelector("main .source");
    await p.fill("diff", "the patch");
    await p.sees("Review the patch for ${team}.", ".source");
    await p.page.reload();
    await p.sees("Review the patch for ${team}.", ".source");
    await p.press("Edit");
    await p.fill("Prompt", "Review ${diff} with care.");
    await p.press("Save");
    await p.sees("version 2");
    await p.press("Versions");
    await p.page.waitForSelector(".diff .added");
    await (await p.page.$$(".version")).at(-1)!.click();
    await p.press("Restore version 1");
    await p.sees("Version 3 (current)");
    await p.press("production");
    await p.sees("production", ".version[aria-pressed=true] .tag");
    await p.page.type('input[aria-label="Another label"]', "Not Allowed\n");
    expect(await p.page.$$(".version .tag")).toHaveLength(1);
  });

  test("values are typed in controls of the type of their variable", async () => {
    const variables = [
      { name: "count", type: "number" },
      { name: "polite", type: "boolean" },
    ];
    const content = "Give ${count} answers; polite: ${polite}.";
    const id = await create("/v1/prompts", { title: "Typed", description: "", content, variables });
    await p.open(`/console/prompts/${id}`);
    await p.page.type("article input[type=number]", "3x");
    await p.page.select("article select", "true");
    await p.sees("Give 3 answers; polite: true.", ".source");
    await p.sees("about 8 tokens");
    await p.sees("Copy as MCP call");
  });

  test("the type and the meaning of a placeholder are edited, and kept when the text changes", async () => {
    const content = "Give ${count} answers about ${topic}.";
    const variables = [{ name: "topic", type: "string", description: "What it is about" }];
    const id = await create("/v1/prompts", { title: "Described", description: "", content, variables });
    await p.open(`/console/prompts/${id}?view=edit`);
    await p.typed();
    await p.page.select('select[aria-label="Type of count"]', "number");
    await p.page.type('input[aria-label="Description of count"]', "How many");
    await p.fill("Prompt", "Give ${count} good answers about ${topic}. ${new}");
    await p.sees("new", ".variables");
    await p.press("Save");
    await p.sees("How many", "article");
    expect((await client("GET", `/v1/prompts/${id}`)).body.data.variables).toEqual([
      { name: "count", type: "number", description: "How many" },
      { name: "topic", type: "string", description: "What it is about" },
      { name: "new", type: "string" },
    ]);
  });

  test("placeholders named like members of every object are empty until they are filled in", async () => {
    const names = ["constructor", "__proto__", "toString"];
    const content = names.map((name) => `\${${name}}`).join(" ");
    const id = await create("/v1/prompts", { title: "Members", description: "", content });
    await p.open(`/console/prompts/${id}`);
    expect(await p.text("main .source")).toBe(content);
    expect(await p.page.$$eval("article textarea", (fields) => fields.map((field) => field.value))).toEqual(
      names.map(() => ""),
    );
    await p.fill("__proto__", "filled");
    await p.sees("${constructor} filled ${toString}", ".source");
  });

  test("collections: create, add several items, move by dragging, remove", async () => {
    for (const name of ["Oak", "Elm", "Ash"]) await document(`Tree ${name}`, name);
    await p.open("/console/collections");
    await p.press("New collection");
    await p.fill("Name", "Trees");
    await p.page.evaluate(
      "for (let i = 0; i < 3; i++) document.querySelector('dialog form').requestSubmit()",
    );
    await p.sees("This collection is empty");
    await p.settled();
    const { body } = await client("GET", "/v1/collections");
    expect(body.data.filter(({ name }: { name: string }) => name === "Trees").length).toBe(1);
    await p.press("Add items");
    await p.fill("Title contains", "Tree ");
    await p.page.waitForFunction('document.querySelectorAll("dialog .picker li").length === 3');
    for (const box of await p.page.$$("dialog .picker input")) await box.click();
    await p.press("Add 3 documents");
    await p.page.waitForFunction('document.querySelectorAll(".row.item").length === 3');
    const trees = p.path().split("/").at(-1)!;
    const child = await create("/v1/collections", { name: "Old trees", parentCollectionId: trees });
    await p.open(`/console/collections/${trees}`);
    const row = (await p.page.waitForSelector(".row.item"))!;
    const target = (await p.page.waitForSelector(`.tree a[href$="${child}"]`))!;
    await row.drag(target);
    await target.drop(row);
    await p.sees("Added to Old trees", ".notices");
    expect((await client("GET", `/v1/collections/${child}/items`)).body.data).toHaveLength(1);
    for (const box of (await p.page.$$('.row.item input[type="checkbox"]')).slice(0, 2)) await box.click();
    await p.press("Remove 2 items");
    await p.page.waitForFunction('document.querySelectorAll(".row.item").length === 1');
  });

  test("collections: a deep tree is indented, folds, and shows the way to the selected one", async () => {
    let parentCollectionId = await create("/v1/collections", { name: "Level 0" });
    const ids = [parentCollectionId];
    for (let level = 1; level < 7; level++) {
      parentCollectionId = await create("/v1/collections", { name: `Level ${level}`, parentCollectionId });
      ids.push(parentCollectionId);
    }
    await p.open("/console/collections");
    const left = (id: string) =>
      p.page.$eval(`.tree a[href$="${id}"]`, (link) => link.getBoundingClientRect().left);
    for (let level = 2; level < 7; level++)
      expect(await left(ids[level]!)).toBeGreaterThan(await left(ids[level - 1]!));
    await p.press("Collections in Level 0");
    await p.page.waitForFunction('!document.querySelector(".tree").textContent.includes("Level 1")');
    await p.open(`/console/collections/${ids[3]}`);
    await p.sees("Level 2", ".breadcrumb");
    expect(await p.text(".breadcrumb")).toBe("Collections › Level 0 › Level 1 › Level 2");
  });

  test("collections: move one by dragging and in a dialog, give it a colour", async () => {
    const [oak, elm] = [
      await create("/v1/collections", { name: "Oak" }),
      await create("/v1/collections", { name: "Elm" }),
    ];
    const parentOf = async (id: string) =>
      (await client("GET", `/v1/collections/${id}`)).body.data.parentCollectionId;
    await p.open(`/console/collections/${elm}`);
    const drag = async (id: string, selector: string) => {
      const link = (await p.page.waitForSelector(`.tree a[href$="${id}"]`))!;
      await link.drag((await p.page.waitForSelector(`.tree a[href$="${elm}"]`))!);
      const target = (await p.page.waitForSelector(selector))!;
      await link.drag(target);
      await target.drop(link);
    };
    await drag(oak, `.tree a[href$="${elm}"]`);
    await p.sees("Oak is in Elm now.", ".notices");
    expect(await parentOf(oak)).toBe(elm);
    await p.page.waitForSelector(`.tree li[style*="--depth: 1"] a[href$="${oak}"]`);
    await drag(oak, ".drop-top");
    await p.sees("Oak is at the top level now.", ".notices");
    expect(await parentOf(oak)).toBeUndefined();

    await p.press("Move to…");
    const offered = await p.page.$$eval("dialog option", (all) => all.map(({ value }) => value));
    expect(offered).toContain(oak);
    expect(offered).not.toContain(elm);
    await p.page.select("dialog select", oak);
    await p.press("Move");
    await p.sees("Elm is in Oak now.", ".notices");
    expect(await parentOf(elm)).toBe(oak);

    await p.press("Edit");
    await p.page.click('dialog input[aria-label="Teal"]');
    await p.press("Save");
    await p.page.waitForSelector(`.tree a[href$="${elm}"] .dot[style]`);
    expect((await client("GET", `/v1/collections/${elm}`)).body.data.color).toBe("#0f766e");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
