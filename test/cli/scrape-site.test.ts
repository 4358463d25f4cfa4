// ctxrepo scrape --site: which pages of a site are stored, and that it asks politely and continues.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { html, type Pages, redirect, startPages } from "../helpers/pages.ts";
import { runProgram, startProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough for tea.";
const MORE = "Let the tea stand for three minutes, or for five if you like it strong.";

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
  for (const path of Object.keys(site.pages)) delete site.pages[path];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A page with a title of its own and links in its navigation. */
const page =
  (title: string, ...links: string[]) =>
  () =>
    html(
      `<head><title>${title}</title></head><body><nav>${links.map((link) => `<a class="x" href="${link}">go</a>`).join(" ")}</nav>
     <article><h1>${title}</h1><p>${title}: ${TEXT}</p><p>${MORE}</p></article></body>`,
    );
const text =
  (body: string | Uint8Array, type = "text/plain") =>
  () =>
    new Response(body as string, { headers: { "Content-Type": type } });
const sitemap = (...paths: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc> ${site.url}${path} </loc></url>`)
    .join("")}</urlset>`;

const OPTIONS = ["--site", "--collection", "Docs", "--scrape-private-network", "allow"];
const walk = (path: string, ...args: string[]) =>
  runProgram([
    "scrape",
    `${site.url}${path}`,
    ...OPTIONS,
    "--delay",
    "0",
    "--json",
    "--data-dir",
    dir,
    ...args,
  ]);
/** `PATH STATUS` of each page. */
async function walked(path: string, ...args: string[]) {
  const { code, stdout, stderr } = await walk(path, ...args);
  if (stdout === "") throw new Error(stderr);
  const outcomes = (JSON.parse(stdout) as { url: string; status: string }[]).map(
    ({ url, status }) => `${url.slice(site.url.length)} ${status}`,
  );
  return { code, stderr, outcomes: outcomes.sort() };
}
const stored = async () => {
  const { stdout } = await runProgram([
    "list",
    "documents",
    "--collection",
    "Docs",
    "--json",
    "--data-dir",
    dir,
  ]);
  return (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title).sort();
};
const asked = (path: string) => site.seen.filter((request) => request.path === path).length;

test("stores the pages below the URL that are linked, in the sitemap or in llms.txt", async () => {
  site.pages["/docs/"] = page(
    "Home",
    "a.html",
    "/docs/b#part",
    "../blog/post",
    "https://example.invalid/docs/",
    "mailto:x",
    "c.png",
  );
  site.pages["/docs/a.html"] = page("A", "/docs/deep");
  site.pages["/docs/b"] = page("B", "/docs/", "/docs/b/");
  site.pages["/docs/deep"] = page("Deep");
  site.pages["/docs/mapped"] = page("Mapped");
  site.pages["/docs/listed"] = page("Listed");
  site.pages["/blog/post"] = page("Post");
  site.pages["/sitemap.xml"] = text(sitemap("/docs/mapped", "/blog/post", "/docs/a.html"), "application/xml");
  site.pages["/llms.txt"] = text(`# Site\n- [Listed](${site.url}/docs/listed): a page\n`);
  const { code, outcomes, stderr } = await walked("/docs/");
  expect([code, outcomes]).toEqual([
    0,
    [
      "/docs/ created",
      "/docs/a.html created",
      "/docs/b created",
      "/docs/deep created",
      "/docs/listed created",
      "/docs/mapped created",
    ],
  ]);
  expect(await stored()).toEqual(["A", "B", "Deep", "Home", "Listed", "Mapped"]);
  expect(stderr).toMatch(/^6\/6 created http/m);
  expect(stderr).toContain("6 created");
  expect(asked("/docs/b")).toBe(1);
});

test("robots.txt decides: the group of this program, the longest rule, and its sitemaps", async () => {
  site.pages["/robots.txt"] = text(
    `User-agent: *\nDisallow: /\n\nUser-agent: CtxRepo # us\nDisallow: /private\nAllow: /private/open\nDisallow: /*.cgi$\nSitemap: ${site.url}/map.gz\n`,
  );
  site.pages["/"] = page("Home", "/private/x", "/private/open", "/run.cgi", "/run.cgi?x");
  for (const path of ["/private/x", "/private/open", "/run.cgi", "/mapped"]) site.pages[path] = page(path);
  site.pages["/map.gz"] = text(gzipSync(sitemap("/mapped")), "application/gzip");
  const { code, outcomes } = await walked("/");
  expect([code, outcomes]).toEqual([
    0,
    [
      "/ created",
      "/mapped created",
      "/private/open created",
      "/private/x refused",
      "/run.cgi refused",
      "/run.cgi?x created",
    ].sort(),
  ]);
  expect(asked("/private/x") + asked("/sitemap.xml")).toBe(0);
});

test("a robots.txt that cannot be read refuses everything", async () => {
  site.pages["/robots.txt"] = () => new Response("no", { status: 503 });
  site.pages["/"] = page("Home");
  const { code, outcomes } = await walked("/");
  expect([code, outcomes, asked("/")]).toEqual([1, ["/ refused"], 0]);
});

test("--depth, --max, --include and --exclude limit the walk", async () => {
  site.pages["/"] = page("Home", "/a/1", "/a/2", "/b/1");
  site.pages["/a/1"] = page("A1", "/a/deep");
  site.pages["/a/2"] = page("A2");
  site.pages["/b/1"] = page("B1");
  site.pages["/a/deep"] = page("Deep");
  expect((await walked("/", "--depth", "0")).outcomes).toEqual(["/ created"]);
  expect((await walked("/", "--depth", "1", "--include", "/a/*", "--exclude", "/a/2")).outcomes).toEqual([
    "/ recent",
    "/a/1 created",
  ]);
  expect((await walked("/", "--max", "3")).outcomes).toHaveLength(3);
  for (const wrong of [
    ["--max", "0"],
    ["--depth", "x"],
    ["--delay", "-1"],
  ])
    expect((await walk("/", ...wrong)).code).toBe(2);
  const { code, stderr } = await runProgram([
    "scrape",
    site.url,
    "--site",
    "--scrape-private-network",
    "allow",
    "--data-dir",
    dir,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--collection")]);
});

test("waits between requests, as long as robots.txt wants", async () => {
  const times: number[] = [];
  site.pages["/robots.txt"] = text("User-agent: *\nCrawl-delay: 0.3\n");
  site.pages["/"] = () => {
    times.push(performance.now());
    return page("Home", "/a")();
  };
  site.pages["/a"] = () => {
    times.push(performance.now());
    return page("A")();
  };
  expect((await walked("/")).outcomes).toEqual(["/ created", "/a created"]);
  // Between both, sitemap.xml and llms.txt are asked for.
  expect(times[1]! - times[0]!).toBeGreaterThan(850);
});

test("an interrupted walk continues where it was", async () => {
  site.pages["/"] = page("Home", "/a", "/b");
  site.pages["/a"] = page("A", "/c");
  site.pages["/b"] = page("B");
  site.pages["/c"] = page("C");
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  site.pages["/b"] = async () => {
    reached.resolve();
    await gate.promise;
    return page("B")();
  };
  const running = startProgram(["scrape", site.url, ...OPTIONS, "--delay", "0", "--data-dir", dir]);
  await reached.promise;
  running.kill("SIGINT");
  gate.resolve();
  const { code, stderr } = await running.finished;
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("interrupted: run the command again to continue"),
  ]);
  site.seen.length = 0;
  const again = await walked("");
  expect(again.outcomes).toContain("/ recent");
  expect(again.outcomes).toContain("/c created");
  expect([again.code, asked("/"), asked("/a")]).toEqual([0, 0, 0]);
  expect(await stored()).toEqual(["A", "B", "C", "Home"]);
});

test("a missing page is reported, a redirected one is stored under its address, and old ones are refreshed", async () => {
  site.pages["/"] = page("Home", "/gone", "/old", "/out");
  site.pages["/old"] = () => redirect("/new");
  site.pages["/new"] = page("New");
  site.pages["/out"] = () => redirect("http://localhost:1/");
  const first = await walked("/");
  expect(first.outcomes).toEqual([
    "/ created",
    "/gone failed",
    "/new created",
    "/old redirected",
    "/out failed",
  ]);
  expect(first.code).toBe(1);
  delete site.pages["/out"];
  site.pages["/new"] = page("Newer");
  const second = await walked("/", "--older", "1s");
  expect([second.code, second.outcomes]).toEqual([
    0,
    ["/ unchanged", "/gone failed", "/new updated", "/old redirected", "/out failed"],
  ]);
  expect(await stored()).toEqual(["Home", "Newer"]);
});

test("sitemaps that name each other, never end, or unpack to gigabytes do not stop the walk", async () => {
  const index = (...paths: string[]) =>
    `<sitemapindex>${paths.map((path) => `<sitemap><loc>${site.url}${path}</loc></sitemap>`).join("")}</sitemapindex>`;
  site.pages["/"] = page("Home");
  site.pages["/robots.txt"] = text(
    `Sitemap: ${site.url}/index.xml\nSitemap: http://169.254.169.254/map.xml\nSitemap: ftp://x\n${"Disallow: /*a*a*a*a*b\n".repeat(20_000)}`,
  );
  site.pages["/index.xml"] = text(
    index("/index.xml", "/bomb.gz", "/huge.xml", ...Array.from({ length: 500 }, (_, i) => `/deep${i}.xml`)),
  );
  site.pages["/bomb.gz"] = text(gzipSync(Buffer.alloc(200 * 1024 ** 2)), "application/gzip");
  site.pages["/huge.xml"] = text(`<urlset>${"<loc>".repeat(500_000)}${"<a ".repeat(500_000)}`);
  const { code, outcomes } = await walked("/");
  expect([code, outcomes]).toEqual([0, ["/ created"]]);
  expect(site.seen.length).toBeLessThan(60);
});

test("pages that are gone are archived, and shown again when they return; unchanged ones cost an answer without a body", async () => {
  const tagged = (etag: string, answer: () => Response) => (request: Request) =>
    request.headers.get("if-none-match") === etag
      ? new Response(null, { status: 304 })
      : new Response(answer().body, { headers: { "Content-Type": "text/html", ETag: etag } });
  site.pages["/"] = tagged('"h1"', page("Home", "/a", "/b"));
  site.pages["/a"] = page("A");
  site.pages["/b"] = page("B");
  expect((await walked("/")).outcomes).toEqual(["/ created", "/a created", "/b created"]);
  delete site.pages["/a"];
  delete site.pages["/b"];
  const second = await walked("/", "--older", "1s");
  expect([second.code, second.outcomes]).toEqual([0, ["/ unchanged", "/a archived", "/b archived"]]);
  expect(second.stderr).toContain("1 unchanged, 2 archived");
  expect(
    site.seen
      .filter((request) => request.path === "/")
      .at(-1)
      ?.headers.get("if-none-match"),
  ).toBe('"h1"');
  expect(await stored()).toEqual(["Home"]);
  site.pages["/a"] = page("A");
  const third = await walked("/", "--older", "1s");
  expect([third.code, third.outcomes]).toEqual([0, ["/ unchanged", "/a restored", "/b unchanged"]]);
  expect(await stored()).toEqual(["A", "Home"]);
});

test("a page with the text of another is stored once, under the address that it names", async () => {
  const named = (title: string, address: string) => async () => {
    const body = await page(title)().text();
    return html(body.replace("<head>", `<head><link href="${address}" rel="canonical">`));
  };
  site.pages["/"] = page("Home", "/print", "/a", "/a/index.html", "/v1", "/own");
  site.pages["/print"] = named("Guide", "/guide");
  site.pages["/guide"] = named("Guide", "/guide");
  site.pages["/a"] = page("A");
  site.pages["/a/index.html"] = page("A");
  // What it names has another text, or does not exist.
  site.pages["/v1"] = named("Old", "/v2");
  site.pages["/v2"] = page("New");
  site.pages["/own"] = named("Own", "/nowhere");
  const { code, outcomes } = await walked("/");
  expect([code, outcomes]).toEqual([
    0,
    [
      "/ created",
      "/a created",
      "/a/index.html duplicate",
      "/guide created",
      "/nowhere failed",
      "/own created",
      "/print duplicate",
      "/v1 created",
      "/v2 created",
    ],
  ]);
  expect(await stored()).toEqual(["A", "Guide", "Home", "New", "Old", "Own"]);
});

test("results of a page name the heading's address", async () => {
  site.pages["/"] = () =>
    html(`<head><title>Pier</title></head><body><main><h1>Pier</h1><p>${TEXT}</p><h2 id="fees">Fees</h2>
      <p>A zebra pays four shillings for a night at the pier, and its foal pays nothing at all.</p></main></body>`);
  await walked("/");
  const { stdout } = await runProgram(["search", "zebra shillings", "--json", "--data-dir", dir]);
  const { source } = JSON.parse(stdout).documents[0];
  expect(source).toMatchObject({
    url: `${site.url}/`,
    heading: expect.stringContaining("Fees"),
    anchor: "fees",
  });
  const shown = await runProgram(["search", "zebra shillings", "--data-dir", dir]);
  expect(shown.stdout).toContain(`${site.url}/#fees`);
});
