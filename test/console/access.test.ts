// The view Access, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("access", () => {
  const server = useConsole();
  const { client } = server;
  let p: ConsolePage;

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("access: a key is created, shown once, works, and is revoked", async () => {
    await p.open("/console/access");
    const countKeys = () => p.page.$$eval('[aria-label="API keys"] tbody tr', (rows) => rows.length);
    const before = await countKeys();
    await p.press("New key");
    await p.fill("Name", "robot");
    await p.page.evaluate(
      "for (let i = 0; i < 3; i++) document.querySelector('details form').requestSubmit()",
    );
    await p.page.waitForSelector(".secret");
    await p.settled();
    expect(await countKeys()).toBe(before + 1);
    const key = await p.text(".secret");
    expect(key).toMatch(/^gm_/);
    const use = () => client("GET", "/v1/user/me", undefined, { Authorization: `API-Key ${key}` });
    expect((await use()).body.data.permissions).toEqual(["prompts.read", "documents.read"]);
    expect(await p.text(".snippet-box")).toContain(`${server.url}/v1/search`);
    await p.press("Done");
    await p.page.waitForFunction('!document.querySelector(".secret")');
    expect(await p.text()).not.toContain(key);
    await p.press("Rename robot");
    await p.page.waitForSelector('input[aria-label="New name"]:focus');
    await p.page.keyboard.type("night robot");
    await p.page.keyboard.press("Enter");
    await p.sees("night robot", "table");
    await p.press("Rename night robot");
    await p.page.waitForSelector('input[aria-label="New name"]:focus');
    await p.page.keyboard.type("other");
    await p.page.keyboard.press("Escape");
    await p.press("Revoke night robot");
    await p.press("Revoke for good?");
    await p.page.waitForFunction('!document.querySelector("table").textContent.includes("night robot")');
    await p.press("Show 1 revoked key");
    await p.sees("revoked", "table");
    expect((await use()).status).toBe(401);
    expect(await p.text()).toContain("owner@localhost");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
