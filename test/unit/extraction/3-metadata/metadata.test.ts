// Metadata of a page, from every source.

import { expect, test } from "bun:test";
import { extractBody } from "../page.ts";

const read = (head: string, body = "<p>Text.</p>") => {
  const { title, metadata } = extractBody(body, head);
  return { title, ...metadata };
};

test("titles: og:title, JSON-LD, <title> without the site, the first heading", () => {
  expect(read(`<meta property="og:title" content="Shared"><title>Own</title>`).title).toBe("Shared");
  expect(
    read(`<script type="application/ld+json">{"@type":"NewsArticle","headline":"Linked"}</script>`).title,
  ).toBe("Linked");
  expect(read(`<title>Own | Site</title><meta property="og:site_name" content="Site">`).title).toBe("Own");
  expect(read(`<title>Site: Own</title><meta property="og:site_name" content="Site">`).title).toBe("Own");
  expect(read("<title>Own - The Site</title>", "<h1>Own</h1>").title).toBe("Own");
  expect(read("<title>Dash - inside - of it</title>").title).toBe("Dash - inside - of it");
  expect(read("", "<h1>Heading</h1>").title).toBe("Heading");
  expect(read("").title).toBe("");
});

test("facts of JSON-LD, also within @graph", () => {
  const article = {
    "@type": ["BlogPosting"],
    author: [{ "@type": "Person", name: "Ann" }, { name: "Ben" }],
    publisher: { name: "The Site" },
    datePublished: "2024-05-06T07:08:09+02:00",
    description: "In short.",
  };
  const script = `<script type="application/ld+json">${JSON.stringify({ "@graph": [{ "@type": "Person" }, article] })}</script>`;
  expect(read(script)).toEqual({
    title: "",
    byline: "Ann, Ben",
    siteName: "The Site",
    publishedTime: "2024-05-06T05:08:09.000Z",
    excerpt: "In short.",
  });
});

test("facts of meta elements; what is not a date stays as written", () => {
  const head = `<meta name="author" content="By Ann"><meta property="og:site_name" content="Site">
    <meta name="description" content=" In  short. "><meta property="article:published_time" content="2024-05-06">`;
  expect(read(head)).toEqual({
    title: "",
    byline: "Ann",
    siteName: "Site",
    publishedTime: "2024-05-06",
    excerpt: "In short.",
  });
  expect(read(`<meta name="date" content="last spring">`).publishedTime).toBe("last spring");
  expect(read(`<meta name="date" content="May 6, 2024">`).publishedTime).toBe("2024-05-06");
});

test("language from <html>, else from meta; an invalid one is ignored", () => {
  expect(read(`<meta property="og:locale" content="de_AT">`).language).toBe("de-AT");
  expect(read(`<meta property="og:locale" content="not a language">`).language).toBeUndefined();
});

test("invalid JSON-LD is skipped", () => {
  expect(read(`<script type="application/ld+json">{"@type": </script><title>Own</title>`)).toEqual({
    title: "Own",
  });
});

test("the text in JSON-LD is used if a script renders the page", () => {
  const articleBody = "A sentence of the article that nobody else has. ".repeat(10).trim();
  const script = `<script type="application/ld+json">${JSON.stringify({ "@type": "Article", articleBody })}</script>`;
  expect(extractBody(`<div id="root"></div>`, script).markdown).toBe(articleBody);
});
