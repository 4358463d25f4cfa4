// The kind of a body and how it is decoded: header, byte order mark, declaration in the page, the bytes themselves.

import { expect, test } from "bun:test";
import { ExtractionError } from "../../../../src/engine/extraction/errors.ts";
import { extractPage } from "../../../../src/engine/extraction/extract.ts";
import { bytes, URL_OF_PAGE } from "../page.ts";

function read(body: Uint8Array | string, contentType: string, url = URL_OF_PAGE) {
  return extractPage({
    body: typeof body === "string" ? bytes(body) : body,
    contentType,
    url,
    onlyMainContent: false,
  });
}

function codeOf(body: Uint8Array | string, contentType: string): string {
  try {
    read(body, contentType);
  } catch (error) {
    if (error instanceof ExtractionError) return error.code;
    throw error;
  }
  return "none";
}

/** "Привет", "日本語" and "中文" as the encodings write them. */
const RUSSIAN = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];
const JAPANESE = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea];
const CHINESE = [0xd6, 0xd0, 0xce, 0xc4];

const paragraph = (head: string, text: number[]) =>
  new Uint8Array([...bytes(`<html><head>${head}</head><p>`), ...text, ...bytes("</p>")]);

test.each([
  ["windows-1251", RUSSIAN, "Привет"],
  ["shift_jis", JAPANESE, "日本語"],
  ["gbk", CHINESE, "中文"],
])("%s from the header, from meta charset and from http-equiv", (charset, text, expected) => {
  expect(read(paragraph("", text), `text/html; charset="${charset}"`).markdown).toBe(expected);
  expect(read(paragraph(`<meta charset=${charset}>`, text), "text/html").markdown).toBe(expected);
  const meta = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;
  expect(read(paragraph(meta, text), "text/html").markdown).toBe(expected);
});

test("a byte order mark wins over the header", () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes("<p>é</p>")]);
  expect(read(marked, "text/html; charset=windows-1251").markdown).toBe("é");
  const wide = new Uint8Array([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array([..."<p>é"].map((c) => c.charCodeAt(0))).buffer),
  ]);
  expect(read(wide, "text/html").markdown).toBe("é");
});

test("without a declaration UTF-8 is tried, then windows-1252; unknown charsets are ignored", () => {
  expect(read("<p>é – 日本</p>", "text/html").markdown).toBe("é – 日本");
  expect(read(new Uint8Array([...bytes("<p>caf"), 0xe9, ...bytes("</p>")]), "text/html").markdown).toBe(
    "café",
  );
  expect(read("<p>é</p>", "text/html; charset=klingon").markdown).toBe("é");
});

test("XHTML is read as HTML", () => {
  const page = `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>a</p></body></html>`;
  expect(read(page, "application/xhtml+xml").markdown).toBe("a");
});

test("plain text is unchanged; its title is the first line or from the address", () => {
  expect(read("First line\r\n\r\nsnake_case *x*\n", "text/plain")).toEqual({
    title: "First line",
    markdown: "First line\n\nsnake_case *x*",
    contentHtml: null,
    rawHtml: null,
    metadata: {},
    leftOut: [],
  });
  expect(read("x".repeat(300), "text/plain", "https://example.com/notes/my%20file.txt").title).toBe(
    "my file.txt",
  );
});

test("the title of Markdown is from front matter, first heading or address", () => {
  const text = `---\ntitle: "Named"\n---\n\n# Heading\n\ntext`;
  expect(read(text, "text/markdown; charset=utf-8")).toMatchObject({
    title: "Named",
    markdown: "# Heading\n\ntext",
    contentHtml: null,
  });
  expect(read("```\n# no\n```\n\n## A *b* ##\n", "text/markdown").title).toBe("A b");
  expect(read("~~~\n# no\n```\n~~~\nA *b*\n===\n# c", "text/markdown").title).toBe("A b");
  expect(read("#  C#  \n", "text/markdown").title).toBe("C#");
  expect(read("text", "text/markdown", "https://example.com/a/readme.md").title).toBe("readme.md");
});

test("without a type the text decides", () => {
  expect(read("<!doctype html><p>a", "").markdown).toBe("a");
  expect(read("a < b", "").markdown).toBe("a < b");
  expect(codeOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "")).toBe("NOT_TEXT");
});

test.each(["application/json", "application/pdf", "image/png", "text/css", "video/mp4"])(
  "%s is rejected",
  (type) => {
    expect(codeOf("{}", type)).toBe("UNSUPPORTED_CONTENT_TYPE");
  },
);

test("bytes that are not text are rejected with any header", () => {
  expect(codeOf(new Uint8Array([1, 2, 3, 0, 4, 5]), "text/html")).toBe("NOT_TEXT");
});

test("more than 20 MB are rejected", () => {
  expect(codeOf(new Uint8Array(20 * 1024 * 1024 + 1), "text/html")).toBe("TOO_LARGE");
});

test("the page as fetched is returned with the clean HTML", () => {
  const page = `<p onclick="x()" style="color:red">a <b>b</b><script>c</script></p>`;
  expect(read(page, "text/html")).toMatchObject({
    rawHtml: page,
    contentHtml: "<p>a <strong>b</strong></p>",
  });
});

test("a Markdown page loses its front matter, and its addresses become absolute", () => {
  const page =
    "---\ntitle: Winch guide\ndescription: 'How to oil...'\ntags: [winch]\n---\n# Intro\n\n[oil](../oil.md) ![w](img/w.png) [in](#part) [x](https://x.test/a)\n\n```\n[code](a.md)\n```\n";
  const { title, markdown, metadata } = read(
    page,
    "text/markdown",
    "https://example.com/docs/guide/winch.md",
  );
  expect([title, metadata]).toEqual(["Winch guide", { excerpt: "How to oil..." }]);
  const tagsOf = (front: string) => read(`---\n${front}\n---\nText`, "text/markdown").tags;
  expect(tagsOf('tags: [winch, "#oil", "x y"]')).toEqual(["winch", "oil", "x y"]);
  expect(tagsOf("tags: winch, oil\ntitle: A")).toEqual(["winch", "oil"]);
  expect(tagsOf("tags:\n  - winch\n- 'oil'\ntitle: A")).toEqual(["winch", "oil"]);
  expect([tagsOf("title: A"), tagsOf("tags: []")]).toEqual([[], []]);
  expect(markdown).toBe(
    "# Intro\n\n[oil](https://example.com/docs/oil.md) ![w](https://example.com/docs/guide/img/w.png) [in](#part) [x](https://x.test/a)\n\n```\n[code](a.md)\n```",
  );
  expect(read("---\n\nText\n\n---\n", "text/markdown").markdown).toBe("---\n\nText\n\n---");
});
