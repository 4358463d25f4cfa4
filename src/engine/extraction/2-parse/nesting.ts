// Keeps a page's tree shallow and small before anyone builds it: parsers and scorers need quadratic time on deep trees.
// It reads tags the way the parser does and knows nothing of their meaning.

import { ExtractionError } from "../errors.ts";

/** 1,000 nested divs cost Readability 10 s. */
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
/** Start tags that end the element on top of the stack, as in htmlparser2's table of implied ends. */
const ENDS = new Map<string, readonly string[]>([
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
 * The page with every tag below a depth of 256 left out and its text kept. Pages that are not that deep come back as they
 * are. Throws ExtractionError TOO_MANY_NODES above 200,000 tags and texts.
 */
export function flattenDeepNesting(page: string): string {
  const html = withoutStraySigns(page);
  const stack: string[] = [];
  const kept: string[] = [];
  let keptTo = 0;
  const skipped = new Map<string, number>();
  let nodes = 0;
  const leaveOut = (from: number, to: number) => {
    if (from > keptTo || kept.length === 0) kept.push(html.slice(keptTo, from));
    keptTo = to;
  };
  TAG.lastIndex = 0;
  for (let match = TAG.exec(html); match; match = TAG.exec(html)) {
    nodes += 1;
    if (nodes > MAX_NODES)
      throw new ExtractionError("TOO_MANY_NODES", `the page has more than ${MAX_NODES} nodes`);
    if (match[1]) {
      const end = html.indexOf("-->", match.index + 4);
      TAG.lastIndex = end < 0 ? html.length : end + 3;
      continue;
    }
    const name = match[3]!.toLowerCase();
    const { end, selfClosing } = endOfTag(html, TAG.lastIndex);
    TAG.lastIndex = end;
    if (match[2]) {
      const owed = skipped.get(name) ?? 0;
      if (owed > 0) {
        skipped.set(name, owed - 1);
        leaveOut(match.index, end);
        continue;
      }
      const open = stack.lastIndexOf(name);
      if (open >= 0) stack.length = open;
      continue;
    }
    const ended = ENDS.get(name);
    while (ended?.includes(stack.at(-1) ?? "")) stack.pop();
    if (VOID.has(name) || selfClosing) continue;
    if (RAW.has(name)) {
      TAG.lastIndex = endOfRaw(html, name, end);
      continue;
    }
    if (stack.length >= MAX_DEPTH) {
      skipped.set(name, (skipped.get(name) ?? 0) + 1);
      leaveOut(match.index, end);
    } else stack.push(name);
  }
  return keptTo === 0 ? html : kept.join(" ") + html.slice(keptTo);
}

/** The parser makes a text node of every `<` that opens nothing. */
const MAX_STRAY_SIGNS = 10_000;

function withoutStraySigns(html: string): string {
  const stray = /<(?![a-zA-Z/!?])/g;
  let found = 0;
  while (found <= MAX_STRAY_SIGNS && stray.test(html)) found++;
  return found <= MAX_STRAY_SIGNS ? html : html.replace(stray, "&lt;");
}

/** Past the `>` of a tag whose name ends at `from`; quoted attribute values may contain one. */
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

/** Only drawings have self-closing tags that close; `<div/>` opens. */
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
