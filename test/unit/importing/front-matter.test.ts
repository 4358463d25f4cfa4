// Front matter: whatever is written is read back unchanged, and text that only looks like front matter stays text.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { readFrontMatter, writeFrontMatter } from "../../../src/importing/front-matter.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "no",
    "1e3",
    "2024-01-02",
    "null",
    "~",
    "a: b",
    "# x",
    "'",
    '"',
    "- x",
    "\r\n",
    "\t",
    "🫖",
    "---",
    "x\n---\ny",
    " x ",
  ),
);
const json = fc.jsonValue({ depthSize: "small" }).map((value) => JSON.parse(JSON.stringify(value)));
/** Exact as a double, but written with other digits. */
const large = fc.constantFrom(2 ** 53, 2 ** 64, -(2 ** 63), 1e21, 1e300);
const members = fc.dictionary(
  fc.oneof(text, fc.constantFrom("title", "1", "true", "__proto__")),
  fc.oneof(text, json, large),
  { maxKeys: 6, noNullPrototype: true },
);

test("members and body come back as they were written", () => {
  fc.assert(
    fc.property(
      members,
      fc.oneof(text, fc.constantFrom("---\na: b\n---\n", "\n\n", "a\r\n", "")),
      (given, body) => {
        const read = readFrontMatter(writeFrontMatter({ ctxrepo: 1, ...given }, body));
        expect(read).toEqual({ members: { ctxrepo: 1, ...given }, body });
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ["text", "text"],
  ["---\n", "---\n"],
  ["--- \n\n---\n", "--- \n\n---\n"],
  ["a\n---\nb: c\n---\n", "a\n---\nb: c\n---\n"],
  ["+++\ntitle\n", "+++\ntitle\n"],
  ["{\nnot JSON\n}\n", "{\nnot JSON\n}\n"],
])("%j has no front matter", (given, body) => {
  expect(readFrontMatter(given)).toEqual({ members: undefined, body });
});

test.each([
  ["---\na: 1\n---", { a: 1 }, ""],
  ["---\r\na: x\r\n---\r\nbody\r\n", { a: "x" }, "body\r\n"],
  ["---\n# only a comment\n---\nbody", {}, "body"],
  [
    "---\nbig: 12345678901234567890\npower: 18446744073709551616\nsmall: 7\ninf: .inf\nhex: 0x10\n---\n",
    { big: "12345678901234567890", power: "18446744073709551616", small: 7, inf: ".inf", hex: "0x10" },
    "",
  ],
  [
    "---\na: 3.10\nb: 0042\nc: 1e3\nd: 1.5\ne: 12\nf: 0e12345\n---\n",
    { a: "3.10", b: "0042", c: "1e3", d: 1.5, e: 12, f: "0e12345" },
    "",
  ],
  [
    '+++\ntitle = "Pear: slow"\ndate = 2023-04-14\nn = 3\n+++\nbody\n',
    { title: "Pear: slow", date: "2023-04-14", n: 3 },
    "body\n",
  ],
  ["+++\r\ndraft = true\r\n+++\r\nbody\r\n", { draft: true }, "body\r\n"],
  ['{\n  "title": "Json"\n}\nbody\n', { title: "Json" }, "body\n"],
  ["---\na: &x [1]\nb: *x\n---\n", { a: [1], b: [1] }, ""],
  ["---\n1: one\ntrue: yes\n---\n", { "1": "one", true: "yes" }, ""],
])("%j is read", (given, members, body) => {
  expect(readFrontMatter(given)).toEqual({ members, body });
});

test.each([
  ["---\n- a list\n---\n"],
  ["---\na: [\n---\n"],
  ["---\na: 1\na: 2\n---\n"],
  [
    `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n---\n`,
  ],
])("%j is kept as text, with the reason", (given) => {
  const { members, body, problem } = readFrontMatter(given);
  expect([members, body]).toEqual([undefined, given]);
  expect(problem).toMatch(/^the front matter is kept as text: .*[^:]$/);
});

test("TOML that cannot be read stays in the text, and a message says so", () => {
  const text = "+++\ntitle = \n+++\nbody";
  expect(readFrontMatter(text)).toEqual({
    members: undefined,
    body: text,
    problem: expect.stringContaining("the front matter (TOML) is kept as text"),
  });
});
