// Limits the depth and the size of a page before it is parsed: parser and scoring need quadratic time on deep trees.
// Tags are recognized as the parser does.

import { ExtractionError } from "../errors.ts";

/** Readability needs 10 s for 1,000 nested divs. */
const MAX_DEPTH = 256;
const MAX_NODES = 200_000;

const VOID = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
);
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "noembed", "noframes", "iframe"]);

const P = ["p"];
const CELLS = ["thead", "th", "td"];
/** Start tags that close the element on top of the stack, as in htmlparser2. */
const IMPLIED_END_TAGS = new Map<string, readonly string[]>([
  ["tr", ["tr", "th", "td"]],
  ["th", ["th"]],
  ["td", CELLS],
  ["li", ["li"]],
  ["option", ["option"]],
  ["optgroup", ["optgroup", "option"]],
  ["dt", ["dt", "dd"]],
  ["dd", ["dt", "dd"]],
  ["tbody", ["thead", "tbody"]],
  ["tfoot", ["thead", "tbody"]],
  ...(
    "p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header " +
    "hr main nav ol pre section table ul"
  )
    .split(" ")
    .map((name) => [name, P] as const),
]);

const TAG = /<(?:(!--)|(\/?)([a-zA-Z][^\s/>]*))/g;

/**
 * Removes all tags below a depth of 256 but not their text. Other pages are returned unchanged. Throws ExtractionError
 * TOO_MANY_NODES above 200,000 tags.
 */
export function flattenDeepNesting(page: string): string {
  const html = withoutStraySigns(page);
  const stack: string[] = [];
  const kept: string[] = [];
  let keptTo = 0;
  const skipped = new Map<string, number>();
  let nodes = 0;
  const remove = (from: number, to: number) => {
    if (from > keptTo || kept.length === 0) kept.push(html.slice(keptTo, from));
    keptTo = to;
  };
  TAG.lastIndex = 0;
  for (let match = TAG.exec(html); match; match = TAG.exec(html)) {
    nodes += 1;
    if (nodes > MAX_NODES)
      throw new ExtractionError(
        "TOO_MANY_NODES",
        `it has more than ${MAX_NODES.toLocaleString("en")} elements`,
      );
    if (match[1]) {
      const end = html.indexOf("-->", match.index + 4);
      TAG.lastIndex = end < 0 ? html.length : end + 3;
      continue;
    }
    const name = match[3]!.toLowerCase();
    const { end, selfClosing } = endOfTag(html, TAG.lastIndex);
    TAG.lastIndex = end;
    if (match[2]) {
      const open = skipped.get(name) ?? 0;
      if (open > 0) {
        skipped.set(name, open - 1);
        remove(match.index, end);
        continue;
      }
      const depth = stack.lastIndexOf(name);
      if (depth >= 0) stack.length = depth;
      continue;
    }
    const closed = IMPLIED_END_TAGS.get(name);
    while (closed?.includes(stack.at(-1) ?? "")) stack.pop();
    if (VOID.has(name) || selfClosing) continue;
    if (RAW.has(name)) {
      TAG.lastIndex = endOfRaw(html, name, end);
      continue;
    }
    if (stack.length >= MAX_DEPTH) {
      skipped.set(name, (skipped.get(name) ?? 0) + 1);
      remove(match.index, end);
    } else stack.push(name);
  }
  return keptTo === 0 ? html : kept.join(" ") + html.slice(keptTo);
}

/** The parser creates a text node for every `<` that is not part of a tag. */
const MAX_STRAY_SIGNS = 10_000;

function withoutStraySigns(html: string): string {
  const stray = /<(?![a-zA-Z/!?])/g;
  let found = 0;
  while (found <= MAX_STRAY_SIGNS && stray.test(html)) found++;
  return found <= MAX_STRAY_SIGNS ? html : html.replace(stray, "&lt;");
}

/** The position after the `>` of a tag whose name ends at `from`; quoted attribute values may contain `>`. */
function endOfTag(html: string, from: number): { end: number; selfClosing: boolean } {
  let quote = 0;
  let afterEquals = false;
  for (let i = from; i < html.length; i++) {
    const char = html.charCodeAt(i);
    if (quote) {
      if (char === quote) quote = 0;
    } else if (char === 0x3e)
      return { end: i + 1, selfClosing: html.charCodeAt(i - 1) === 0x2f && isForeign(html, from) };
    else if ((char === 0x22 || char === 0x27) && afterEquals) quote = char;
    if (char > 0x20) afterEquals = char === 0x3d;
  }
  return { end: html.length, selfClosing: false };
}

/** Only SVG and MathML elements can be self-closing; `<div/>` is a start tag. */
function isForeign(html: string, nameEnd: number): boolean {
  return /<(?:path|circle|rect|g|use|line|polygon|polyline|ellipse|stop|svg|m[a-z]+)$/i.test(
    html.slice(Math.max(0, nameEnd - 12), nameEnd),
  );
}

function endOfRaw(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}
