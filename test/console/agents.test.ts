// What agents have done, as the start page and the histories show it, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { createClient } from "../helpers/start.ts";

describe.skipIf(!CHROMIUM)("agents", () => {
  const server = useConsole();
  const { key } = server.write((write) =>
    createKey(write, ensureUser(write, "owner@localhost"), {
      name: "robot <b>",
      scopes: ["documents.write", "prompts.write"],
    }),
  );
  const robot = createClient(server.url, key);
  let p: ConsolePage;

  beforeAll(async () => {
    await server.create("/v1/documents", { title: "Before", content: "x" });
    p = await server.signIn();
  });

  test("the start page says what each agent has done since it was open, and what it has not found", async () => {
    await p.sees("owner@localhost with an API key", ".agents");
    // Otherwise what follows would be seen while it happens.
    await p.open("/console/access");
    const { body } = await robot("POST", "/v1/documents", { title: "Kettle", content: "It whistles." });
    await robot("PATCH", `/v1/documents/${body.data.id}`, { content: "It whistles twice." });
    await robot("GET", `/v1/documents/${body.data.id}`);
    await robot("GET", "/v1/search?q=lighthouse&semantic=false");
    server.writeActivity();
    await p.open("/console/");
    await p.sees("2 changes since you were here");
    await p.sees("robot <b>", ".agents");
    const cells = await p.page.$$eval(".agents tbody tr", (rows) =>
      rows.map((row) => [...row.children].map(({ textContent }) => textContent)),
    );
    expect(cells).toEqual([["robot <b>", "1", "1", "", "1", "1", ""]]);
    await p.sees("lighthouse", "[aria-label='Questions without an answer']");
    await p.press("Dismiss: lighthouse");
    await p.page.waitForFunction("!document.querySelector('main').textContent.includes('lighthouse')");
  });

  test("versions name the key", async () => {
    await p.press("Kettle");
    await p.press("Versions");
    await p.sees("robot <b>", ".version");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
