// A piece of Markdown as people read it in a list of results: on one line, without markup. It may be cut anywhere.

const MAX_UNITS = 2_000;

const STEPS: readonly (readonly [RegExp, string])[] = [
  // Rows of dashes under the head of a table.
  [/^[\s|:-]*-{3,}[\s|:-]*$/gm, " "],
  [/^\s*\||\|\s*$/gm, " "],
  [/^ {0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+(\[[ xX]\]\s)?/gm, ""],
  // Images and links, also those whose address is cut.
  [/!?\[([^[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?(?:\)|$)/g, "$1"],
  [/<\/?[a-z][^<>]*>/gi, " "],
  [/(\*\*|__|~~)(\S|\S[^*_~]*\S)\1/g, "$2"],
  [/(?<![\p{L}\p{N}*_\\])([*_])(\S|\S[^*_\n]*[^\s\\])\1(?![\p{L}\p{N}*_])/gu, "$2"],
  [/`+([^`\n]+)`+/g, "$1"],
  [/\\([\\`*_{}[\]()#+.!|-])/g, "$1"],
  [/\s+/g, " "],
];

/** The text without markup; of a longer one, the first 2,000 UTF-16 units. */
export const withoutMarkup = (markdown: string): string =>
  STEPS.reduce((text, [pattern, plain]) => text.replace(pattern, plain), markdown.slice(0, MAX_UNITS)).trim();
