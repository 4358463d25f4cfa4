// POST /v1/documents/scrape against a web server on loopback: what is asked, what becomes of the document, and every way in
// which it can fail.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { openLocalStore } from "../../../src/app.ts";
import { contentHash } from "../../../src/kernel/hash.ts";
import { article, hold, html, type Pages, redirect, startPages } from "../../helpers/pages.ts";
import { type Client, makeTempDir, type Started, startServer } from "../../helpers/start.ts";

let site: Pages;
let started: Started;
let client: Client;
beforeAll(() => {
  site = startPages();
  started = startServer({ settings: { scrapePrivateNetwork: "allow" } });
  client = started.client;
});
afterAll(async () => {
  await started.stop();
  await site.stop();
});
beforeEach(() => {
  site.seen.length = 0;
  for (const path of Object.keys(site.pages)) delete site.pages[path];
  site.pages["/kettles"] = () => article("Kettles", TEXT, MORE);
});

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";

const scrape = (body: object, headers?: Record<string, string>) =>
  client("POST", "/v1/documents/scrape", body, headers);
const read = async (id: string) => (await client("GET", `/v1/documents/${id}`)).body.data;
/** Scrapes a page of the site, waits, and reads the document. */
async function scraped(path: string, options?: object) {
  const { status, body } = await scrape({ url: site.url + path, options });
  expect(status).toBe(202);
  await started.settle();
  return read(body.data.documentId);
}
const held = (path: string, page: () => Response) => hold(site, path, page);

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

  test("its history: the placeholder, then the page, both by who asked; its text is found", async () => {
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

  test("https:// is put before a URL without a scheme", async () => {
    const { body } = await scrape({ url: "nowhere.invalid/page?x=http://y" });
    expect((await read(body.data.documentId)).sourceUrl).toBe("https://nowhere.invalid/page?x=http://y");
    await started.settle();
    expect((await read(body.data.documentId)).source.lastRefreshError.code).toBe("DNS_FAILURE");
  });

  test("sourceUrl is the URL asked for, the final one stands in metadata", async () => {
    site.pages["/old"] = () => redirect("/kettles#steam", 301);
    const document = await scraped("/old#top");
    expect(document.sourceUrl).toBe(`${site.url}/old#top`);
    expect(document.metadata.finalUrl).toBe(`${site.url}/kettles`);
  });

  test("onlyMainContent is true unless it is said otherwise", async () => {
    expect((await scraped("/kettles")).content).not.toContain("Imprint");
    expect((await scraped("/kettles", { onlyMainContent: true })).content).not.toContain("Imprint");
    expect((await scraped("/kettles", { onlyMainContent: false })).content).toContain("Imprint");
  });

  test("headers of the caller's own are sent, and stand nowhere afterwards", async () => {
    const { id } = await scraped("/kettles", {
      headers: { Authorization: "Bearer hush-hush", "X-Mine": "é" },
    });
    expect(site.seen[0].headers.get("authorization")).toBe("Bearer hush-hush");
    const { sql } = started.app.store;
    for (const { name } of sql
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()) {
      const rows = JSON.stringify(sql.query(`SELECT * FROM "${name}"`).all());
      expect([name, rows.includes("hush-hush")]).toEqual([name, false]);
    }
    expect(started.log.join("")).not.toContain("hush-hush");
    await client("POST", `/v1/documents/${id}/refresh`);
    expect(site.seen[1].headers.get("authorization")).toBeNull();
  });

  test("waitFor delays the fetch", async () => {
    const begun = performance.now();
    const { id } = await scraped("/kettles", { waitFor: 400 });
    let document: { status: string };
    do document = (await client("GET", `/v1/documents/${id}`)).body.data;
    while (document.status === "processing");
    expect(document.status).toBe("completed");
    expect(performance.now() - begun).toBeGreaterThanOrEqual(400);
  });

  test("collections: all or none", async () => {
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
      const refused = await scrape({ url: `${site.url}/kettles`, collectionIds: [one, stray] });
      expect(refused.status).toBe(404);
    }
    expect(await count()).toBe(before);
  });

  test("a page without a title keeps its URL as title; a long one is cut between characters", async () => {
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
])("%s is kept as text", async (contentType, text) => {
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

describe("what is refused at once", () => {
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

  test("private addresses, where they are not allowed; a name that leads there fails later", async () => {
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

describe("a page that cannot be had", () => {
  const type = (contentType: string) => ({ headers: { "Content-Type": contentType } });
  test.each<[string, () => Response, string]>([
    ["missing", () => new Response("no", { status: 404 }), "HTTP_404"],
    ["forbidden", () => new Response("no", { status: 403 }), "HTTP_403"],
    ["a PDF", () => new Response("%PDF-1.7", type("application/pdf")), "UNSUPPORTED_CONTENT_TYPE"],
    [
      "bytes that say they are text",
      () => new Response("\u0000\u0001\u0002\u0000".repeat(500), type("text/html")),
      "NOT_TEXT",
    ],
    ["too large", () => new Response("x".repeat((10 << 20) + 1), type("text/plain")), "RESPONSE_TOO_LARGE"],
    ["too much text", () => new Response("word ".repeat(1_100_000), type("text/plain")), "CONTENT_TOO_LARGE"],
    [
      "without text",
      () => html("<body><div id=root></div><script>render()</script></body>"),
      "EMPTY_CONTENT",
    ],
    [
      "a bomb",
      () => {
        const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
        return new Response(gzipSync(new Uint8Array(64 << 20)), { headers });
      },
      "COMPRESSION_RATIO",
    ],
    ["redirecting for ever", () => redirect("/x"), "TOO_MANY_REDIRECTS"],
    [
      "redirecting to metadata",
      () => redirect("http://169.254.169.254/latest/meta-data/"),
      "ADDRESS_REFUSED",
    ],
    ["redirecting to a file", () => redirect("file:///etc/passwd"), "URL_REFUSED"],
  ])("%s: failed at once, with its code", async (_name, page, code) => {
    site.pages["/x"] = page;
    const document = await scraped("/x");
    expect(document).toMatchObject({ status: "failed", title: `${site.url}/x`, content: "", revision: 0 });
    expect(document.source).toEqual({
      lastRefreshError: { code, message: expect.any(String), at: document.updatedAt },
    });
    expect(site.seen.length).toBe(code === "TOO_MANY_REDIRECTS" ? 6 : 1);
    const versions = (await client("GET", `/v1/documents/${document.id}/versions`)).body.data;
    expect(versions).toHaveLength(1);
  });

  test("what may pass is tried three times: 429, 5xx, a connection that breaks", async () => {
    let broken = 0;
    site.pages["/429"] = () => new Response("later", { status: 429, headers: { "Retry-After": "1" } });
    site.pages["/503"] = () => new Response("later", { status: 503 });
    site.pages["/recovers"] = () =>
      ++broken < 3 ? new Response("later", { status: 500 }) : article("Kettles", TEXT, MORE);
    const gone = startPages();
    await gone.stop();
    const urls = [`${site.url}/429`, `${site.url}/503`, `${site.url}/recovers`, `${gone.url}/`];
    const ids = await Promise.all(urls.map(async (url) => (await scrape({ url })).body.data.documentId));
    await started.settle();
    const documents = await Promise.all(ids.map(read));
    expect(documents.map(({ status, source }) => [status, source.lastRefreshError?.code])).toEqual([
      ["failed", "HTTP_429"],
      ["failed", "HTTP_503"],
      ["completed", undefined],
      ["failed", "CONNECTION_FAILED"],
    ]);
    for (const path of ["/429", "/503", "/recovers"]) {
      expect(site.seen.filter((seen) => seen.path === path)).toHaveLength(3);
    }
  });

  test("a page that is too slow for its timeout", async () => {
    const page = held("/slow", () => article("Late", TEXT));
    const document = await scraped("/slow", { timeout: 1_000 });
    expect(document.source.lastRefreshError.code).toBe("TIMEOUT");
    page.release();
  });
});

test("a scrape that the queue has given up is said to have failed at the next start", async () => {
  const dataDir = makeTempDir();
  const settings = { scrapePrivateNetwork: "allow" } as const;
  const first = startServer({ dataDir, settings });
  const page = held("/never", () => article("Never", TEXT));
  const { body } = await first.client("POST", "/v1/documents/scrape", { url: `${site.url}/never` });
  await page.asked;
  await first.stop();
  page.release();
  const store = openLocalStore(dataDir);
  store.sql.run("UPDATE jobs SET state = 'failed' WHERE kind = 'document.scrape'");
  store.close();
  const second = startServer({ dataDir, settings });
  const { data } = (await second.client("GET", `/v1/documents/${body.data.documentId}`)).body;
  expect(data).toMatchObject({ status: "failed", source: { lastRefreshError: { code: "INTERRUPTED" } } });
  await second.stop();
  rmSync(dataDir, { recursive: true });
});

describe("an edit while the page is being fetched", () => {
  async function processing() {
    const page = held("/held", () => article("Kettles", TEXT, MORE));
    const id = (await scrape({ url: `${site.url}/held` })).body.data.documentId;
    await page.asked;
    const finish = async () => {
      page.release();
      await started.settle();
      return read(id);
    };
    return { id, finish };
  }
  const edit = (id: string, body: object) => client("PATCH", `/v1/documents/${id}`, body);

  test.each([
    [{ content: "mine" }],
    [{ contentHtml: "<p>mine</p>" }],
    [{ rawHtml: "<p>mine</p>" }],
    [{ sourceUrl: "https://example.org/" }],
    [{ sourceUrl: null }],
  ])("%j wins: the fetch is dropped at once", async (body) => {
    const { id, finish } = await processing();
    expect((await edit(id, body)).status).toBe(200);
    const before = await read(id);
    expect(before).toMatchObject({ status: "completed", revision: 1 });
    expect(before.source.lastRefreshError).toMatchObject({ code: "SUPERSEDED" });
    const after = await finish();
    expect(after).toEqual(before);
  });

  test("of other fields it stays, and the page fills the rest", async () => {
    const { id, finish } = await processing();
    await edit(id, { title: "My kettles", tags: ["tea"], metadata: { mine: true } });
    expect((await read(id)).status).toBe("processing");
    const document = await finish();
    expect(document).toMatchObject({
      title: "My kettles",
      tags: ["tea"],
      status: "completed",
      revision: 2,
      metadata: { mine: true, finalUrl: `${site.url}/held` },
    });
    expect(document.content).toContain(TEXT);
    expect(document.source.lastRefreshError).toBeUndefined();
  });

  test("of the status stays too", async () => {
    const { id, finish } = await processing();
    await edit(id, { status: "draft" });
    const document = await finish();
    expect(document.status).toBe("draft");
    expect(document.content).toContain(TEXT);
  });

  test("a deletion leaves nothing behind", async () => {
    const { id, finish } = await processing();
    await client("DELETE", `/v1/documents/${id}`);
    await finish();
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(404);
    expect(
      started.app.store.sql.query("SELECT 1 FROM document_fetches WHERE document_id = ?").get(id),
    ).toBeNull();
  });

  test("coordination and refresh have to wait", async () => {
    const { id, finish } = await processing();
    const etag = (await client("GET", `/v1/documents/${id}`)).headers.get("etag")!;
    const enable = await client("PUT", `/v1/documents/${id}/coordination`, undefined, { "If-Match": etag });
    expect([enable.status, enable.body.error.details.reason]).toEqual([422, "DOCUMENT_NOT_COORDINATABLE"]);
    expect((await client("POST", `/v1/documents/${id}/refresh`)).status).toBe(400);
    await finish();
    const now = (await client("GET", `/v1/documents/${id}`)).headers.get("etag")!;
    const later = await client("PUT", `/v1/documents/${id}/coordination`, undefined, { "If-Match": now });
    expect(later.status).toBe(200);
  });
});
