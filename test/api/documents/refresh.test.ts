// POST /v1/documents/{id}/refresh: what counts as changed, conditional requests, failures that leave the document alone, and
// everything that can happen to a document meanwhile.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { article, hold, html, type Pages, startPages } from "../../helpers/pages.ts";
import { type Client, type Started, startServer } from "../../helpers/start.ts";

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

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";
const NEW = "The kettle has a light now, which goes out when the water has boiled for long enough.";

const page = (headers: Record<string, string>) =>
  html(
    `<head><title>Kettles</title></head><body><article><p>${TEXT}</p><p>${MORE}</p></article></body>`,
    headers,
  );

let id: string;
const path = (tail = "") => `/v1/documents/${id}${tail}`;
const read = async () => (await client("GET", path())).body.data;
const refresh = (headers?: Record<string, string>, body?: unknown) =>
  client("POST", path("/refresh"), body, headers);
const versions = async () => (await client("GET", path("/versions"))).body.data;
const etag = async () => (await client("GET", path())).headers.get("etag")!;

async function scrape(page = "/page"): Promise<void> {
  const { body } = await client("POST", "/v1/documents/scrape", { url: site.url + page });
  id = body.data.documentId;
  await started.settle();
}
beforeEach(async () => {
  for (const name of Object.keys(site.pages)) delete site.pages[name];
  site.pages["/page"] = () => article("Kettles", TEXT, MORE);
  await scrape();
  site.seen.length = 0;
});

describe("changed", () => {
  test("a new text: 202, a new version, found by search", async () => {
    const before = await read();
    site.pages["/page"] = () => article("Kettles", NEW, MORE);
    const reply = await refresh();
    expect([reply.status, reply.body]).toEqual([202, { data: { documentId: id, changed: true } }]);
    const document = await read();
    expect(document).toMatchObject({ status: "completed", revision: 2 });
    expect(document.content).toContain(NEW);
    expect(reply.headers.get("location")).toBe(`/v1/documents/${id}`);
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
    expect(body.data.documents.map(({ documentId }: never) => documentId)).toContain(id);
  });

  test("the same page: no version; only lastCheckedAt moves", async () => {
    const before = await read();
    const tag = await etag();
    await Bun.sleep(2);
    const { status, body, headers } = await refresh();
    expect([status, body.data.changed, headers.get("etag")]).toEqual([202, false, tag]);
    const after = await read();
    expect(after.source.lastCheckedAt).toBeGreaterThan(before.source.lastCheckedAt);
    expect({ ...after, source: null }).toEqual({ ...before, source: null });
    expect(after.source.lastChangedAt).toBe(before.source.lastChangedAt);
    expect(await versions()).toHaveLength(2);
  });

  test("markup, scripts and frame that move around the same text are no change", async () => {
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

  test("a title of one's own stays, and is no change", async () => {
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

  test("an edited text becomes the page's again, whatever validators say", async () => {
    site.pages["/page"] = ({ headers }) =>
      headers.get("if-none-match") === '"1"' ? new Response(null, { status: 304 }) : page({ ETag: '"1"' });
    await scrape();
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

  test("a document whose first fetch failed is made whole", async () => {
    delete site.pages["/page"];
    await scrape();
    expect((await read()).status).toBe("failed");
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    expect((await refresh()).body.data.changed).toBe(true);
    const document = await read();
    expect(document).toMatchObject({ status: "completed", title: "Kettles", revision: 1 });
    expect(document.source.lastRefreshError).toBeUndefined();
  });
});

describe("conditional requests", () => {
  test("ETag and Last-Modified of the last answer are sent; 304 is no change", async () => {
    const modified = "Sat, 21 Nov 2026 12:00:00 GMT";
    site.pages["/page"] = ({ headers }) =>
      headers.get("if-none-match") === 'W/"7"' && headers.get("if-modified-since") === modified
        ? new Response(null, { status: 304 })
        : page({
            ETag: 'W/"7"',
            "Last-Modified": modified,
          });
    await scrape();
    site.seen.length = 0;
    const before = await read();
    await Bun.sleep(2);
    expect((await refresh()).body.data.changed).toBe(false);
    expect(site.seen.map(({ headers }) => headers.get("if-none-match"))).toEqual(['W/"7"']);
    expect((await read()).source.lastCheckedAt).toBeGreaterThan(before.source.lastCheckedAt);
  });

  test("a page without validators is asked for without conditions", async () => {
    await refresh();
    expect(site.seen[0].headers.get("if-none-match")).toBeNull();
    expect(site.seen[0].headers.get("if-modified-since")).toBeNull();
  });
});

describe("a page that cannot be had", () => {
  test("500, the document as it was, the reason on it; cleared by the next success", async () => {
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

  test("the ETag tells a poll that the error came and went", async () => {
    const first = await etag();
    delete site.pages["/page"];
    await refresh();
    const second = await etag();
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    await refresh();
    expect([first === second, await etag()]).toEqual([false, first]);
  });

  test("5xx is tried three times, and may recover", async () => {
    let asked = 0;
    site.pages["/page"] = () =>
      ++asked < 2 ? new Response("later", { status: 503 }) : article("Kettles", NEW, MORE);
    expect((await refresh()).body.data.changed).toBe(true);
    expect(asked).toBe(2);
  });
});

describe("what is refreshed", () => {
  test.each([
    [
      "a document that was never scraped",
      async () => {
        const made = await client("POST", "/v1/documents", {
          title: "t",
          content: "c",
          sourceUrl: `${site.url}/page`,
        });
        id = made.body.data.id;
      },
    ],
    ["a document without its URL", () => client("PATCH", path(), { sourceUrl: null })],
    ["another scheme", () => client("PATCH", path(), { sourceUrl: "ftp://example.org/" })],
    ["no web address", () => client("PATCH", path(), { sourceUrl: "localhost:3000" })],
    [
      "a URL that scrape would refuse",
      () => client("PATCH", path(), { sourceUrl: "http://169.254.169.254/" }),
    ],
  ])("not %s", async (_name, spoil) => {
    await spoil();
    const { status, body } = await refresh();
    expect([status, body.error.details.length]).toEqual([400, 1]);
    expect(site.seen).toEqual([]);
  });

  test("bodies other than none and {}: 400; both of these pass", async () => {
    expect((await refresh({}, { url: "x" })).status).toBe(400);
    expect((await refresh({}, "[]")).status).toBe(400);
    expect((await refresh({}, {})).status).toBe(202);
  });

  test("unknown, malformed and foreign ids", async () => {
    expect((await client("POST", `/v1/documents/${"0".repeat(27)}/refresh`)).status).toBe(404);
    expect((await client("POST", "/v1/documents/x/refresh")).status).toBe(400);
    expect((await started.clientOf("spy@example.org")("POST", path("/refresh"))).status).toBe(404);
  });

  test("the legacy scope is enough, reading is not", async () => {
    const scraper = started.clientOf("owner@localhost", ["documents.scrape"]);
    expect((await scraper("POST", path("/refresh"))).status).toBe(202);
    expect((await scraper("GET", path())).status).toBe(403);
    const reader = started.clientOf("owner@localhost", ["documents.read"]);
    expect((await reader("POST", path("/refresh"))).status).toBe(403);
  });

  test("If-Match counts when it is sent", async () => {
    const stale = await etag();
    await client("PATCH", path(), { tags: ["x"] });
    expect((await refresh({ "If-Match": stale })).status).toBe(412);
    expect((await refresh({ "If-Match": await etag() })).status).toBe(202);
    expect((await refresh({ "If-Match": "*" })).status).toBe(202);
  });
});

describe("meanwhile", () => {
  async function begun(headers?: Record<string, string>) {
    const page = hold(site, "/page", () => article("Kettles", NEW, MORE));
    const reply = refresh(headers);
    await page.asked;
    return { page, reply };
  }

  test("a second refresh is 409; after the first it may", async () => {
    const { page, reply } = await begun();
    const second = await refresh();
    expect([second.status, second.body.error.details.reason]).toEqual([409, "REFRESH_IN_PROGRESS"]);
    page.release();
    expect((await reply).body.data.changed).toBe(true);
    expect((await refresh()).body.data.changed).toBe(false);
  });

  test("a refresh that failed makes way for the next", async () => {
    delete site.pages["/page"];
    expect((await refresh()).status).toBe(500);
    expect((await refresh()).status).toBe(500);
  });

  test.each([[{ content: "mine" }], [{ tags: ["mine"] }], [{ title: "mine" }]])(
    "an edit wins: %j",
    async (edit) => {
      const { page, reply } = await begun();
      await client("PATCH", path(), edit);
      const before = await read();
      page.release();
      const { status, body } = await reply;
      expect([status, body.error.details.reason]).toEqual([409, "REFRESH_SUPERSEDED"]);
      expect(await read()).toEqual(before);
    },
  );

  test("an edit wins over a refresh that fails, too", async () => {
    const page = hold(site, "/page", () => new Response("no", { status: 404 }));
    const reply = refresh();
    await page.asked;
    await client("PATCH", path(), { content: "mine" });
    page.release();
    expect((await reply).status).toBe(409);
    expect((await read()).source.lastRefreshError).toBeUndefined();
  });

  test("a deletion: 404, and nothing comes back", async () => {
    const { page, reply } = await begun();
    await client("DELETE", path());
    page.release();
    expect((await reply).status).toBe(404);
    expect((await client("GET", path())).status).toBe(404);
  });

  test("the same key while it runs is 409, afterwards the same answer", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const { page, reply } = await begun(key);
    expect((await refresh(key)).status).toBe(409);
    page.release();
    const first = await reply;
    const again = await refresh(key);
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([
      202,
      first.body,
      "true",
    ]);
    for (const name of ["etag", "location", "x-service-revision"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(site.seen).toHaveLength(1);
  });

  test("neither 500 nor 409 is kept for a key", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const page = site.pages["/page"];
    delete site.pages["/page"];
    expect((await refresh(key)).status).toBe(500);
    site.pages["/page"] = page;
    expect((await refresh(key)).status).toBe(202);
  });
});

describe("where a lease is required", () => {
  const keyed = () => ({ "Idempotency-Key": crypto.randomUUID() });
  const lease = async (by: Client, body: object) =>
    (await by("POST", path("/coordination/lease"), body, keyed())).body.data;
  beforeEach(async () => {
    await client("PUT", path("/coordination"), undefined, { "If-Match": await etag() });
  });

  test("a key is needed, a lease is not", async () => {
    const { status, body } = await refresh();
    expect([status, body.error.details.reason]).toEqual([428, "PRECONDITION_REQUIRED"]);
    expect((await refresh(keyed())).status).toBe(202);
  });

  test("another credential's lease is 409, until it ends; one's own is not", async () => {
    const other = started.clientOf("owner@localhost");
    const { leaseId, fence } = await lease(other, { action: "acquire", ttlMs: 60_000 });
    const refused = await refresh(keyed());
    expect([refused.status, refused.body.error.details.reason]).toEqual([409, "LEASE_CONFLICT"]);
    expect(site.seen).toEqual([]);
    const claim = { "X-Service-Lease-Id": leaseId, "X-Service-Lease-Fence": String(fence) };
    expect((await refresh({ ...keyed(), ...claim })).status).toBe(202);
    expect((await other("POST", path("/refresh"), undefined, keyed())).status).toBe(202);
    await other("POST", path("/coordination/lease"), { action: "release" }, { ...keyed(), ...claim });
    expect((await refresh(keyed())).status).toBe(202);
  });

  test("a claim that is sent must be right", async () => {
    const { leaseId, fence } = await lease(client, { action: "acquire", ttlMs: 60_000 });
    const sent = (headers: Record<string, string>) => refresh({ ...keyed(), ...headers });
    const right = { "X-Service-Lease-Id": leaseId, "X-Service-Lease-Fence": String(fence) };
    expect((await sent({ ...right, "X-Service-Lease-Fence": "0" })).body.error.details.reason).toBe(
      "FENCE_MISMATCH",
    );
    expect((await sent({ ...right, "X-Service-Lease-Id": "x" })).body.error.details.reason).toBe(
      "LEASE_CONFLICT",
    );
    expect((await sent({ "X-Service-Lease-Id": leaseId })).status).toBe(428);
    expect((await sent(right)).status).toBe(202);
  });

  test("a lease that is taken meanwhile wins", async () => {
    const page = hold(site, "/page", () => article("Kettles", NEW, MORE));
    const reply = refresh(keyed());
    await page.asked;
    await lease(started.clientOf("owner@localhost"), { action: "acquire", ttlMs: 60_000 });
    page.release();
    expect((await reply).body.error.details.reason).toBe("REFRESH_SUPERSEDED");
    expect((await read()).content).toContain(TEXT);
  });
});
