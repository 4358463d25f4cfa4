// Pages without the tags that the HTML standard allows to omit.

import { expect, test } from "bun:test";
import { extractPage } from "../../../../src/engine/extraction/extract.ts";

const TEXT = "The kettle whistles when the water boils, and so we know that it is hot enough.";
const META = '<meta name="author" content="Ada">';

test.each([
  [
    "nothing left out",
    `<!doctype html><html><head><title>Kettles</title>${META}</head><body><p>${TEXT}</p></body></html>`,
  ],
  [
    "no body tag",
    `<!doctype html><html lang="en"><head><title>Kettles</title>${META}</head><p>${TEXT}</p></html>`,
  ],
  ["no head tag", `<html><title>Kettles</title>\n${META}<body><p>${TEXT}</p></body></html>`],
  ["neither", `<!doctype html>\n<html><title>Kettles</title>${META}<article><p>${TEXT}</p></article></html>`],
  [
    "no html tag",
    `<!-- made by hand -->\n<head><title>Kettles</title>${META}</head><body><p>${TEXT}</p></body>`,
  ],
  ["none of them", `<!doctype html><meta charset=utf-8><title>Kettles</title>${META}<p>${TEXT}`],
  ["a head that never ends", `<html><head><title>Kettles</title>${META}<p>${TEXT}</p></html>`],
])("%s", (_name, html) => {
  for (const onlyMainContent of [true, false]) {
    const body = new TextEncoder().encode(html);
    const page = extractPage({
      body,
      contentType: "text/html",
      url: "https://kettles.example/",
      onlyMainContent,
    });
    expect([page.title, page.markdown, page.metadata.byline]).toEqual(["Kettles", TEXT, "Ada"]);
  }
});
