// The main path of every view, in a real browser.

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { fetcherOf } from "../helpers/console-fetcher.ts";
import { makeTempDir } from "../helpers/start.ts";

const TEST_MS = 60_000;
const PAGE = "https://example.org/kettle";

describe.skipIf(!CHROMIUM)("views", () => {
  const pages = fetcherOf({
    [PAGE]: "<title>Kettle</title><h1>Kettle</h1><p>A kettle boils water for tea and other drinks.</p>",
  });
  const server = useConsole({ fetcher: pages.fetcher });
  const { client } = server;
  let p: ConsolePage;

  const make = async (path: string, body: object) =>
    (await client("POST", path, body)).body.data.id as string;
  const document = (title: string, content: string) => make("/v1/documents", { title, content });

  beforeAll(async () => {
    p = await server.signIn();
  }, TEST_MS);

  test(
    "sign in with a key, sign out, and the code is removed from the address",
    async () => {
      const guest = await server.signIn("/console/documents?title=x");
      expect(new URL(guest.page.url()).hash).toBe("");
      expect(new URL(guest.page.url()).search).toBe("?title=x");
      await guest.press("Sign out");
      await guest.page.waitForSelector('input[type="password"]');
      await guest.page.type('input[type="password"]', "gm_wrong");
      await guest.page.click('button[type="submit"]');
      await guest.page.waitForSelector(".problem");
      await guest.fill("Or paste an API key", server.key.key);
      await guest.page.click('button[type="submit"]');
      await guest.page.waitForSelector("nav");
      await guest.page.goto(`${server.url}/console/access`);
      await guest.page.waitForSelector("main h1");
      await guest.settled();
      const shown = await guest.text();
      expect(shown).toContain("with an API key");
      expect(shown).toContain("managed by the local owner");
      await guest.close();
    },
    TEST_MS,
  );

  test(
    "search: results while typing, the filters, why, and the marked paragraph",
    async () => {
      const id = await document(
        "Tea",
        "# Tea\n\nThe kettle whistles loudly.\n\n## Milk\n\nMilk is poured last.\n",
      );
      await document("Bread", "# Bread\n\nThe dough rises.\n");
      await server.settle();
      await p.open("/console/");
      await p.sees("Find what you and your agents have stored");
      await p.page.type("#search", "kettle whistles");
      await p.sees("The kettle whistles loudly.", ".hits");
      expect(new URL(p.page.url()).searchParams.get("q")).toBe("kettle whistles");
      expect(await p.page.$$eval(".hits mark", (marks) => marks.map((mark) => mark.textContent))).toContain(
        "kettle",
      );
      await p.page.click(".why summary");
      expect(await p.text(".why dl")).toContain("Similarity of meaning");
      await p.page.click("a.hit");
      await p.page.waitForSelector(".block.marked");
      expect(p.path()).toBe(`/console/documents/${id}`);
      expect(await p.text(".block.marked")).toContain("The kettle whistles loudly.");
      expect(await p.page.$$eval(".marked", (marked) => marked.length)).toBe(1);
      await p.page.goBack();
      await p.sees("The kettle whistles loudly.", ".hits");
      expect(await p.value("#search")).toBe("kettle whistles");
      await p.open("/console/?q=dough&mode=text&type=documents");
      await p.sees("Bread", ".hits");
      expect(await p.text(".hits")).not.toContain("Tea");
    },
    TEST_MS,
  );

  test(
    "ask: a cited answer whose citation opens the paragraph",
    async () => {
      await document("Harbour", "# Harbour\n\nThe ferry leaves at seven in the morning.\n");
      await server.settle();
      await p.open("/console/ask");
      await p.page.type("#question", "When does the ferry leave?");
      await p.page.keyboard.press("Enter");
      await p.page.waitForSelector(".answer .citation");
      expect(await p.text(".answer")).toContain("seven");
      await p.page.click(".answer .citation");
      await p.page.waitForSelector(".block.marked");
      expect(await p.text(".block.marked")).toContain("The ferry leaves at seven");
      await p.page.goBack();
      expect(new URL(p.page.url()).searchParams.get("q")).toBe("When does the ferry leave?");
    },
    TEST_MS,
  );

  test(
    "documents: list, edit with preview, versions, restore, lease, archive, delete with undo",
    async () => {
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
    },
    TEST_MS,
  );

  test(
    "a long list: only the rows near the visible ones exist, and scrolling reads the next pages",
    async () => {
      const long = 250;
      for (let i = 0; i < long; i++)
        await client("POST", "/v1/documents", { title: `Row ${i}`, content: "", tags: ["long"] });
      await p.open("/console/documents?tags=long");
      const rows = () => p.page.$$eval(".windowed > li", (items) => items.length);
      expect(await rows()).toBeLessThan(60);
      const seen = new Set<string>();
      for (let at = 0; !seen.has("Row 0"); at += 600) {
        await p.page.evaluate(`scrollTo(0, ${at})`);
        await p.settled();
        for (const title of await p.page.$$eval(".row > a", (links) =>
          links.map((link) => link.textContent ?? ""),
        )) {
          seen.add(title);
        }
        expect(await rows()).toBeLessThan(60);
        expect(at).toBeLessThan(long * 100);
      }
      expect(seen.size).toBe(long);
    },
    TEST_MS,
  );

  test(
    "editing: a reload loses nothing",
    async () => {
      const id = await document("Draft", "stored");
      await p.open(`/console/documents/${id}?view=edit`);
      await p.fill("Text (Markdown)", "typed but not saved");
      await p.page.reload();
      await p.page.waitForSelector(".editor textarea");
      await p.sees("It is not saved yet");
      expect(await p.value(".editor textarea")).toBe("typed but not saved");
      await p.press("Discard");
      await p.sees("stored", ".rendered");
    },
    TEST_MS,
  );

  test(
    "two browsers editing one document: both versions are shown, and nothing is overwritten unasked",
    async () => {
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
    },
    TEST_MS,
  );

  test(
    "prompts: write one, fill in its placeholders, edit, versions",
    async () => {
      await p.open("/console/prompts");
      await p.press("New prompt");
      await p.fill("Title", "Review");
      await p.fill("Description", "Reviews a change");
      await p.fill("Prompt", "Review ${diff} for ${team}.");
      await p.press("Save prompt");
      await p.page.waitForSelector("main .source");
      await p.fill("diff", "the patch");
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
    },
    TEST_MS,
  );

  test(
    "collections: create, add several items, move by dragging, remove",
    async () => {
      for (const name of ["Oak", "Elm", "Ash"]) await document(`Tree ${name}`, name);
      await p.open("/console/collections");
      await p.press("New collection");
      await p.fill("Name", "Trees");
      await p.press("Create");
      await p.sees("This collection is empty");
      await p.press("Add items");
      await p.fill("Title contains", "Tree ");
      await p.page.waitForFunction('document.querySelectorAll("dialog .picker li").length === 3');
      for (const box of await p.page.$$("dialog .picker input")) await box.click();
      await p.press("Add 3 documents");
      await p.page.waitForFunction('document.querySelectorAll(".row.item").length === 3');
      const trees = p.path().split("/").at(-1)!;
      const child = await make("/v1/collections", { name: "Old trees", parentCollectionId: trees });
      await p.open(`/console/collections/${trees}`);
      const [row, target] = [await p.page.$(".row.item"), await p.page.$(`.tree a[href$="${child}"]`)];
      await row!.drag(target!);
      await target!.drop(row!);
      await p.sees("Added to Old trees", ".notices");
      expect((await client("GET", `/v1/collections/${child}/items`)).body.data).toHaveLength(1);
      for (const box of (await p.page.$$('.row.item input[type="checkbox"]')).slice(0, 2)) await box.click();
      await p.press("Remove 2 items");
      await p.page.waitForFunction('document.querySelectorAll(".row.item").length === 1');
    },
    TEST_MS,
  );

  test(
    "add: write a document, fetch a page, import files twice",
    async () => {
      await p.open("/console/add");
      await p.fill("Title", "Written");
      await p.fill("Text (Markdown)", "# Hello");
      await p.press("Save document");
      await p.page.waitForSelector(".rendered h1");

      await p.open("/console/add?what=page");
      await p.fill("Address", PAGE);
      await p.press("Fetch");
      await p.sees("completed", ".jobs");
      await p.press("Kettle");
      await p.sees("A kettle boils water", ".rendered");
      pages.set(
        PAGE,
        "<title>Kettle</title><h1>Kettle</h1><p>A kettle boils water for coffee and other drinks.</p>",
      );
      await p.press("Fetch again");
      await p.sees("The page has changed", ".notices");
      await p.press("What has changed?");
      await p.page.waitForSelector(".diff .added");
      expect(await p.text(".diff")).toContain("coffee");

      const folder = join(makeTempDir(), "notes");
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      writeFileSync(
        join(folder, "a.md"),
        "---\ntitle: From front matter\ntags: [one, two]\nauthor: Ada\n---\n# Heading\n\nText\n",
      );
      writeFileSync(join(folder, "b.txt"), "plain");
      writeFileSync(join(folder, "c.html"), "<title>Page</title><p>Some <b>bold</b> text in a page.</p>");
      writeFileSync(join(folder, "ignored.md"), "x");
      writeFileSync(join(folder, ".gitignore"), "ignored.md\n");
      writeFileSync(join(folder, "node_modules", "d.md"), "x");
      writeFileSync(join(folder, "image.png"), "x");
      await p.open("/console/add?what=files");
      const importFolder = async () => {
        const [, input] = await p.page.$$('input[type="file"]');
        await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(folder);
        await p.sees("3 of 3 files");
      };
      await importFolder();
      await p.sees("3 created");
      const stored = (await client("GET", "/v1/documents?search=From+front")).body.data;
      const { data } = (await client("GET", `/v1/documents/${stored[0].id}`)).body;
      expect(data).toMatchObject({
        title: "From front matter",
        tags: ["one", "two"],
        content: "# Heading\n\nText\n",
        sourceType: "import",
      });
      expect(data.metadata).toMatchObject({ author: "Ada", importPath: "notes/a.md" });
      await p.open("/console/add?what=files");
      await importFolder();
      await p.sees("3 unchanged");
      writeFileSync(join(folder, "b.txt"), "changed");
      await p.open("/console/add?what=files");
      await importFolder();
      await p.sees("1 updated");
      rmSync(join(folder, ".."), { recursive: true });
    },
    TEST_MS,
  );

  test(
    "activity: sizes, who changed what, and failed fetches with their reason",
    async () => {
      await client("POST", "/v1/documents/scrape", { url: "https://example.org/missing" });
      await server.settle();
      await p.open("/console/activity");
      await p.sees("Database on disk");
      await p.sees("404", ".jobs");
      expect(await p.text(".changes")).toContain("owner@localhost (API key)");
      pages.set(
        "https://example.org/missing",
        "<title>Found</title><p>It is here now, with enough text to be read.</p>",
      );
      await p.press("Retry");
      await p.sees("no fetch has failed");
    },
    TEST_MS,
  );

  test(
    "access: a key is created, shown once, works, and is revoked",
    async () => {
      await p.open("/console/access");
      await p.press("New key");
      await p.fill("Name", "robot");
      await p.press("Create key");
      await p.page.waitForSelector(".secret");
      const key = await p.text(".secret");
      expect(key).toMatch(/^gm_/);
      const use = () => client("GET", "/v1/user/me", undefined, { Authorization: `API-Key ${key}` });
      expect((await use()).body.data.permissions).toEqual(["prompts.read", "documents.read"]);
      expect(await p.text(".snippet-box")).toContain(`${server.url}/v1/search`);
      await p.press("Done");
      await p.page.waitForFunction('!document.querySelector(".secret")');
      expect(await p.text()).not.toContain(key);
      await p.press("Revoke robot");
      await p.sees("revoked", "table");
      expect((await use()).status).toBe(401);
      expect(await p.text()).toContain("owner@localhost");
    },
    TEST_MS,
  );

  test("no view has caused an error or a request to another server", () => {
    expect(p.errors.filter((error) => !/status of (401|404|412|428)/.test(error))).toEqual([]);
    expect(p.foreign).toEqual([]);
  });
});
