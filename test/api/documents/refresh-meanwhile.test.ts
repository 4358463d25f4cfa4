// POST /v1/documents/{id}/refresh: changes of a document during the fetch, and leases.

import { beforeEach, describe, expect, test } from "bun:test";
import { article, hold } from "../../helpers/pages.ts";
import { MORE, TEXT, useScrapedDocument, useScraping } from "../../helpers/scraping.ts";
import type { Client } from "../../helpers/start.ts";

const scraping = useScraping();
const { site, started, client } = scraping;
const { path, read, refresh, etag } = useScrapedDocument(scraping);

const NEW = "The kettle has a light now, which goes out when the water has boiled for long enough.";

describe("during the fetch", () => {
  async function refreshing(headers?: Record<string, string>) {
    const page = hold(site, "/page", () => article("Kettles", NEW, MORE));
    const reply = refresh(headers);
    await page.asked;
    return { page, reply };
  }

  test("a second refresh is 409 until the first has finished", async () => {
    const { page, reply } = await refreshing();
    const second = await refresh();
    expect([second.status, second.body.error.details.reason]).toEqual([409, "REFRESH_IN_PROGRESS"]);
    page.release();
    expect((await reply).body.data.changed).toBe(true);
    expect((await refresh()).body.data.changed).toBe(false);
  });

  test("after a failed refresh another one is possible", async () => {
    delete site.pages["/page"];
    expect((await refresh()).status).toBe(500);
    expect((await refresh()).status).toBe(500);
  });

  test.each([[{ content: "mine" }], [{ tags: ["mine"] }], [{ title: "mine" }]])(
    "an edit wins: %j",
    async (edit) => {
      const { page, reply } = await refreshing();
      await client("PATCH", path(), edit);
      const before = await read();
      page.release();
      const { status, body } = await reply;
      expect([status, body.error.details.reason]).toEqual([409, "REFRESH_SUPERSEDED"]);
      expect(await read()).toEqual(before);
    },
  );

  test("an edit wins over a refresh that fails", async () => {
    const page = hold(site, "/page", () => new Response("no", { status: 404 }));
    const reply = refresh();
    await page.asked;
    await client("PATCH", path(), { content: "mine" });
    page.release();
    expect((await reply).status).toBe(409);
    expect((await read()).source.lastRefreshError).toBeUndefined();
  });

  test("a deletion: 404, and the document is not created again", async () => {
    const { page, reply } = await refreshing();
    await client("DELETE", path());
    page.release();
    expect((await reply).status).toBe(404);
    expect((await client("GET", path())).status).toBe(404);
  });

  test("the same key is 409 while it runs, and the same response afterwards", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const { page, reply } = await refreshing(key);
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

  test("neither 500 nor 409 is stored for a key", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const page = site.pages["/page"]!;
    delete site.pages["/page"];
    expect((await refresh(key)).status).toBe(500);
    site.pages["/page"] = page;
    expect((await refresh(key)).status).toBe(202);
  });
});

describe("if a lease is required", () => {
  const keyed = () => ({ "Idempotency-Key": crypto.randomUUID() });
  const lease = async (by: Client, body: object) =>
    (await by("POST", path("/coordination/lease"), body, keyed())).body.data;
  beforeEach(async () => {
    await client("PUT", path("/coordination"), undefined, { "If-Match": await etag() });
  });

  test("a key is required, a lease is not", async () => {
    const { status, body } = await refresh();
    expect([status, body.error.details.reason]).toEqual([428, "PRECONDITION_REQUIRED"]);
    expect((await refresh(keyed())).status).toBe(202);
  });

  test("another credential's lease is 409 until it ends; the caller's is not", async () => {
    const other = started.clientOf("owner@localhost");
    const { leaseId, fence } = await lease(other, { action: "acquire", ttlMs: 60_000 });
    const rejected = await refresh(keyed());
    expect([rejected.status, rejected.body.error.details.reason]).toEqual([409, "LEASE_CONFLICT"]);
    expect(site.seen).toEqual([]);
    const claim = { "X-Service-Lease-Id": leaseId, "X-Service-Lease-Fence": String(fence) };
    expect((await refresh({ ...keyed(), ...claim })).status).toBe(202);
    expect((await other("POST", path("/refresh"), undefined, keyed())).status).toBe(202);
    await other("POST", path("/coordination/lease"), { action: "release" }, { ...keyed(), ...claim });
    expect((await refresh(keyed())).status).toBe(202);
  });

  test("a claim that is sent must match", async () => {
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

  test("a lease that is acquired in between wins", async () => {
    const page = hold(site, "/page", () => article("Kettles", NEW, MORE));
    const reply = refresh(keyed());
    await page.asked;
    await lease(started.clientOf("owner@localhost"), { action: "acquire", ttlMs: 60_000 });
    page.release();
    expect((await reply).body.error.details.reason).toBe("REFRESH_SUPERSEDED");
    expect((await read()).content).toContain(TEXT);
  });
});
