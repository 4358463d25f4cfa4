// ctxrepo scrape as a process: without a server, while one runs, and when that one is killed.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { article, hold, type Pages, startPages } from "../helpers/pages.ts";
import { runProgram, type ServingProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { type Client, createClient, makeTempDir } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

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
  delete site.pages["/none"];
  site.pages["/page"] = () => article("Kettles", TEXT, MORE);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const scrape = (...args: string[]) => runProgram(["scrape", "--data-dir", dir, ...args]);
async function ownerOf(server: ServingProgram): Promise<Client> {
  const { stdout } = await runProgram(["keys", "create", "--data-dir", dir]);
  return createClient(server.url, stdout.trim());
}

test("without a server it scrapes the page itself: Markdown on stdout, progress on stderr; the page can be searched later", async () => {
  const { code, stdout, stderr } = await scrape(...ALLOW, `${site.url}/page`);
  expect([code, stdout]).toEqual([0, `${TEXT}\n\n${MORE}\n`]);
  const [progress, result] = stderr.trim().split("\n");
  expect(progress).toBe(`scraping ${site.url}/page …`);
  expect(result).toMatch(/^"Kettles", \d+ characters, document [0-9A-Za-z]{27}$/);
  await runProgram(["keys", "create", "--user", "ada@example.org", "--data-dir", dir]);
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

test("proxies in the environment are not used: they would connect to an address that was not checked", async () => {
  const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const environment = Object.fromEntries(proxies.map((name) => [name, "http://127.0.0.1:9"]));
  const { code } = await runProgram(["scrape", "--data-dir", dir, ...ALLOW, `${site.url}/page`], environment);
  expect([code, site.seen.length]).toEqual([0, 1]);
});

test("a page that cannot be fetched prints its code and exits with 1; an invalid or rejected URL exits with 2", async () => {
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
    const { code, stdout } = await runHere(["scrape", "--data-dir", dir, ...args]);
    expect([args, code, stdout]).toEqual([args, 2, ""]);
  }
  expect((await runHere(["scrape", "--scrape-private-network", "maybe", site.url])).code).toBe(2);
});

test("while a server runs, the server scrapes the page by its own settings", async () => {
  const strict = await serveProgram(dir);
  const rejected = await scrape(...ALLOW, `http://localhost:${site.port}/page`);
  expect([rejected.code, site.seen.length]).toEqual([1, 0]);
  expect(rejected.stderr).toContain("ADDRESS_REFUSED");
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
    expect(body.data.map(({ status }: never) => status)).toEqual(["completed"]);
  } finally {
    await server.kill("SIGTERM");
  }
});

test("it scrapes the page itself when the server is killed", async () => {
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

const documentsIn = async () => {
  const { stdout } = await runProgram(["list", "documents", "--json", "--data-dir", dir]);
  return JSON.parse(stdout) as { id: string; title: string; status: string }[];
};

test("a second scrape of a URL refreshes its document; --new stores another one", async () => {
  const url = `${site.url}/page`;
  const first = JSON.parse((await scrape(...ALLOW, "--json", url)).stdout);
  site.pages["/page"] = () => article("Kettles", TEXT, MORE, "A third paragraph that is new.");
  const second = await scrape(...ALLOW, "--json", `${url}#part`, "--collection", "Web");
  expect(JSON.parse(second.stdout)).toMatchObject({ id: first.id, currentVersion: 2 });
  expect(second.stderr).toContain("updated");
  expect((await scrape(...ALLOW, url)).stderr).toContain("unchanged");
  expect((await documentsIn()).map(({ id }) => id)).toEqual([first.id]);
  const { stdout } = await runProgram([
    "list",
    "documents",
    "--collection",
    "Web",
    "--json",
    "--data-dir",
    dir,
  ]);
  expect(JSON.parse(stdout)).toMatchObject([{ id: first.id }]);
  await scrape(...ALLOW, "--new", url);
  expect(await documentsIn()).toHaveLength(2);
});

test("a failed refresh keeps the document and exits with 1", async () => {
  await scrape(...ALLOW, `${site.url}/page`);
  site.pages["/page"] = () => new Response("gone", { status: 410 });
  const { code, stderr } = await scrape(...ALLOW, `${site.url}/page`);
  expect([code, stderr]).toEqual([1, expect.stringContaining("HTTP_410")]);
  expect(await documentsIn()).toMatchObject([{ title: "Kettles", status: "completed" }]);
});

test("a failed first scrape leaves a document only with --keep", async () => {
  expect((await scrape(...ALLOW, `${site.url}/none`)).code).toBe(1);
  expect(await documentsIn()).toEqual([]);
  expect((await scrape(...ALLOW, "--keep", `${site.url}/none`)).code).toBe(1);
  expect(await documentsIn()).toMatchObject([{ status: "failed" }]);
  site.pages["/none"] = () => article("Late", TEXT, MORE);
  expect((await scrape(...ALLOW, `${site.url}/none`)).stdout).toContain(TEXT);
  expect(await documentsIn()).toMatchObject([{ title: "Late", status: "completed" }]);
});

test("--print prints a page and stores nothing", async () => {
  const { code, stdout, stderr } = await scrape(...ALLOW, "--print", `${site.url}/page`);
  expect([code, stdout]).toEqual([0, `${TEXT}\n\n${MORE}\n`]);
  expect(stderr).toContain("not stored");
  expect(existsSync(join(dir, "ctxrepo.db"))).toBe(false);
  const missing = await scrape(...ALLOW, "--print", `${site.url}/none`);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("HTTP_404")]);
  const inside = await scrape("--print", "http://localhost:8080");
  expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining("ADDRESS_REFUSED")]);
  expect((await scrape("--print", "--site", "example.org")).code).toBe(2);
});

test("the setting of a running server decides about private networks", async () => {
  const server = await serveProgram(dir, ALLOW);
  try {
    expect((await scrape(`${site.url}/page`)).code).toBe(0);
  } finally {
    await server.kill("SIGTERM");
  }
  const { code, stderr } = await scrape(`${site.url}/page`);
  expect(code).not.toBe(0);
  expect(stderr).toContain("is in a private network");
});

test("a watch has no dry run", async () => {
  const { code, stderr } = await runHere(["import", root, "--watch", "--dry-run", "--data-dir", dir]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--dry-run: cannot be used with --watch")]);
});
