// Pages in the markup of documentation generators, with the Markdown that is expected of each: tabs with their names,
// code without line numbers, notes, tables, and nothing of the navigation.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf } from "../../../src/engine/extraction/anchors.ts";
import { extract, markdownOf } from "./page.ts";

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "sites");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

test.each([
  ["docusaurus", "Install the winch", ["Get the driver"], "get-the-driver"],
  ["gitbook", "Cranes", ["Lift a boat"], "lift-a-boat"],
  ["mdbook", "Buoys", ["Read a buoy with buoy"], "read-a-buoy"],
  ["mkdocs-material", "Mooring lines", ["Tie up"], "tie-up"],
  ["readme", "Book a berth", ["Before you book"], "before-you-book"],
  ["sphinx", "Winch API", ["Example"], "example"],
  ["starlight", "Pilots", ["Order a pilot"], "order-a-pilot"],
  ["vitepress", "Tides", ["Read the table", "Options 2.1+"], "options"],
])("a page of %s", (generator, title, headings, anchor) => {
  const page = extract(read(`${generator}.html`), { main: true });
  expect(page.title).toBe(title);
  expect(`${page.markdown}\n`).toBe(read(`${generator}.md`));
  expect(anchorOf(page.contentHtml ?? "", headings)).toBe(anchor);
});

test("a heading that occurs twice has the address of the one below the same headings", () => {
  const html = `<h2 id="a">Oars</h2><h3 id="a-use">Use</h3><h2 id="b">Sails</h2><h3 id="b-use">Use <em>it</em> &amp; more</h3>`;
  const { contentHtml } = extract(html);
  expect(anchorOf(contentHtml!, ["Sails", "Use it & more"])).toBe("b-use");
  expect(anchorOf(contentHtml!, ["Page", "Oars", "Use"])).toBe("a-use");
  expect(anchorOf(contentHtml!, ["Sails", "Anchor"])).toBeUndefined();
  expect(anchorOf("<h2 id=".repeat(100_000), ["x"])).toBeUndefined();
});

test("names and panels that do not fit each other stay as they are", () => {
  const tabs = `<div role="tablist"><button role="tab">First of all tabs with a long name</button></div>
    <div role="tabpanel">One.</div><div role="tabpanel">Two.</div>`;
  expect(markdownOf(tabs)).toContain("One.\n\nTwo.");
  const survey = `<p><input type="radio" id="y"><label for="y">Yes</label><input type="radio" id="n"><label for="n">No</label></p><p>See <a href="/a">a</a> and <a href="/b">b</a>.</p>`;
  expect(markdownOf(survey)).toContain("See [a](https://example.com/a) and [b](https://example.com/b).");
});

test("texts that only CSS separates do not become one word", () => {
  expect(markdownOf(`<p><span>He has nine boats.</span><span>Kim Olsen</span></p>`)).toBe(
    "He has nine boats. Kim Olsen",
  );
  expect(markdownOf(`<p><img src="/a.png" alt="A"><span>Kim</span></p>`)).toBe(
    "![A](https://example.com/a.png) Kim",
  );
  expect(markdownOf(`<p><span class="x">post</span><span class="y">https://a.example/</span></p>`)).toBe(
    "post https://a.example/",
  );
  expect(markdownOf(`<p><span class="x">Previous</span><b class="y">Guide</b></p>`)).toBe(
    "Previous **Guide**",
  );
  // One word of several elements.
  expect(
    markdownOf(
      `<p><span>winch.</span><span>Drum</span>, <b>Mac</b><i>Intosh</i>, <span>get</span><wbr><span>Value</span></p>`,
    ),
  ).toBe("winch.Drum, **Mac***Intosh*, getValue");
});
