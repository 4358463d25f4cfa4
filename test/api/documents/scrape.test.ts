// POST /v1/documents/scrape against a web server on loopback: requests, the resulting documents, and rejected input.

import { describe, expect, test } from "bun:test";
import { contentHash } from "../../../src/kernel/hash.ts";
import { article, redirect } from "../../helpers/pages.ts";
import { MORE, TEXT, useScraping } from "../../helpers/scraping.ts";
import { startServer } from "../../helpers/start.ts";

const { site, started, client, clock, scrape, read, scraped, held } = useScraping();

describe("a page becomes a document", () => {
  test("202 at once with Location; then text, title, HTML, source and metadata", async () => {
    const page = held("/kettles", () => article("Kettles", TEXT, MORE));
    const reply = await scrape({ url: `${site.url}/kettles` });
    const id = reply.body.data.documentId;
    expect([reply.status, reply.headers.get("location")]).toEqual([202, `/v1/documents/${id}`]);
    expect(reply.body).toEqual({ data: { documentId: id } });
    const placeholder = await client("GET", `/v1/documents/${id}`);
    expect(placeholder.body.data).toMatchObject({
      title: `${site.url}/kettles`,
      status: "processing",
      content: "",
      sourceType: "scrape",
      sourceUrl: `${site.url}/kettles`,
      revision: 0,
      metadata: {},
    });
    expect(placeholder.body.data.source).toBeUndefined();
    await page.asked;
    page.release();
    await started.settle();
    const document = await read(id);
    expect(document).toMatchObject({
      title: "Kettles",
      status: "completed",
      sourceUrl: `${site.url}/kettles`,
      revision: 1,
      metadata: { finalUrl: `${site.url}/kettles` },
    });
    expect(document.content).toContain(TEXT);
    expect(document.content).not.toContain("Imprint");
    expect(document.contentHtml).toContain(`<p>${TEXT}</p>`);
    expect(document.rawHtml).toContain("<footer>Imprint</footer>");
    const { source, updatedAt } = document;
    expect(source).toEqual({
      contentHash: contentHash(document.content),
      lastCheckedAt: updatedAt,
      lastChangedAt: updatedAt,
    });
    const etag = placeholder.headers.get("etag")!;
    expect((await client("GET", `/v1/documents/${id}`, undefined, { "If-None-Match": etag })).status).toBe(
      200,
    );
  });

  test("tags of a Markdown page's front matter become tags; what no document can have as a tag is left out", async () => {
    const page = `---\ntags: [winch, "#oil", ${"x".repeat(300)}]\n---\n# Winch\n\n${TEXT}`;
    site.pages["/winch.md"] = () => new Response(page, { headers: { "Content-Type": "text/markdown" } });
    expect((await scraped("/winch.md")).tags).toEqual(["winch", "oil"]);
  });

  test("the history has placeholder and page, both by the caller; search finds the text", async () => {
    const { id, content } = await scraped("/kettles");
    const { data } = (await client("GET", `/v1/documents/${id}/versions`)).body;
    expect(data.map(({ version, origin, userName }: never) => [version, origin, userName])).toEqual([
      [1, "scrape", "owner@localhost"],
      [0, "scrape", "owner@localhost"],
    ]);
    expect(data[1]).toMatchObject({ content: "", title: `${site.url}/kettles` });
    expect(data[0].content).toBe(content);
    const { body } = await client("GET", "/v1/search?q=kettle%20whistles%20water&scoreThreshold=0.1");
    expect(body.data.documents.map(({ documentId }: never) => documentId)).toContain(id);
  });

  test("a URL without a scheme gets https://", async () => {
    const { body } = await scrape({ url: "nowhere.invalid/page?x=http://y" });
    expect((await read(body.data.documentId)).sourceUrl).toBe("https://nowhere.invalid/page?x=http://y");
    await started.settle();
    expect((await read(body.data.documentId)).source.lastRefreshError.code).toBe("DNS_FAILURE");
  });

  test("sourceUrl is the requested URL, metadata contains the final one", async () => {
    site.pages["/old"] = () => redirect("/kettles#steam", 301);
    const document = await scraped("/old#top");
    expect(document.sourceUrl).toBe(`${site.url}/old#top`);
    expect(document.metadata.finalUrl).toBe(`${site.url}/kettles`);
  });

  test("onlyMainContent is true by default", async () => {
    expect((await scraped("/kettles")).content).not.toContain("Imprint");
    expect((await scraped("/kettles", { onlyMainContent: true })).content).not.toContain("Imprint");
    expect((await scraped("/kettles", { onlyMainContent: false })).content).toContain("Imprint");
  });

  test("the caller's headers are sent and stored nowhere", async () => {
    const { id } = await scraped("/kettles", {
      headers: { Authorization: "Bearer hush-hush", "X-Mine": "é" },
    });
    expect(site.seen[0]?.headers.get("authorization")).toBe("Bearer hush-hush");
    const { sql } = started.app.store;
    for (const { name } of sql
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()) {
      const rows = JSON.stringify(sql.query(`SELECT * FROM "${name}"`).all());
      expect([name, rows.includes("hush-hush")]).toEqual([name, false]);
    }
    expect(started.log.join("")).not.toContain("hush-hush");
    await client("POST", `/v1/documents/${id}/refresh`);
    expect(site.seen[1]?.headers.has("authorization")).toBe(false);
  });

  test("waitFor delays the fetch", async () => {
    const { id, status } = await scraped("/kettles", { waitFor: 400 });
    expect(status).toBe("processing");
    clock.advance(399);
    await started.settle();
    expect(site.seen).toEqual([]);
    clock.advance(1);
    await started.settle();
    expect((await read(id)).status).toBe("completed");
  });

  test("the document is added to all collections or not created", async () => {
    const make = async (name: string) => (await client("POST", "/v1/collections", { name })).body.data.id;
    const [one, other] = [await make("one"), await make("other")];
    const { body } = await scrape({ url: `${site.url}/kettles`, collectionIds: [one, other, one] });
    for (const id of [one, other]) {
      const items = (await client("GET", `/v1/collections/${id}/items`)).body.data;
      expect(items.map(({ itemId }: never) => itemId)).toEqual([body.data.documentId]);
    }
    const count = async () => (await client("GET", "/v1/documents?limit=100")).body.data.length;
    const before = await count();
    const foreign = (await started.clientOf("other@example.org")("POST", "/v1/collections", { name: "x" }))
      .body.data.id;
    for (const stray of ["0".repeat(27), foreign, "?"]) {
      const rejected = await scrape({ url: `${site.url}/kettles`, collectionIds: [one, stray] });
      expect(rejected.status).toBe(404);
    }
    expect(await count()).toBe(before);
  });

  test("without a title the URL is the title; a long title is cut between characters", async () => {
    site.pages["/untitled"] = () => new Response(TEXT, { headers: { "Content-Type": "text/plain" } });
    const untitled = await scraped("/untitled");
    expect(untitled).toMatchObject({ status: "completed", content: TEXT });
    expect(untitled.title.length).toBeGreaterThan(0);
    site.pages["/long"] = () => article("ü".repeat(400), TEXT, MORE);
    const { title } = await scraped("/long");
    expect(title).toMatch(/^ü+$/);
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(512);
  });
});

test.each([
  ["application/json", '{"kettle": ["whistles", 1]}'],
  ["text/markdown; charset=utf-8", "# Kettles\n\nThey *whistle*."],
  ["text/plain", "They whistle."],
])("%s is stored as text", async (contentType, text) => {
  site.pages["/text"] = () => new Response(text, { headers: { "Content-Type": contentType } });
  const document = await scraped("/text");
  expect(document).toMatchObject({ status: "completed", content: text });
  expect(document.contentHtml).toBeUndefined();
});

describe("idempotency", () => {
  test("the same key and body make one document; another body is 422", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await scrape({ url: `${site.url}/kettles` }, key);
    const again = await scrape({ url: `${site.url}/kettles` }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect((await scrape({ url: `${site.url}/other` }, key)).status).toBe(422);
    await started.settle();
    expect(site.seen).toHaveLength(1);
  });
});

describe("rejected immediately", () => {
  test.each([
    [{}, "url"],
    [{ url: "" }, "url"],
    [{ url: "   " }, "url"],
    [{ url: 5 }, "url"],
    [{ url: null }, "url"],
    [{ url: `https://example.org/${"x".repeat(8192)}` }, "url"],
    [{ url: "https://example.org/\0" }, "url"],
    [{ url: "ftp://example.org/" }, "url"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ url: "https://ada:secret@example.org/" }, "url"],
    [{ url: "http://169.254.169.254/latest/" }, "url"],
    [{ url: "http://[::ffff:169.254.169.254]/" }, "url"],
    [{ url: "https://example.org", collectionIds: "x" }, "collectionIds"],
    [{ url: "https://example.org", options: [] }, "options"],
    [{ url: "https://example.org", options: { onlyMainContent: "yes" } }, "options.onlyMainContent"],
    [{ url: "https://example.org", options: { waitFor: -1 } }, "options.waitFor"],
    [{ url: "https://example.org", options: { waitFor: 10_001 } }, "options.waitFor"],
    [{ url: "https://example.org", options: { waitFor: 1.5 } }, "options.waitFor"],
    [{ url: "https://example.org", options: { timeout: 999 } }, "options.timeout"],
    [{ url: "https://example.org", options: { timeout: 30_001 } }, "options.timeout"],
    [{ url: "https://example.org", options: { headers: { A: 5 } } }, "options.headers.A"],
    [{ url: "https://example.org", options: { headers: { Host: "x" } } }, "options.headers.Host"],
    [
      { url: "https://example.org", options: { headers: { "transfer-encoding": "x" } } },
      "options.headers.transfer-encoding",
    ],
    [
      { url: "https://example.org", options: { headers: { "If-None-Match": "x" } } },
      "options.headers.If-None-Match",
    ],
    [{ url: "https://example.org", options: { headers: { "a b": "x" } } }, "options.headers.a b"],
    [{ url: "https://example.org", options: { headers: { A: "x\r\nHost: y" } } }, "options.headers.A"],
    [{ url: "https://example.org", options: { headers: { A: "x".repeat(17_000) } } }, "options.headers"],
  ])("%j", async (body, path) => {
    const reply = await scrape(body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test("private addresses if they are not allowed; a host name that resolves to one fails later", async () => {
    const strict = startServer();
    for (const url of [
      site.url,
      "http://2130706433/",
      "http://[::1]/",
      "http://0x7f.1/",
      "http://10.0.0.1/",
    ]) {
      expect((await strict.client("POST", "/v1/documents/scrape", { url })).status).toBe(400);
    }
    const url = `http://localhost:${site.port}/kettles`;
    const { status, body } = await strict.client("POST", "/v1/documents/scrape", { url });
    expect(status).toBe(202);
    await strict.settle();
    const { data } = (await strict.client("GET", `/v1/documents/${body.data.documentId}`)).body;
    expect(data).toMatchObject({
      status: "failed",
      source: { lastRefreshError: { code: "ADDRESS_REFUSED" } },
    });
    expect(site.seen).toEqual([]);
    await strict.stop();
  });

  test("unknown members are ignored; the legacy scope is enough; its own rate limit counts", async () => {
    const { status } = await scrape({
      url: `${site.url}/kettles`,
      formats: ["x"],
      options: { mobile: true },
    });
    expect(status).toBe(202);
    const legacy = started.clientOf("legacy@example.org", ["documents.scrape"]);
    expect((await legacy("POST", "/v1/documents/scrape", { url: `${site.url}/kettles` })).status).toBe(202);
    expect((await legacy("POST", "/v1/documents", { title: "t", content: "c" })).status).toBe(403);
    await started.settle();
    const limited = startServer({ settings: { scrapePrivateNetwork: "allow", rateLimitScrape: 2 } });
    const post = () => limited.client("POST", "/v1/documents/scrape", { url: `${site.url}/kettles` });
    expect([(await post()).status, (await post()).headers.get("ratelimit-remaining")]).toEqual([202, "0"]);
    const full = await post();
    expect([full.status, full.headers.has("retry-after")]).toEqual([429, true]);
    const id = "0".repeat(27);
    expect((await limited.client("POST", `/v1/documents/${id}/refresh`)).status).toBe(429);
    expect((await limited.client("POST", "/v1/documents", { title: "t", content: "c" })).status).toBe(201);
    await limited.stop();
  });

  test("other methods on the path are 405", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const reply = await client(method, "/v1/documents/scrape");
      expect([method, reply.status, reply.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });
});
