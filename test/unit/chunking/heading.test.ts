// The plain text of headings.

import { expect, test } from "bun:test";
import { headingText } from "../../../src/engine/chunking/heading.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { utf8Length } from "../../../src/kernel/text.ts";

function plain(source: string): string {
  return headingText(`before\n\n${source}\n\nafter`, { start: 8, end: 8 + source.length });
}

test.each([
  ["# Plain", "Plain"],
  ["   ###   Indented   ###   ", "Indented"],
  ["#\tTab", "Tab"],
  ["#", ""],
  ["## ##", ""],
  ["# C# and F#", "C# and F#"],
  ["# Escaped \\# \\*literally\\*", "Escaped # *literally*"],
  ["# **Bold**, *em*, ~~gone~~ and __more__ _of_ it", "Bold, em, gone and more of it"],
  ["# snake_case and 2 * 3", "snake_case and 2 * 3"],
  ["# Call `a_b(*c)` twice", "Call a_b(*c) twice"],
  [
    "# A [link](http://x.y/a_(b) 'title'), a [reference][r] and ![a picture](p.png)",
    "A link, a reference and a picture",
  ],
  ["# [![badge](x)](y) Name", "badge Name"],
  ["# [1.0.0] - 2026-01-31", "[1.0.0] - 2026-01-31"],
  ["# <a name='x'></a>Anchor &amp; &copy; a < b", "Anchor & © a < b"],
  ["# <https://x.y/z>", "https://x.y/z"],
  ["Underlined *twice*\n  over\n======", "Underlined twice over"],
  ["Underlined\r\n---", "Underlined"],
])("%j reads %j", (source, text) => {
  expect(plain(source)).toBe(text);
});

test("a heading is at most as long as a title", () => {
  const text = plain(`# ${"日".repeat(100_000)}`);
  expect(text).toBe("日".repeat(Math.floor(LIMITS.title.bytes / 3)));
  expect(utf8Length(text)).toBeLessThanOrEqual(LIMITS.title.bytes);
});
