// What changes on the server while the console is shown, and going back to what was shown before, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("live", () => {
  const server = useConsole();
  const { client, create } = server;
  let p: ConsolePage;

  const document = (title: string, content: string) => create("/v1/documents", { title, content });

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("lists, documents, versions and activity show what an agent has changed", async () => {
    await p.open("/console/documents");
    const id = await document("Written by an agent", "first text");
    await p.sees("Written by an agent", ".windowed");
    await client("PATCH", `/v1/documents/${id}`, { title: "Renamed by an agent" });
    await p.sees("Renamed by an agent", ".windowed");

    await p.press("Renamed by an agent");
    await p.sees("first text", ".rendered");
    await client("PATCH", `/v1/documents/${id}`, { content: "second text" });
    await p.sees("second text", ".rendered");
    await p.press("Versions");
    await p.sees("Version 2 (current)");
    await client("PATCH", `/v1/documents/${id}`, { content: "third text" });
    await p.sees("Version 3 (current)");

    await p.open("/console/activity");
    await p.sees("Renamed by an agent", ".changes");
    const other = await document("Seen in the activity", "x");
    await p.sees("Seen in the activity", ".changes");
    await client("DELETE", `/v1/documents/${other}`);
    await p.page.waitForFunction('!document.querySelector(".changes").textContent.includes("Seen in")');

    const shelf = await create("/v1/collections", { name: "Live shelf" });
    await p.open(`/console/collections/${shelf}`);
    await p.sees("This collection is empty");
    await client("POST", `/v1/collections/${shelf}/items`, { itemType: "document", itemIds: [id] });
    await p.sees("Renamed by an agent", ".windowed");
    await p.open("/console/documents");
    await client("DELETE", `/v1/documents/${id}`);
    await p.page.waitForFunction('!document.querySelector("main").textContent.includes("Renamed")');
  });

  test("an editor learns at once that somebody else has changed or deleted its document", async () => {
    const id = await document("Edited here", "one\ntwo\nthree\n");
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill("Text (Markdown)", "one by me\ntwo\nthree\n");
    await client("PATCH", `/v1/documents/${id}`, { content: "one\ntwo\nthree by an agent\n" });
    await p.sees("was changed while you are editing it");
    expect(await p.typed()).toContain("one by me");
    await p.press("Merge");
    await p.press("Save the merged text");
    await p.sees("three by an agent", ".rendered");
    await p.sees("one by me", ".rendered");
    await p.open(`/console/documents/${id}?view=edit`);
    await client("DELETE", `/v1/documents/${id}`);
    await p.sees("was deleted while you were editing it");
  });

  test("going back shows the same rows at the same place", async () => {
    for (let i = 0; i < 220; i++) {
      await client("POST", "/v1/documents", { title: `Back ${i}`, content: "text\n", tags: ["back"] });
    }
    await p.open("/console/documents?tags=back");
    for (let at = 0; at < 8_000; at += 800) {
      await p.page.evaluate(`scrollTo(0, ${at})`);
      await p.settled();
    }
    const place = () => p.page.evaluate("scrollY");
    const before = await place();
    expect(before).toBeGreaterThan(6_500);
    const title = await p.page.evaluate(
      `[...document.querySelectorAll(".title-cell > a")].find((a) => a.getBoundingClientRect().top > 100).textContent`,
    );
    await p.press(String(title));
    await p.page.waitForSelector(".rendered");
    await p.page.goBack();
    await p.page.waitForFunction(`Math.abs(scrollY - ${before}) < 3`);
    await p.sees(String(title), ".windowed");
  });

  test("the start page shows what has changed since the last visit, and compares it with what was there", async () => {
    const id = await document("Changed overnight", "evening\n");
    await p.open("/console/");
    await p.sees("Changed overnight", ".recent");
    await p.page.goto("about:blank");
    await client("PATCH", `/v1/documents/${id}`, { content: "night\n" });
    await client("PATCH", `/v1/documents/${id}`, { content: "morning\n" });
    await p.open("/console/");
    await p.sees("2 changes since you were here", ".recent");
    await p.press("What changed?");
    await p.page.waitForSelector(".diff .added");
    expect(await p.text(".diff .removed")).toContain("evening");
    expect(await p.text(".diff .added")).toContain("morning");
    await p.open("/console/");
    await p.sees("Recent changes", ".recent");
  });

  test("a page that could not reach the server continues by itself", async () => {
    await p.open("/console/documents");
    await p.page.setOfflineMode(true);
    await p.sees("The server cannot be reached");
    await document("Written meanwhile", "x");
    await p.page.setOfflineMode(false);
    await p.sees("Written meanwhile", ".windowed");
    expect(await p.text()).not.toContain("cannot be reached");
  });

  test("views and searches that could not be read are read when the server is back", async () => {
    await document("Lighthouse keeper", "x");
    await p.open("/console/documents");
    await p.page.setOfflineMode(true);
    await p.sees("The server cannot be reached");
    await p.press("Access");
    await p.sees("Try again");
    await p.page.setOfflineMode(false);
    await p.page.waitForFunction('!document.querySelector("main").textContent.includes("Try again")');
    await p.sees("owner@localhost", ".table");

    await p.open("/console/");
    await p.page.setOfflineMode(true);
    await p.sees("The server cannot be reached");
    await p.page.type("#search", "lighthouse");
    await p.sees("Is ctxrepo still running?");
    await p.page.setOfflineMode(false);
    await p.sees("Lighthouse keeper", ".hits");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems().filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });
});
