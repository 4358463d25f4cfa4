import { expect, test } from "bun:test";
import { parseMediaType } from "../../../src/http/media-type.ts";

test.each<[string, string, [string, string][]]>([
  ["text/plain", "text/plain", []],
  [" Text/HTML ;Charset=UTF-8", "text/html", [["charset", "UTF-8"]]],
  ["a/b; ;c=d;;", "a/b", [["c", "d"]]],
  [
    'a/b; c="d;e, \\"f\\\\"; g=h',
    "a/b",
    [
      ["c", 'd;e, "f\\'],
      ["g", "h"],
    ],
  ],
  ['a/b;c=""', "a/b", [["c", ""]]],
  [
    "a/b;c=1;c=2",
    "a/b",
    [
      ["c", "1"],
      ["c", "2"],
    ],
  ],
])("%s", (header, type, parameters) => {
  expect(parseMediaType(header)).toEqual({ type, parameters });
});

test.each([
  "",
  " ",
  "a",
  "a/",
  "/b",
  "a /b",
  "a/b c",
  "a/b;c",
  "a/b;c=",
  "a/b;c =d",
  "a/b;=d",
  'a/b;c="d',
  'a/b;c="d"e',
  "a/b,c/d",
  "ä/b",
])("%j is malformed", (header) => {
  expect(parseMediaType(header)).toBeUndefined();
});
