// Tables: data become GFM tables with cells of one line, layouts become their content.

import { expect, test } from "bun:test";
import { markdownOf } from "../page.ts";

const lines = (html: string) =>
  markdownOf(html)
    .split("\n")
    .map((line) => line.replace(/ +/g, " "));

test("cells are one line, with <br> between blocks and escaped pipes", () => {
  const html = `<table><tr><th>A</th><th>B</th></tr><tr><td><p>one</p><p>two</p></td><td>a|b<br>c</td></tr>
    <tr><td><ul><li>x</li><li>y</li></ul></td><td><code>p|q</code></td></tr></table>`;
  expect(lines(html)).toEqual([
    "| A | B |",
    "| --- | --- |",
    "| one<br>two | a\\|b<br>c |",
    "| x<br>y | `p\\|q` |",
  ]);
});

test("a table without a heading row has an empty one", () => {
  expect(lines("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>")).toEqual([
    "| | |",
    "| --- | --- |",
    "| a | b |",
    "| c | d |",
  ]);
});

test("spans are filled, short rows too", () => {
  const html = `<table><tr><th colspan="2">AB</th><th>C</th></tr><tr><td rowspan="2">a</td><td>b</td><td>c</td></tr><tr><td>d</td></tr></table>`;
  expect(lines(html)).toEqual(["| AB | | C |", "| --- | --- | --- |", "| a | b | c |", "| | d | |"]);
});

test("a caption precedes its table, alignment is preserved", () => {
  const html = `<table><caption>Prices</caption><thead><tr><th>Name</th><th align="right">Price</th></tr></thead>
    <tbody><tr><td>Tea</td><td style="text-align: right">2</td></tr></tbody></table>`;
  expect(lines(html)).toEqual(["Prices", "", "| Name | Price |", "| --- | ---: |", "| Tea | 2 |"]);
});

test("layout tables become their content", () => {
  const html = `<table role="presentation"><tr><td><h2>Left</h2><p>a</p></td><td><p>b</p></td></tr></table>`;
  expect(markdownOf(html)).toBe("## Left\n\na\n\nb");
  expect(markdownOf("<table><tr><td><p>only</p><p>one</p></td></tr></table>")).toBe("only\n\none");
});

test("a table in a data cell becomes text of that cell", () => {
  const html = `<table><tr><th>A</th><th>B</th></tr><tr><td>a</td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>`;
  expect(lines(html)).toEqual(["| A | B |", "| --- | --- |", "| a | x<br>y |"]);
});
