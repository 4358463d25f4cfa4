// Scrapes and refreshes that a restart interrupts: the next server completes acknowledged scrapes, and nothing stays
// locked.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { article, hold, type Pages, startPages } from "../helpers/pages.ts";
import { serveProgram, untilIndexed } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";

let site: Pages;
let dir: string;
beforeAll(() => {
  site = startPages();
});
afterAll(() => site.stop());
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => rmSync(dir, { recursive: true }));

const start = () => serveProgram(dir, ["--scrape-private-network", "allow"]);
const startScrape = async (client: Client, options?: object) =>
  (await client("POST", "/v1/documents/scrape", { url: `${site.url}/page`, options })).body.data.documentId;

test.each(["SIGKILL", "SIGTERM"] as const)(
  "a scrape that %s interrupts runs again after a restart",
  async (signal) => {
    const held = hold(site, "/page", () => article("Never", TEXT));
    const first = await start();
    const key = await first.key();
    const client = createClient(first.url, key);
    const id = await startScrape(client);
    const withHeaders = await startScrape(client, { headers: { Cookie: "session" } });
    await held.asked;
    await first.kill(signal);
    held.release();
    site.pages["/page"] = () => article("Kettles", TEXT, MORE);
    const second = await start();
    const again = createClient(second.url, key);
    await untilIndexed(second.url);
    const { data } = (await again("GET", `/v1/documents/${id}`)).body;
    expect(data).toMatchObject({ status: "completed", title: "Kettles", revision: 1 });
    // Its headers are gone, and without them it would be another page.
    const lost = (await again("GET", `/v1/documents/${withHeaders}`)).body.data;
    expect(lost).toMatchObject({ status: "failed", source: { lastRefreshError: { code: "HEADERS_LOST" } } });
    expect((await again("POST", `/v1/documents/${withHeaders}/refresh`)).body.data.changed).toBe(true);
    await second.kill("SIGTERM");
  },
);

test("a refresh that a crash interrupts leaves neither lock nor receipt nor change", async () => {
  site.pages["/page"] = () => article("Kettles", TEXT, MORE);
  const first = await start();
  const key = await first.key();
  const id = await startScrape(createClient(first.url, key));
  await untilIndexed(first.url);
  const before = (await createClient(first.url, key)("GET", `/v1/documents/${id}`)).body.data;
  const held = hold(site, "/page", () => article("Never", TEXT));
  const headers = { "Idempotency-Key": "once" };
  const path = `/v1/documents/${id}/refresh`;
  const interrupted = createClient(first.url, key)("POST", path, undefined, headers).catch(() => undefined);
  await held.asked;
  await first.kill("SIGKILL");
  await interrupted;
  held.release();
  site.pages["/page"] = () => article("Kettles, second edition", TEXT, MORE);
  const second = await start();
  const again = createClient(second.url, key);
  expect((await again("GET", `/v1/documents/${id}`)).body.data).toEqual(before);
  expect((await again("POST", path, undefined, headers)).body.data.changed).toBe(true);
  await second.kill("SIGTERM");
});

test("a server that is stopped while a page is slow does not wait for it", async () => {
  const held = hold(site, "/page", () => article("Never", TEXT));
  const server = await start();
  await startScrape(createClient(server.url, await server.key()));
  await held.asked;
  // The page is sent only after this.
  expect(await server.kill("SIGTERM")).toBe(0);
  held.release();
});
