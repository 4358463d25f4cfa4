// POST /v1/documents/scrape: pages that cannot be fetched or read, and changes of a document during the fetch.

import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { openLocalStore } from "../../../src/app.ts";
import { article, html, redirect, startPages } from "../../helpers/pages.ts";
import { MORE, TEXT, useScraping } from "../../helpers/scraping.ts";
import { makeTempDir, startServer } from "../../helpers/start.ts";

const { site, started, client, scrape, read, scraped, held } = useScraping();

describe("a page that cannot be fetched or read", () => {
  const type = (contentType: string) => ({ headers: { "Content-Type": contentType } });
  test.each<[string, () => Response, string]>([
    ["missing", () => new Response("no", { status: 404 }), "HTTP_404"],
    ["forbidden", () => new Response("no", { status: 403 }), "HTTP_403"],
    ["a PDF", () => new Response("%PDF-1.7", type("application/pdf")), "UNSUPPORTED_CONTENT_TYPE"],
    [
      "binary data declared as text",
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
      "a decompression bomb",
      () => {
        const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
        return new Response(gzipSync(new Uint8Array(64 << 20)), { headers });
      },
      "COMPRESSION_RATIO",
    ],
    ["redirecting for ever", () => redirect("/x"), "TOO_MANY_REDIRECTS"],
    [
      "redirecting to cloud metadata",
      () => redirect("http://169.254.169.254/latest/meta-data/"),
      "ADDRESS_REFUSED",
    ],
    ["redirecting to a file", () => redirect("file:///etc/passwd"), "URL_REFUSED"],
  ])("%s: fails without retry, with its code", async (_name, page, code) => {
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

  test("temporary failures are tried three times: 429, 5xx, a broken connection", async () => {
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

test("a scrape that the queue has given up is recorded as failed at the next start", async () => {
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
  ])("%j wins: the fetch is cancelled", async (body) => {
    const { id, finish } = await processing();
    expect((await edit(id, body)).status).toBe(200);
    const before = await read(id);
    expect(before).toMatchObject({ status: "completed", revision: 1 });
    expect(before.source.lastRefreshError).toMatchObject({ code: "SUPERSEDED" });
    const after = await finish();
    expect(after).toEqual(before);
  });

  test("of other fields is retained, and the page sets the rest", async () => {
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

  test("of the status is retained", async () => {
    const { id, finish } = await processing();
    await edit(id, { status: "draft" });
    const document = await finish();
    expect(document.status).toBe("draft");
    expect(document.content).toContain(TEXT);
  });

  test("a deleted document is not created again", async () => {
    const { id, finish } = await processing();
    await client("DELETE", `/v1/documents/${id}`);
    await finish();
    expect((await client("GET", `/v1/documents/${id}`)).status).toBe(404);
    expect(
      started.app.store.sql.query("SELECT 1 FROM document_fetches WHERE document_id = ?").get(id),
    ).toBeNull();
  });

  test("coordination and refresh are rejected until the fetch has finished", async () => {
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
