// Reading robots.txt, sitemaps and links: the rules of RFC 9309, and hostile texts.

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { linksIn, parseSitemap } from "../../../src/cli/scraping/links.ts";
import { containsPattern, parseRobots } from "../../../src/cli/scraping/robots.ts";

const SITE = "https://example.org";
const allows = (robots: string, path: string) => parseRobots(robots, "ctxrepo").allows(new URL(path, SITE));

describe("robots.txt", () => {
  test.each<[string, string, string, boolean]>([
    ["nothing", "", "/x", true],
    ["an HTML page", "<html><body>Not found: /</body></html>", "/x", true],
    ["all agents", "User-agent: *\nDisallow: /x", "/xy", false],
    ["another agent", "User-agent: other\nDisallow: /", "/x", true],
    ["the own group only", "User-agent: *\nDisallow: /\nUser-agent: ctxrepo\nDisallow: /a", "/x", true],
    ["several agents of a group", "User-agent: other\nUser-agent: CTXREPO\nDisallow: /", "/x", false],
    [
      "groups with one name together",
      "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b",
      "/a",
      false,
    ],
    ["the longest rule", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true],
    ["allow before disallow", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true],
    ["an empty rule", "User-agent: *\nDisallow:", "/a", true],
    ["a comment and CR", "User-agent: * # all\rDisallow: /a # here\r", "/a", false],
    ["the query", "User-agent: *\nDisallow: /*?print=", "/a?print=1", false],
    ["an end", "User-agent: *\nDisallow: /*.php$", "/a.php?x", true],
    ["an end that matches", "User-agent: *\nDisallow: /*.php$", "/a.php.php", false],
    ["a rule before any group", "Disallow: /", "/a", true],
  ])("%s", (_name, robots, path, expected) => expect(allows(robots, path)).toBe(expected));

  test("a pattern matches as the same regular expression", () => {
    const part = fc.stringMatching(/^[ab*]{0,6}$/);
    fc.assert(
      fc.property(part, fc.boolean(), fc.stringMatching(/^[ab]{0,8}$/), (pattern, isWhole, path) => {
        const source = pattern.replaceAll("*", ".*");
        const expected = new RegExp(`^/${source}${isWhole ? "$" : ""}`).test(`/${path}`);
        expect(allows(`User-agent: *\nDisallow: /${pattern}${isWhole ? "$" : ""}`, `/${path}`)).toBe(
          !expected,
        );
        expect(containsPattern(path, pattern)).toBe(new RegExp(source).test(path));
      }),
      { numRuns: 2_000 },
    );
  });

  test("delays are bounded, sitemaps are listed", () => {
    const { delayMs, sitemaps } = parseRobots(
      "User-agent: *\nCrawl-delay: 5000\nSitemap: https://x/a.xml",
      "ctxrepo",
    );
    expect([delayMs, sitemaps]).toEqual([60_000, ["https://x/a.xml"]]);
  });
});

describe("links", () => {
  test("of HTML and Markdown: absolute, without fragments, each once", () => {
    const html = `<a href="/a?x=1&amp;y=2#z">a</a><a class=b href='b'>b</a><A HREF=c>c</A><a href="javascript:x()">
      <link href="/style"><area href="/n">`;
    expect(linksIn(`${html} [d](d.md) [a](</a?x=1&y=2>) [m](mailto:x)`, `${SITE}/docs/`)).toEqual([
      `${SITE}/a?x=1&y=2`,
      `${SITE}/docs/b`,
      `${SITE}/docs/c`,
      `${SITE}/docs/d.md`,
    ]);
  });

  test("of sitemaps in XML, text and gzip, and of an index", () => {
    const xml = `<urlset><url><loc>${SITE}/a?x&amp;y</loc></url><url><loc><![CDATA[ ${SITE}/b ]]></loc></url></urlset>`;
    expect(parseSitemap(gzipSync(xml), SITE).pages).toEqual([`${SITE}/a?x&y`, `${SITE}/b`]);
    expect(parseSitemap(Buffer.from(`${SITE}/a\n${SITE}/b\n`), SITE).pages).toEqual([
      `${SITE}/a`,
      `${SITE}/b`,
    ]);
    expect(parseSitemap(Buffer.from(`<sitemapindex><loc>/c.xml</loc></sitemapindex>`), SITE)).toEqual({
      pages: [],
      sitemaps: [`${SITE}/c.xml`],
    });
    expect(parseSitemap(Buffer.from([0x1f, 0x8b, 0]), SITE)).toEqual({ pages: [], sitemaps: [] });
  });
});
