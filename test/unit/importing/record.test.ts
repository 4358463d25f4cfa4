// Titles and tags of Markdown files.

import { expect, test } from "bun:test";
import { recordOf } from "../../../src/importing/record.ts";

const read = async (text: string) =>
  (await recordOf({ name: "file.md", text, readPart: () => "" }, [])).fields;

test("titles and tags are the text as it was written", async () => {
  const { title, tags } = await read("---\ntitle: 3.10\ntags: [3.10, 007, 1e3, true]\n---\nx");
  expect([title, tags]).toEqual(["3.10", ["3.10", "007", "1e3", "true"]]);
  expect((await read("---\ntitle: 0042\n---\nx")).title).toBe("0042");
});

test.each([
  ["---\npermalink: p\n---\n\n---\nname: note\n---\n\n# Real\n", "Real"],
  ["\n\n---\ntitle: Late\n---\n\n# Real\n", "Real"],
  ["---yaml\ntitle: Named\ntags:\n  - a\n---\n# Real\n", "Real"],
  ["Text\n---\n\n# Real\n", "file"],
])("a block of members that is not front matter is not the title: %j", async (text, title) => {
  expect((await read(text)).title).toBe(title);
});
