// 48 kinds of hostile text: characters that are hard to store or to show, and structures that are slow to read.

export interface HostileText {
  name: string;
  /** Text of about this many UTF-16 units. */
  make(size: number): string;
  /** It cannot be stored byte for byte, so that the API must reject it. */
  isRejected?: boolean;
}

const fill = (part: string, size: number) => part.repeat(Math.ceil(size / part.length));
const codes = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join("");

/** Text that repeats a part. */
const repeating = (name: string, part: string): HostileText => ({ name, make: (size) => fill(part, size) });
/** Text with a start before the repeated part, and an end. */
const framed = (name: string, [start, part, end]: readonly [string, string, string]): HostileText => ({
  name,
  make: (size) => start + fill(part, size) + end,
});
const nested = (name: string, [open, close]: readonly [string, string]): HostileText => ({
  name,
  make: (size) => {
    const depth = Math.ceil(size / (open.length + close.length));
    return `${open.repeat(depth)}x${close.repeat(depth)}`;
  },
});

export const HOSTILE_TEXTS: readonly HostileText[] = [
  // Characters.
  repeating("control characters", `a${codes(1, 8)}b${codes(14, 31)}c\x7f `),
  repeating("C1 controls", `a${codes(0x80, 0x9f)} `),
  repeating("NUL", "a\0b\0\0 word\n\n"),
  repeating(
    "bidirectional overrides",
    "\u202Eevil\u202C \u2066left\u2069 \u2067right\u2069 \u061C\u200E\u200F ",
  ),
  repeating("stacked combining marks", `o${"\u0336\u0301\u0308\u20DD".repeat(30)} `),
  repeating("zero width characters", "w\u200Bo\u200Cr\u200Dd\u2060 \u00AD\uFEFF"),
  repeating("noncharacters", "a\uFFFE\uFFFF\uFDD0\uFDEF\u{1FFFE}\u{10FFFF} "),
  framed("byte order marks", ["\uFEFF", "\uFEFF word \uFFFD\uFFFD ", "\uFEFF"]),
  repeating("private use", "\uE000\uF8FF\u{F0000}\u{10FFFD} word "),
  repeating("emoji joined with ZWJ", "👩‍👩‍👧‍👦👨🏿‍🚀🏴‍☠️ "),
  repeating("half flags", "🇩🇪🇩🇪🇩 🇦 "),
  repeating("variation selectors", "a\uFE0F\uFE0E\u{E0100} "),
  repeating("tag characters", `🏴${codes(0xe0061, 0xe007a)}\u{E007F} `),
  repeating("right to left", "שלום עולם. مرحبا بالعالم! ١٢٣ abc 123 "),
  repeating("scripts without spaces", "ภาษาไทยไม่มีช่องว่าง日本語の文章には空白がない中文没有空格"),
  repeating("decomposed Hangul", "\u1112\u1161\u11AB\u1100\u1173\u11AF "),
  repeating("normalisation collisions", "\u00E9 e\u0301 \u212B \u00C5 A\u030A \uFB01 fi \u2126 \u03A9 "),
  repeating("case that changes length", "İI ıi ßẞSS ŉ ǰ ΐ ﬃ Σσς "),
  repeating("compatibility expansions", "\uFDFA\u3300\u33FF\u2167 "),
  repeating("line separators", "one\u2028two\u2029three\u0085four\rfive\r\nsix\vseven\feight\n"),
  {
    name: "lone surrogates",
    make: (size) => fill("a\uD800b\uDFFFc ", size),
    isRejected: true,
  },
  // Length.
  repeating("one token", "a"),
  repeating("one line", "Some words of one line "),
  repeating("one-letter paragraphs", "a\n\n"),
  repeating("blank lines", "\n"),
  framed("spaces", ["a", " ", "b"]),
  framed("tabs", ["a", "\t", "b"]),
  repeating("digits", "1234567890"),
  repeating("base64", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"),
  // Markdown and HTML.
  framed("nested quotes", ["", ">", " deep\n"]),
  { name: "nested lists", make: (size) => staircase(size) },
  nested("nested brackets", ["[", "]"]),
  framed("links that never end", ["", "](", ""]),
  framed("an open fence", ["```js\n", "let a = 1;\n", ""]),
  repeating("fences in fences", "````\n```\n~~~\n"),
  repeating("marks", "*a_ **b__ `c ~~d "),
  { name: "table columns", make: (size) => `${fill("|a", size / 2)}|\n${fill("|-", size / 2)}|\n` },
  framed("table rows", ["| a | b |\n|---|---|\n", "| cell | other |\n", ""]),
  nested("nested HTML", ["<div>", "</div>"]),
  framed("an open comment", ["<!--", " <b> ", ""]),
  repeating("active HTML", '<script>pwned=1</script><img src=x onerror="pwned=1"><svg onload=pwned=1>\n\n'),
  repeating("entities", "&#x0;&amp;amp;&#xD800;&notanentity;&#99999999; "),
  repeating("headings", "# h\n## h\n###### h\n"),
  repeating("link definitions", '[a]: b "c\n[b]: <d\n'),
  // Other languages.
  { name: "a YAML bomb", make: (size) => `${YAML_BOMB}\n${fill("after the bomb ", size)}` },
  framed("ReDoS strings", [
    "",
    `${"a".repeat(200)}! ${"x ".repeat(100)}= ${"a@".repeat(100)} ${"0.".repeat(99)}x\n\n`,
    "",
  ]),
  nested("nested JSON", ['{"a":[', "]}"]),
  repeating(
    "queries and placeholders",
    "\"' OR 1=1;-- NEAR(a b, 5) * ^ - {a}:b %s %n $\u007bname} [[x]] [[0]] {{y}}\n\n",
  ),
];

const YAML_BOMB = `---\na: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefghi"]
  .map((name, index) => {
    const before = String.fromCharCode("a".charCodeAt(0) + index);
    return `${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`;
  })
  .join("\n")}\n---`;

function staircase(size: number): string {
  const depth = Math.min(400, Math.ceil(Math.sqrt(size)));
  const steps = Array.from({ length: depth }, (_, index) => `${"  ".repeat(index)}- item\n`).join("");
  return fill(`${steps}lazy\n`, size);
}

/** The questions of a text: its beginning, as a person could paste it, without what a query must not contain. */
export function sampleOf(text: string): string {
  const sample = text.replaceAll("\0", "").trim().slice(0, 60).toWellFormed().trim();
  return sample === "" ? "word" : sample;
}

const WORDS = "kettle water boils pressure valve turbine weight maximum who invented when where".split(" ");

/** Questions that are built to be slow, each at most 4,000 characters. */
export const SLOW_QUESTIONS: readonly [string, string][] = [
  ["one letter", "a"],
  ["one token", "a".repeat(4_000)],
  ["letters", fill("a b c d e f ", 4_000).slice(0, 4_000)],
  ["stop words", fill("the of and to in is it that ", 4_000).slice(0, 4_000)],
  [
    "different words",
    Array.from({ length: 500 }, (_, index) => `word${index}`)
      .join(" ")
      .slice(0, 4_000),
  ],
  ["many questions", fill("Who invented the kettle? ", 4_000).slice(0, 4_000)],
  ["one long question", `${fill(`${WORDS.join(" and ")} and `, 3_900)}what?`.slice(0, 4_000)],
  ["brackets", "[".repeat(4_000)],
  ["quotes", '"'.repeat(4_000)],
  ["wildcards", "%_*?".repeat(1_000)],
  ["digits", "1".repeat(4_000)],
  ["numbers", fill("1.5 kg, 20 %, 1,000 bar; ", 4_000).slice(0, 4_000)],
  ["combining marks", `o${"\u0301".repeat(3_999)}`],
  ["emoji", fill("👩‍👩‍👧‍👦", 4_000).slice(0, 3_999).toWellFormed()],
  ["CJK", "日本語の文".repeat(800)],
  ["ReDoS", `${"a".repeat(2_000)}!${"x ".repeat(900)}=`],
  ["commas", ",".repeat(4_000)],
  ["newlines", `a${"\n".repeat(3_990)}b`],
  ["negations", fill("not no never without ", 4_000).slice(0, 4_000)],
  ["comparisons", fill("is A more than B or less than C ", 4_000).slice(0, 4_000)],
];
