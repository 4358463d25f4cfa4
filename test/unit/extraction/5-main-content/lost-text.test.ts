// Text that the selection of the main content must not lose: code, boxes, notes, posts, short sections and breaks.

import { expect, test } from "bun:test";
import { extract } from "../page.ts";

const PROSE = ["One", "Two", "Three"]
  .map(
    (name) =>
      `<p>${name}: the harbour office opens at seven and closes at six, and visitors register their boats there.</p>`,
  )
  .join("");
const article = (inner: string) =>
  `<main><article><h1>Rules</h1>${PROSE}${inner}${PROSE.replace(/office/g, "keeper")}</article></main>`;
const markdownOf = (body: string, title = "Harbour guide") =>
  extract(`<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`, {
    main: true,
  }).markdown;

test.each([
  [
    "overflow-hidden",
    '<div class="rounded overflow-hidden"><div><pre><code>npx winch init</code></pre></div></div>',
    "npx winch init",
  ],
  [
    "a list item with a box of code",
    '<ol><li><p>Create:</p><div class="group mt-2"><div class="highlight"><pre>mkdir winch</pre></div></div></li><li><p>Second.</p></li></ol>',
    "mkdir winch",
  ],
  ["card-footer", '<div class="card-footer"><p>The deposit is forty euros.</p></div>', "forty euros"],
  ["promo-code", '<div class="promo-code"><p>Code SPRING.</p></div>', "Code SPRING"],
  [
    "related-settings",
    '<div class="related-settings"><p>Related settings are in part two.</p></div>',
    "part two",
  ],
  ["share-permissions", '<div class="share-permissions"><p>Share the key with Kim.</p></div>', "with Kim"],
  ["sidebar-note", '<div class="sidebar-note"><p>Mind the rope.</p></div>', "Mind the rope"],
  [
    "an aside",
    "<aside><p>Caution</p><div><p>Never lift a boat with people aboard.</p></div></aside>",
    "Never lift a boat",
  ],
  [
    "an aside of Starlight",
    '<aside class="starlight-aside starlight-aside--caution"><p>Caution</p><div>Never lift a boat.</div></aside>',
    "Never lift a boat",
  ],
  [
    "a grid of cards",
    '<div class=grid><a href="/a"><h3>Moorings</h3><p>Where to tie up.</p></a><a href="/b"><h3>Cranes</h3><p>How boats are lifted.</p></a></div>',
    "Where to tie up.",
  ],
  [
    "a check box in a cell",
    "<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><input type=checkbox checked></td></tr></table>",
    "| x   | [x] |",
  ],
])("in an article, text in %s stays", (_name, html, text) => {
  expect(markdownOf(article(html))).toContain(text);
});

test("boxes about other things between paragraphs go", () => {
  const newsletter = '<div class="newsletter-box"><p>Get our letter each week in your post box.</p></div>';
  const teaser =
    '<div class="related-box"><p>Read also: <a href="/x">the story of the other harbour</a></p></div>';
  expect(markdownOf(article(newsletter + teaser))).not.toMatch(/letter each week|other harbour/);
});

test("what is before and after the steps of a how-to stays", () => {
  const step = (name: string) =>
    `<li>${name}: the harbour office opens at seven and closes at six on weekdays, and visitors register their boats there. Every boat needs a line on both sides.</li>`;
  const text = markdownOf(
    `<div><h1>Installing</h1><p>Take care of the rope before you begin.</p><ol>${["a", "b", "c", "d"].map(step).join("")}</ol><p>This ends the tutorial on the winch.</p></div>`,
  );
  expect(text).toContain("Take care of the rope");
  expect(text).toContain("This ends the tutorial");
});

test("a short section beside a long one stays", () => {
  const text = markdownOf(
    `<div><div class=a><h2>One</h2>${PROSE}${PROSE.replace(/office/g, "keeper")}</div><div class=b><h2>Gate</h2><p>The code of the gate is 7312.</p></div></div>`,
    "Gates",
  );
  expect(text).toContain("## Gate\n\nThe code of the gate is 7312.");
});

test("a heading whose words are in the title stays", () => {
  const text = markdownOf(
    `<h1>Three day trips</h1><h2>One</h2>${PROSE}<h2>Three</h2>${PROSE.replace(/office/g, "keeper")}`,
    "Three day trips",
  );
  expect(text).toContain("## Three");
});

test("two line breaks divide paragraphs, and one stays", () => {
  const text = markdownOf(
    `<h2>Contact</h2><div>Harbour office<br>East pier 4<br><br>Kim Olsen<br><br>Phone 555-0123<br><br>Storm warnings are posted at the kiosk before noon, and read aloud at six by the keeper of the light.</div>`,
  );
  expect(text).toContain("East pier 4\n\nKim Olsen\n\nPhone 555-0123\n\nStorm");
  expect(text).toContain("Harbour office  \nEast pier 4");
});

const LONG = PROSE.repeat(1);
test.each([
  ["comments that are all there is", '<div class="comment">', "</div>"],
  [
    "posts of Discourse",
    '<div itemprop="comment" class="topic-body crawler-post"><div class="post" itemprop="text">',
    "</div></div>",
  ],
  [
    "posts of Vanilla",
    '<li class="Item ItemComment"><div class="Comment"><div class="Message">',
    "</div></div></li>",
  ],
  ["posts of Invision", '<article class="ipsComment"><div class="ipsComment_content">', "</div></article>"],
  ["posts of bbPress", '<div class="type-reply"><div class="bbp-reply-content">', "</div></div>"],
  ["posts of Steam", '<div class="commentthread_comment">', "</div>"],
])("%s are a discussion: all of them stay", (_name, start, end) => {
  const posts = ["<p>My winch slips. How do I stop that?</p>", LONG, "<p>For me part W-77 was worn.</p>"];
  const text = markdownOf(
    `<div role=main><h1>Winch slips</h1>${posts.map((post) => start + post + end).join("")}</div>`,
    "Winch slips",
  );
  expect(text).toContain("My winch slips. How do I stop that?");
  expect(text).toContain("the harbour office opens");
  expect(text).toContain("W-77");
});

test("comments below an article stay out", () => {
  const comments = Array.from(
    { length: 4 },
    (_, i) => `<div class="comment"><p>Reader ${i} liked it.</p></div>`,
  ).join("");
  const head = '<meta property="og:type" content="article">';
  const html = `<!doctype html><html><head>${head}<title>Guide</title></head><body>${article("")}<div id=comments>${comments}</div></body></html>`;
  expect(extract(html, { main: true }).markdown).not.toContain("liked it");
});

test("a banner about cookies goes, also on a short page", () => {
  const banner =
    '<div id="consent-banner" class="cmp"><h2>We value your privacy</h2><p>We and our 812 partners store cookies on a device, and you may refuse them below.</p></div>';
  const text = markdownOf(
    `${banner}<div><h1>Tides</h1><p>High water at Norland is at 04:12 and 16:40 today, with 2.3 metres.</p></div>`,
    "Tide tables",
  );
  expect(text).toContain("High water");
  expect(text).not.toContain("812 partners");
});

test("paragraphs beside an article are counted if they are more than a tenth of its text", () => {
  const head = '<meta property="og:type" content="article"><title>Guide</title>';
  const page = (beside: string) =>
    extract(
      `<!doctype html><html><head>${head}</head><body>${article("")}<div>${beside}</div></body></html>`,
      {
        main: true,
      },
    );
  const teaser = (text: string) =>
    `<div><a href="/x">More</a><p>${text.repeat(12)} <a href="/y">Read</a></p></div>`;
  const { markdown, leftOut } = page(teaser("Another tale of boats. ") + teaser("A second tale of oars. "));
  expect(markdown).not.toContain("Another tale");
  expect(leftOut).toEqual([{ kind: "aside", count: 2 }]);
  expect(page("<p>Short.</p>").leftOut).toEqual([]);
});
