// Markdown documents from a seed: lines of every construct in any order, with any line ending.

// biome-ignore format: one line for each would be three screens
const LINES = [
  "", "", "", "a", "word word", "Two words. Then three more.", "# h", "## h #", "### [l](x) **b**", "===", "---",
  "***", "- a", "* b", "1. c", "2. d", "  - n", "    code", "\tcode", "> q", "> > r", "> # h", "> - x", "> ```", "```",
  "~~~", "```js", "| a | b |", "|---|---|", "| 1 | 2 |", "a|b", "-|-", "[a]: b", '[c]: d "t', 't"', '"title"', "[x",
  "y]: z", "<div>", "</div>", "<!--", "-->", "<b>", "<script>", "</script>", "  lazy", "   # h", "    # h", "-", "+",
  "1)", "- - - a", "> > > deep", ">", "- > q", "  > q", "\u00a0", "\f", "a\u2028# b", "- ```", "  ```", "      code",
  "日本語の文。次の文。", "👩‍👩‍👧‍👦 e\u0301", "nul\0nul", "long words and sentences. ".repeat(120), "x".repeat(3000), "𝒳".repeat(1300),
  "語".repeat(1000), "| c | d |\n".repeat(300), "- item of a list\n".repeat(200),
];

/** A generator of integers below `n`; the same seed gives the same ones (a linear congruential generator). */
export function randomFrom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A document of `lines` lines, made of a few of the constructs above. */
export function generateMarkdown(random: (n: number) => number, lines: number): string {
  const pick = <T>(from: readonly T[]) => from[random(from.length)]!;
  const ending = pick(["\n", "\r\n", "\r"]);
  const constructs = Array.from({ length: 3 + random(12) }, () => pick(LINES));
  const start = random(20) === 0 ? "\ufeff" : "";
  const body = Array.from({ length: lines }, () => pick(constructs) + (random(50) === 0 ? "\r\n" : ending));
  return start + body.join("");
}
