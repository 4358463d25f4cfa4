// Selection of the main content: articles, pages of many parts, threads.

import { expect, test } from "bun:test";
import { extract } from "../page.ts";

const sentence = (topic: string, n: number) =>
  `Paragraph ${n} about ${topic} says a few things, in whole sentences, so that it reads like something written to be read.`;
const prose = (topic: string, count: number) =>
  Array.from({ length: count }, (_, i) => `<p>${sentence(topic, i + 1)}</p>`).join("");

const AROUND = {
  before: `<a class="skip-link" href="#main">Skip to content</a><header><div class="logo">Site</div>
    <nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav></header>
    <div class="cookie-consent"><p>We use cookies to improve what you see here, and you may refuse them.</p></div>
    <ol class="breadcrumb"><li><a href="/">Start</a></li><li><a href="/b">Branch</a></li></ol>`,
  after: `<div class="share-buttons"><a href="/f">Share on F</a></div>
    <section class="related-posts"><h3>Related posts</h3><ul><li><a href="/1">Another story</a></li></ul></section>
    <div><h4>You may also like</h4><div><a href="/2">A third story</a></div></div>
    <footer><p>© 2026 Site. All rights reserved.</p></footer>`,
};
const NOISE = /Skip to|Home|Shop|cookies|Branch|Share on|Another story|third story|rights reserved/;

const page = (body: string, head = "") =>
  `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>${AROUND.before}<main>${body}</main>${AROUND.after}</body></html>`;

test("an article is selected completely, and nothing else", () => {
  const body = `<article><h1>On tea</h1>${prose("tea", 4)}<h2>Leaves</h2><pre class="language-sh">boil water</pre>
    <table><tr><th>Kind</th><th>Minutes</th></tr><tr><td>Green</td><td>2</td></tr></table>${prose("leaves", 3)}</article>`;
  const { title, markdown } = extract(
    page(body, `<meta property="og:type" content="article"><title>On tea</title>`),
    { main: true },
  );
  expect(title).toBe("On tea");
  for (const [topic, count] of [
    ["tea", 4],
    ["leaves", 3],
  ] as const)
    for (let n = 1; n <= count; n++) expect(markdown).toContain(sentence(topic, n));
  expect(markdown).toContain("## Leaves");
  expect(markdown).toContain("```sh\nboil water\n```");
  expect(markdown).toMatch(/\| Green\s+\| 2\s+\|/);
  expect(markdown).not.toMatch(NOISE);
  expect(markdown).not.toContain("On tea");
});

test("parts of an article that look like asides remain if they are text; teasers are removed", () => {
  const teaser = (n: number) =>
    `<div class="widget-${n} banner"><a href="/${n}">Another story of the day with a long name</a> ${sentence("teasers", n)}
    <a href="/more">and more of the same, which is told elsewhere on these pages</a></div>`;
  const body = `<div class="text"><h1>On tea</h1>${prose("tea", 4)}<h2 class="banner-heading">Water</h2>${prose("water", 3)}
    <div class="banner">${sentence("wells", 1)}</div>${teaser(1)}${prose("leaves", 3)}${teaser(2)}</div>
    <div class="beside"><p>${sentence("weather", 1)}</p></div>`;
  const { markdown } = extract(page(body, `<meta property="og:type" content="article">`), { main: true });
  expect(markdown).toContain("## Water");
  expect(markdown).toContain(sentence("wells", 1));
  expect(markdown).not.toContain("teasers");
  expect(markdown).not.toContain("weather");
});

test("comments below an article are removed", () => {
  const body = `<article><h1>On tea</h1>${prose("tea", 5)}</article><div id="comments">${prose("coffee", 6)}</div>`;
  const { markdown } = extract(page(body, `<meta property="og:type" content="article">`), { main: true });
  expect(markdown).toContain(sentence("tea", 5));
  expect(markdown).not.toContain("coffee");
});

test("an article with questions is not a thread", () => {
  const faq = { "@type": "FAQPage", mainEntity: [{ "@type": "Question", name: "Why?" }] };
  const head = `<meta property="og:type" content="article"><script type="application/ld+json">${JSON.stringify(faq)}</script>`;
  const body = `<article><h1>On tea</h1>${prose("tea", 4)}</article><div id="comments">${prose("coffee", 9)}</div>`;
  const { markdown } = extract(page(body, head), { main: true });
  expect(markdown).toContain(sentence("tea", 4));
  expect(markdown).not.toContain("coffee");
});

test("a page of many sections retains all of them", () => {
  const topics = ["design", "building", "repair", "training"];
  const sections = topics.map(
    (topic) =>
      `<section class="block"><div><h2>Our ${topic}</h2>${prose(topic, 2)}<ul><li>${topic} one</li></ul></div></section>`,
  );
  const { markdown } = extract(page(sections.join("")), { main: true });
  for (const topic of topics) {
    expect(markdown).toContain(`## Our ${topic}`);
    expect(markdown).toContain(sentence(topic, 2));
    expect(markdown).toContain(`- ${topic} one`);
  }
  expect(markdown).not.toMatch(NOISE);
});

test("a listing retains its cards", () => {
  const cards = Array.from(
    { length: 12 },
    (_, i) =>
      `<li class="card"><a href="/p/${i}"><h3>Thing ${i}</h3></a><p>It is number ${i} and costs ${i} euros.</p></li>`,
  );
  const { markdown } = extract(page(`<h1>All things</h1><ul>${cards.join("")}</ul>`), { main: true });
  for (let i = 0; i < 12; i++) {
    expect(markdown).toContain(`### [Thing ${i}](https://example.com/p/${i})`);
    expect(markdown).toContain(`costs ${i} euros`);
  }
  expect(markdown).not.toMatch(NOISE);
});

test("a thread retains all posts, even if they are called comments", () => {
  const posts = Array.from(
    { length: 8 },
    (_, i) =>
      `<div class="comment" id="comment-${i}"><div class="user-info">Member ${i}, 12 posts</div><div class="body">${prose(`view${i}`, 1)}</div></div>`,
  );
  const { markdown } = extract(page(`<h1>Which kettle?</h1>${posts.join("")}`), {
    main: true,
    url: "https://forum.example.com/threads/which-kettle.12/",
  });
  for (let i = 0; i < 8; i++) expect(markdown).toContain(sentence(`view${i}`, 1));
  expect(markdown).not.toContain("12 posts");
});

test("a word that names the layout of a page removes nothing", () => {
  const widgets = Array.from(
    { length: 6 },
    (_, i) => `<div class="builder-widget widget">${prose(`topic${i}`, 2)}</div>`,
  );
  const { markdown } = extract(page(`<h1>Built</h1>${widgets.join("")}`), { main: true });
  for (let i = 0; i < 6; i++) expect(markdown).toContain(sentence(`topic${i}`, 2));
});

test("the whole body without selection", () => {
  const { markdown } = extract(page(prose("tea", 3)), { main: false });
  expect(markdown).toContain("All rights reserved");
  expect(markdown).toContain("[Shop](https://example.com/shop)");
  expect(markdown).toContain(sentence("tea", 3));
});

test("the text in <noscript> is used if a script renders the page", () => {
  const html = `<body><div id="root"></div><noscript><main>${prose("tea", 5)}</main></noscript><script>draw()</script></body>`;
  expect(extract(html, { main: true }).markdown).toContain(sentence("tea", 5));
});

test.each(["", "<html></html>", "<!doctype html>", "<body> </body>", "<frameset><frame src=x></frameset>"])(
  "%p has no text and causes no error",
  (html) => {
    expect(extract(html, { main: true }).markdown).toBe("");
  },
);

test("text outside of head and body is found", () => {
  for (const html of [
    "<p>a</p>",
    "<html><p>a",
    "<head></head><p>a",
    "<html><head></head><script>1</script><body><p>a",
    "a",
  ])
    expect(extract(html, { main: true }).markdown).toBe("a");
});

test("text that is repeated for each screen width is written once, a repeated paragraph remains", () => {
  const body = `<article><h1>On tea</h1><div class="wide">${prose("tea", 4)}</div><div class="narrow">${prose("tea", 4)}</div>
    <p>${sentence("refrains of the song about leaves and water and all that is boiled in it, at length", 1)}</p>${prose("leaves", 2)}
    <p>${sentence("refrains of the song about leaves and water and all that is boiled in it, at length", 1)}</p></article>`;
  const { markdown } = extract(page(body, `<meta property="og:type" content="article">`), { main: true });
  expect(markdown.split(sentence("tea", 2))).toHaveLength(2);
  expect(markdown.split("refrains of the song")).toHaveLength(3);
});

test("widgets of page builders remain if they are prose within the content", () => {
  const widget = (topic: string) =>
    `<div class="so-panel widget widget_editor"><p>${sentence(topic, 1)}</p></div>`;
  const body = `<h1>On tea</h1>${widget("water")}<div>${prose("tea", 5)}</div>${widget("leaves")}`;
  const { markdown } = extract(page(body), { main: true });
  expect(markdown).toContain(sentence("water", 1));
  expect(markdown).toContain(sentence("leaves", 1));
});
