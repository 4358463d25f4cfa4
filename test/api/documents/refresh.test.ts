// POST /v1/documents/{id}/refresh: what counts as changed, conditional requests, failures that do not change the
// document, and which documents can be refreshed.

import { describe, expect, test } from "bun:test";
import { article, html } from "../../helpers/pages.ts";
import { MORE, TEXT, useScrapedDocument, useScraping } from "../../helpers/scraping.ts";

const scraping = useScraping();
const { site, started, client, clock } = scraping;
const scrapedDocument = useScrapedDocument(scraping);
const { path, read, refresh, etag, scrapeAgain } = scrapedDocument;

const NEW = "The kettle has a light now, which goes out when the water has boiled for long enough.";

const page = (headers: Record<string, string>) =>
  html(
    `<head><title>Kettles</title></head><body><article><p>${TEXT}</p><p>${MORE}</p></article></body>`,
    headers,
  );

const versions = async () => (await client("GET", path("/versions"))).body.data;

describe("changed", () => {
  test("a new text: 202, a new version, found by search", async () => {
    const before = await read();
    site.pages["/page"] = () => article("Kettles", NEW, MORE);
    const reply = await refresh();
    expect([reply.status, reply.body]).toEqual([
      202,
      { data: { documentId: scrapedDocument.id, changed: true } },
    ]);
    const document = await read();
    expect(document).toMatchObject({ status: "completed", revision: 2 });
    expect(document.content).toContain(NEW);
    expect(reply.headers.get("location")).toBe(`/v1/documents/${scrapedDocument.id}`);
    expect(reply.headers.get("etag")).toBe(await etag());
    expect(reply.headers.get("x-service-revision")).toBe("2");
    expect(reply.headers.get("x-service-content-hash")).toBe(document.contentHash);
    expect(document.source.contentHash).toBe(document.contentHash);
    expect(document.source.lastChangedAt).toBeGreaterThanOrEqual(before.source.lastChangedAt);
    expect((await versions())[0]).toMatchObject({ version: 2, origin: "refresh" });
    await started.settle();
    const found = await client("GET", "/v1/search?q=light%20goes%20out&semantic=false");
    expect(found.body.data.documents).toEqual([]);
    const { body } = await client(
      "GET",
      `/v1/search?q=${encodeURIComponent("has a light now")}&semantic=false`,
    );
    expect(body.data.documents.map(({ documentId }: never) => documentId)).toContain(scrapedDocument.id);
  });

  test("the same page: no version; only lastCheckedAt moves", async () => {
    const before = await read();
    const tag = await etag();
    clock.advance(2);
    const { status, body, headers } = await refresh();
    expect([status, body.data.changed, headers.get("etag")]).toEqual([202, false, tag]);
    const after = await read();
    expect(after.source.lastCheckedAt).toBeGreaterThan(before.source.lastCheckedAt);
    expect({ ...after, source: null }).toEqual({ ...before, source: null });
    expect(after.source.lastChangedAt).toBe(before.source.lastChangedAt);
    expect(await versions()).toHaveLength(2);
  });

  test("changes of markup, scripts and page frame around the same text are no change", async () => {
    site.pages["/page"] = () =>
      html(
        `<head><title>Kettles</title><script>var now = 12345</script></head><body class="v2"><header><nav><a href="/a">A</a>
         <a href="/b">B</a></nav></header><main><article id="x" data-n="7"><h1>Kettles</h1>\n<p class="lead">${TEXT}</p>
         <p>${MORE}</p></article></main><footer>Imprint 2027</footer></body>`,
      );
    expect((await refresh()).body.data.changed).toBe(false);
    expect((await read()).rawHtml).not.toContain("Imprint 2027");
  });

  test("a new title alone is a change", async () => {
    site.pages["/page"] = () => article("All about kettles", TEXT, MORE);
    expect((await refresh()).body.data.changed).toBe(true);
    expect((await read()).title).toBe("All about kettles");
  });

  test("a title that a user has set is retained, and is no change", async () => {
    await client("PATCH", path(), { title: "My kettles", metadata: { mine: 1 }, tags: ["tea"] });
    expect((await refresh()).body.data.changed).toBe(false);
    site.pages["/page"] = () => article("All about kettles", NEW, MORE);
    expect((await refresh()).body.data.changed).toBe(true);
    const document = await read();
    expect(document).toMatchObject({
      title: "My kettles",
      tags: ["tea"],
      metadata: { mine: 1, finalUrl: `${site.url}/page` },
    });
    expect(document.content).toContain(NEW);
  });

  test("an edited text is replaced by that of the page even if validators match", async () => {
    site.pages["/page"] = ({ headers }) =>
      headers.get("if-none-match") === '"1"' ? new Response(null, { status: 304 }) : page({ ETag: '"1"' });
    await scrapeAgain();
    await client("PATCH", path(), { content: "scribbled over" });
    expect((await refresh()).body.data.changed).toBe(true);
    expect((await read()).content).toContain(TEXT);
    expect((await refresh()).body.data.changed).toBe(false);
  });

  test("archived, draft and published documents keep their status", async () => {
    for (const status of ["archived", "draft", "published"]) {
      await client("PATCH", path(), { status });
      expect((await refresh()).status).toBe(202);
      expect((await read()).status).toBe(status);
    }
  });

  test("a document whose first fetch failed is completed", async () => {
    delete site.pages["/page"];
    await scrapeAgain();
    expect((await read()).status).toBe("failed");
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    expect((await refresh()).body.data.changed).toBe(true);
    const document = await read();
    expect(document).toMatchObject({ status: "completed", title: "Kettles", revision: 1 });
    expect(document.source.lastRefreshError).toBeUndefined();
  });
});

describe("conditional requests", () => {
  test("ETag and Last-Modified of the last response are sent; 304 is no change", async () => {
    const modified = "Sat, 21 Nov 2026 12:00:00 GMT";
    site.pages["/page"] = ({ headers }) =>
      headers.get("if-none-match") === 'W/"7"' && headers.get("if-modified-since") === modified
        ? new Response(null, { status: 304 })
        : page({
            ETag: 'W/"7"',
            "Last-Modified": modified,
          });
    await scrapeAgain();
    site.seen.length = 0;
    const before = await read();
    clock.advance(2);
    expect((await refresh()).body.data.changed).toBe(false);
    expect(site.seen.map(({ headers }) => headers.get("if-none-match"))).toEqual(['W/"7"']);
    expect((await read()).source.lastCheckedAt).toBeGreaterThan(before.source.lastCheckedAt);
  });

  test("a page without validators is requested unconditionally", async () => {
    await refresh();
    const [request] = site.seen;
    expect(request?.headers.has("if-none-match")).toBe(false);
    expect(request?.headers.has("if-modified-since")).toBe(false);
  });
});

describe("a page that cannot be fetched", () => {
  test("500, the reason is recorded on the otherwise unchanged document, and cleared by the next success", async () => {
    const before = await read();
    delete site.pages["/page"];
    const { status, body } = await refresh();
    expect([status, body.error]).toEqual([500, { code: 500, message: "internal server error" }]);
    const after = await read();
    const { lastRefreshError } = after.source;
    expect(lastRefreshError).toEqual({
      code: "HTTP_404",
      message: expect.any(String),
      at: expect.any(Number),
    });
    expect(after).toEqual({ ...before, source: { ...before.source, lastRefreshError } });
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    expect((await refresh()).body.data.changed).toBe(false);
    expect((await read()).source.lastRefreshError).toBeUndefined();
  });

  test("the ETag changes with the error", async () => {
    const first = await etag();
    delete site.pages["/page"];
    await refresh();
    const second = await etag();
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    await refresh();
    expect([first === second, await etag()]).toEqual([false, first]);
  });

  test("after a 5xx the page is requested again", async () => {
    let requests = 0;
    site.pages["/page"] = () =>
      ++requests < 2 ? new Response("later", { status: 503 }) : article("Kettles", NEW, MORE);
    expect((await refresh()).body.data.changed).toBe(true);
    expect(requests).toBe(2);
  });
});

describe("which documents", () => {
  test.each([
    [
      "a document that was never scraped",
      async () => {
        const made = await client("POST", "/v1/documents", {
          title: "t",
          content: "c",
          sourceUrl: `${site.url}/page`,
        });
        scrapedDocument.id = made.body.data.id;
      },
    ],
    ["a document without its URL", () => client("PATCH", path(), { sourceUrl: null })],
    ["a URL that scrape rejects", () => client("PATCH", path(), { sourceUrl: "http://169.254.169.254/" })],
  ])("not %s", async (_name, spoil) => {
    await spoil();
    const { status, body } = await refresh();
    expect([status, body.error.details.length]).toEqual([400, 1]);
    expect(site.seen).toEqual([]);
  });

  test("the body is empty or {}, others are 400", async () => {
    expect((await refresh({}, { url: "x" })).status).toBe(400);
    expect((await refresh({}, "[]")).status).toBe(400);
    expect((await refresh({}, {})).status).toBe(202);
  });

  test("unknown, malformed and foreign ids", async () => {
    expect((await client("POST", `/v1/documents/${"0".repeat(27)}/refresh`)).status).toBe(404);
    expect((await client("POST", "/v1/documents/x/refresh")).status).toBe(400);
    expect((await started.clientOf("spy@example.org")("POST", path("/refresh"))).status).toBe(404);
  });

  test("the legacy scope is sufficient, reading is not", async () => {
    const scraper = started.clientOf("owner@localhost", ["documents.scrape"]);
    expect((await scraper("POST", path("/refresh"))).status).toBe(202);
    expect((await scraper("GET", path())).status).toBe(403);
    const reader = started.clientOf("owner@localhost", ["documents.read"]);
    expect((await reader("POST", path("/refresh"))).status).toBe(403);
  });

  test("If-Match is checked if it is sent", async () => {
    const stale = await etag();
    await client("PATCH", path(), { tags: ["x"] });
    expect((await refresh({ "If-Match": stale })).status).toBe(412);
    expect((await refresh({ "If-Match": await etag() })).status).toBe(202);
    expect((await refresh({ "If-Match": "*" })).status).toBe(202);
  });
});
