// Raised and lowered text, formulas without TeX, numbers of lists, and breaks inside of inline elements.

import { expect, test } from "bun:test";
import { markdownOf } from "../page.ts";

test.each([
  ["10<sup>6</sup> litres", "10^6 litres"],
  ["10<sup>6</sup>8", "10^{6}8"],
  ["40 m<sup>2</sup>", "40 m²"],
  ["x<sup>n+1</sup>", "x^{n+1}"],
  ["2<sup>-3</sup>", "2^-3"],
  ["the 4<sup>th</sup> day", "the 4th day"],
  ["le XX<sup>e</sup> siècle, M<sup>me</sup> X", "le XX^e siècle, Mme X"],
  ["Acme<sup>TM</sup>, see<sup>*</sup>", "Acme<sup>TM</sup>, see<sup>*</sup>".replace(/<\/?sup>/g, "")],
  ["H<sub>2</sub>O, x<sub>i</sub>, log<sub>2</sub>8", "H2O, x_i, log_{2}8"],
  ["Run <code>first<br>second</code>.", "Run `first second`."],
  ["Mean <strong><br>loud<br></strong> here.", "Mean  \n**loud**  \nhere."],
  ["<b> bold </b>text", "**bold** text"],
])("%s", (html, markdown) => {
  expect(markdownOf(`<p>${html}</p>`)).toBe(markdown);
});

test("formulas of MathML become TeX", () => {
  const math = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> and <math><msqrt><mn>16</mn></msqrt></math>";
  expect(markdownOf(`<p>Half is ${math}.</p>`)).toBe("Half is $\\frac{1}{2}$ and $\\sqrt{16}$.");
});

test("items keep the numbers that the page gives them", () => {
  expect(markdownOf("<ol><li>a</li><li value=9>b</li><li>c</li></ol>")).toBe("1. a\n9. b\n10. c");
});

test("check boxes outside of lists are text", () => {
  expect(markdownOf("<p><input type=checkbox checked> done <input type=checkbox> open</p>")).toBe(
    "[x] done [ ] open",
  );
});
