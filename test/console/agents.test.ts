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

  test("what is new is reviewed record by record, and restored with one key", async () => {
    const ids = await Promise.all(
      ["One", "Two"].map((title) => server.create("/v1/documents", { title, content: "# Old\n\nIt stays." })),
    );
    await p.open("/console/");
    await p.open("/console/access");
    for (const id of ids) {
      await robot("PATCH", `/v1/documents/${id}`, { content: "# Newer\n\nIt stays." });
      await robot("PATCH", `/v1/documents/${id}`, { content: "# Newest\n\nIt stays." });
    }
    await p.open("/console/");
    await p.press("Review what is new");
    await p.sees("Review: 1 of 2 records");
    await p.sees("Newest", ".rendered-diff .added h1");
    await p.sees("Old", ".rendered-diff .removed h1");
    await p.sees("It stays.", ".rendered-diff");
    await p.page.keyboard.press("n");
    await p.sees("Review: 2 of 2 records");
    await p.sees("Versions of One");
    await p.page.keyboard.press("r");
    await p.sees("Version 0 is restored as a new version.", ".notices");
    const { body } = await server.client("GET", `/v1/documents/${ids[0]}`);
    expect(body.data.content).toBe("# Old\n\nIt stays.");
  });

  test("one part of a new version is restored, as text and rendered, unless there is a newer one", async () => {
    const [old, changed] = ["# Old\n\nSame.\n\nold end", "# New\n\nSame.\n\nnew end"];
    const id = await server.create("/v1/documents", { title: "Parts", content: old });
    await robot("PATCH", `/v1/documents/${id}`, { content: changed });
    const content = async () => (await server.client("GET", `/v1/documents/${id}`)).body.data.content;
    await p.open(`/console/documents/${id}/versions?version=1&against=0&as=rendered`);
    await p.page.focus(".hunk button");
    await p.page.keyboard.press("Enter");
    await p.sees("The part is as in version 0", ".notices");
    await p.sees("Version 2 (current)");
    expect(await content()).toBe("# Old\n\nSame.\n\nnew end");
    await p.sees("restored a part of version 0", ".version");
    await p.press("Text");
    await p.page.waitForFunction('document.querySelectorAll(".diff .hunk").length === 1');
    await p.press("Restore this part");
    await p.sees("The texts are equal");
    expect(await content()).toBe(old);

    await p.open(`/console/documents/${id}/versions?version=1&against=0`);
    await p.page.waitForSelector(".diff .line");
    expect(await p.page.$(".hunk")).toBeNull();
    await robot("PATCH", `/v1/documents/${id}`, { content: changed });
    await p.open(`/console/documents/${id}/versions?against=0`);
    await p.page.waitForSelector(".hunk");
    await p.page.setRequestInterception(true);
    let isChanged = false;
    p.page.on("request", async (request) => {
      if (!isChanged && request.method() === "GET" && request.url().endsWith(`/v1/documents/${id}`)) {
        isChanged = true;
        await robot("PATCH", `/v1/documents/${id}`, { content: "newest" });
      }
      request.continue().catch(() => {});
    });
    await p.press("Restore this part");
    await p.sees("There is a newer version", ".notices");
    expect(await content()).toBe("newest");
    await p.page.setRequestInterception(false);
  });

  test("a part of a prompt is restored", async () => {
    const id = await server.create("/v1/prompts", { title: "Part", description: "", content: "one\ntwo\n" });
    await robot("PATCH", `/v1/prompts/${id}`, { content: "one\nthree\n" });
    await p.open(`/console/prompts/${id}/versions`);
    await p.press("Restore this part");
    await p.sees("The texts are equal");
    expect((await server.client("GET", `/v1/prompts/${id}`)).body.data.content).toBe("one\ntwo\n");
  });

  test("the view of a document and a refused save say which key holds the lease, and until when", async () => {
    const id = await server.create("/v1/documents", { title: "Leased", content: "x" });
    const { headers } = await robot("GET", `/v1/documents/${id}`);
    const coordination = `/v1/documents/${id}/coordination`;
    await robot("PUT", coordination, undefined, {
      "If-Match": headers.get("etag")!,
      "Idempotency-Key": crypto.randomUUID(),
    });
    await p.open(`/console/documents/${id}?view=edit`);
    await p.typed();
    const acquired = { "Idempotency-Key": crypto.randomUUID(), "If-Match": headers.get("etag")! };
    const { body } = await robot(
      "POST",
      `${coordination}/lease`,
      { action: "acquire", ttlMs: 60_000 },
      acquired,
    );
    expect(body.error).toBeUndefined();
    const until = await p.page.evaluate(
      (at) => new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(at),
      body.data.expiresAt,
    );
    await p.fill("Text (Markdown)", "y");
    await p.press("Save");
    await p.sees(`A lease is held by the key robot <b> until ${until}. Save again after that.`);
    await p.press("Discard");
    await p.open(`/console/documents/${id}`);
    await p.sees(`Held by the key robot <b> until ${until}.`);
  });

  test("an address compares any two versions, also old ones", async () => {
    const id = await server.create("/v1/documents", { title: "Counter", content: "text 0" });
    for (let version = 1; version <= 24; version++) {
      await server.client("PATCH", `/v1/documents/${id}`, { content: `text ${version}` });
    }
    await p.open(`/console/documents/${id}/versions?version=3&against=1`);
    await p.page.waitForSelector("[aria-label='From version 1 to version 3']");
    expect(await p.text(".diff")).toContain("text 3");
  });

  test("nothing has caused an error or a request to another server", () => {
    const isExpected = (problem: string) => problem.includes("status of 409");
    expect(p.problems().filter((problem) => !isExpected(problem))).toEqual([]);
  });
});
