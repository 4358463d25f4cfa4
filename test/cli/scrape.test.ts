// ctxrepo scrape as a process: without a server, beside one, and when that one dies.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { article, hold, type Pages, startPages } from "../helpers/pages.ts";
import { runProgram, type ServingProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";
const ALLOW = ["--scrape-private-network", "allow"];

let site: Pages;
let root: string;
let dir: string;
beforeAll(() => {
  site = startPages();
});
afterAll(() => site.stop());
beforeEach(() => {
  root = makeTempDir();
  dir = join(root, "data");
  site.seen.length = 0;
  site.pages["/page"] = () => article("Kettles", TEXT, MORE);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const scrape = (...args: string[]) => runProgram(["scrape", "--data-dir", dir, ...args]);
async function ownerOf(server: ServingProgram): Promise<Client> {
  const { stdout } = await runProgram(["keys", "create", "--data-dir", dir]);
  return createClient(server.url, stdout.trim());
}

test("without a server it does the work itself: Markdown on stdout, talk on stderr; what it found can be searched", async () => {
  const { code, stdout, stderr } = await scrape(...ALLOW, `${site.url}/page`);
  expect([code, stdout]).toEqual([0, `${TEXT}\n\n${MORE}\n`]);
  const [progress, result] = stderr.trim().split("\n");
  expect(progress).toBe(`scraping ${site.url}/page …`);
  expect(result).toMatch(/^"Kettles", \d+ characters, document [0-9A-Za-z]{27}$/);
  const json = await scrape(...ALLOW, "--json", "--user", "ada@example.org", `${site.url}/page`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    title: "Kettles",
    status: "completed",
    sourceType: "scrape",
  });
  const server = await serveProgram(dir);
  try {
    const client = await ownerOf(server);
    const { body } = await client("GET", "/v1/documents");
    expect(body.data.map(({ title }: never) => title)).toEqual(["Kettles"]);
    await untilIndexed(server.url);
    const found = await client("GET", "/v1/search?q=kettle%20water&scoreThreshold=0.1");
    expect(found.body.data.documents).toHaveLength(1);
  } finally {
    await server.kill("SIGTERM");
  }
});

test("no proxy of the environment is asked: it would dial another address than the one that was checked", async () => {
  const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const environment = Object.fromEntries(proxies.map((name) => [name, "http://127.0.0.1:9"]));
  const { code } = await runProgram(["scrape", "--data-dir", dir, ...ALLOW, `${site.url}/page`], environment);
  expect([code, site.seen.length]).toEqual([0, 1]);
});

test("a page that cannot be had: its code, exit 1; a URL that is none, or is refused: exit 2 and no document", async () => {
  const missing = await scrape(...ALLOW, `${site.url}/none`);
  expect([missing.code, missing.stdout]).toEqual([1, ""]);
  expect(missing.stderr).toContain("HTTP_404");
  const inside = await scrape("localhost:8080");
  expect([inside.code, inside.stdout]).toEqual([1, ""]);
  expect(inside.stderr).toContain("ADDRESS_REFUSED");
  for (const args of [
    [`${site.url}/page`],
    ["ftp://example.org/"],
    [...ALLOW, "http://169.254.169.254/"],
    [],
  ]) {
    const { code, stdout } = await scrape(...args);
    expect([args, code, stdout]).toEqual([args, 2, ""]);
  }
  expect((await scrape("--scrape-private-network", "maybe", site.url)).code).toBe(2);
});

test("beside a server the server does it, by its own rules", async () => {
  const strict = await serveProgram(dir);
  const refused = await scrape(...ALLOW, `http://localhost:${site.port}/page`);
  expect([refused.code, site.seen.length]).toEqual([1, 0]);
  expect(refused.stderr).toContain("ADDRESS_REFUSED");
  await strict.kill("SIGTERM");
  const server = await serveProgram(dir, ALLOW);
  try {
    const { code, stdout } = await scrape(
      `http://localhost:${site.port}/page`,
      "--scrape-private-network",
      "deny",
    );
    expect([code, stdout]).toEqual([0, `${TEXT}\n\n${MORE}\n`]);
    const { body } = await (await ownerOf(server))("GET", "/v1/documents");
    expect(body.data.map(({ status }: never) => status)).toEqual(["completed", "failed"]);
  } finally {
    await server.kill("SIGTERM");
  }
});

test("when the server dies under it, it takes over", async () => {
  const server = await serveProgram(dir, ALLOW);
  const held = hold(site, "/page", () => article("Never", TEXT));
  const scraping = scrape(...ALLOW, `${site.url}/page`);
  await held.asked;
  await server.kill("SIGKILL");
  site.pages["/page"] = () => article("Kettles", TEXT, MORE);
  const { code, stdout, stderr } = await scraping;
  expect([code, stdout]).toEqual([0, `${TEXT}\n\n${MORE}\n`]);
  expect(stderr).toContain('"Kettles"');
  held.release();
});
