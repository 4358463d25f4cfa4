// Normalizes code blocks to <pre><code class="language-x">text</code></pre>: finds the language in the attributes that
// highlighters write, removes line numbers, and writes line breaks as characters.

import {
  childrenOf,
  type DomDocument,
  type DomElement,
  type DomNode,
  isElement,
  namesOf,
  plainText,
  previousElement,
} from "../shared/dom.ts";
import { CODE_TITLE } from "../shared/elements.ts";

const LANGUAGE = [
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|code|sourcecode|src)[-:]\s?([\w+#.-]+)/,
  /(?:^|\s)hljs\s+([\w+#-]+)/,
  /(?:^|\s)([\w+#-]+)\s+hljs(?:\s|$)/,
  /(?:^|\s)brush:\s*([\w+#-]+)/,
  /(?:^|\s)highlight\s+([\w+#-]+)(?:\s|$)/,
  /(?:^|\s)sourceCode\s+([\w+#-]+)(?:\s|$)/i,
];
const LANGUAGE_ATTRIBUTES = ["lang", "data-lang", "data-language", "data-code-language", "lang-name"];

/** Languages of people, which `lang` also names. */
const HUMAN = /^[a-z]{2}(?:-\w+)?$/i;

/** Languages that appear as a class without a prefix. */
const KNOWN =
  /(?:^|\s)(bash|c|cpp|csharp|css|go|graphql|haskell|html|java|javascript|js|json|kotlin|lua|perl|php|python3?|ruby|rust|scala|shell|sh|sql|swift|toml|typescript|ts|xml|yaml)(?:\s|$)/;

/** Words that appear instead of a language. */
const NO_LANGUAGE =
  /^(?:none|no-highlight|nohighlight|plain|plaintext|text|txt|undefined|unknown|auto|default|copy|code|block|wrapper|highlight|hljs|linenos|line-numbers|toolbar|inline|snippet|command|container|content|listing|box|area|js-[\w-]+|tab-size|wrap|code-wrap|notranslate|\d+)$/;

const GUTTER =
  ".gutter, .linenos, .lineno, .line-numbers-rows, .line-number, .linenumber, .linenodiv, .highlight-line-number, .hljs-ln-numbers, .blob-num, .react-syntax-highlighter-line-number, .CodeMirror-gutter-wrapper, .rouge-gutter, [data-line-number]:empty";
const EXTRAS = "button, .copy-btn, .copy-button, .copybtn, .toolbar, .sr-only, .boring, style, script";

/** Normalizes every code block of the page. */
export function normalizeCode(document: DomDocument): void {
  normalizeTables(document);
  for (const pre of [...document.querySelectorAll("pre, listing, xmp")]) {
    if (pre.closest("pre") !== pre && pre.parentNode?.closest("pre")) continue;
    replaceBlock(document, pre);
  }
  for (const code of [...document.querySelectorAll("code")]) {
    const lines = [...code.querySelectorAll("div, p")];
    if (lines.length > 1 && !code.closest("pre, p, li")) replaceBlock(document, code);
  }
}

/** Tables that place line numbers beside code: only the code remains. */
function normalizeTables(document: DomDocument): void {
  for (const pre of [...document.querySelectorAll("td pre")]) {
    const table = pre.closest("table");
    if (!table || !pre.parentNode) continue;
    const blocks = [...table.querySelectorAll("pre")];
    const texts = blocks.filter((block) => !/^[\s\d]*$/.test(block.textContent));
    const [code, ...others] = texts;
    if (code && others.length === 0 && blocks.length === 2) {
      code.setAttribute("data-lang", languageOf(code));
      table.replaceWith(code);
    }
  }
  for (const table of [
    ...document.querySelectorAll("pre table, code table, table.highlight, table.hljs-ln"),
  ]) {
    const rows = [...table.querySelectorAll("tr")].map((row) => {
      const cells = [...row.querySelectorAll("td")];
      return cells.length > 1 && /^\d*$/.test(cells[0]!.textContent.trim())
        ? cells.slice(1).map(codeText).join("")
        : cells.map(codeText).join("");
    });
    if (rows.length === 0) continue;
    const text = rows.map((row) => row.replace(/\n$/, "")).join("\n");
    if (table.closest("pre")) table.replaceWith(text);
    else replace(document, table, { language: languageOf(table), text });
  }
}

function replaceBlock(document: DomDocument, block: DomElement): void {
  const language = languageOf(block);
  markTitle(block, language);
  for (const extra of [...block.querySelectorAll(`${GUTTER}, ${EXTRAS}`)]) extra.remove();
  replace(document, block, { language, text: codeText(block) });
}

/** Levels from a block to what its title is beside. */
const MAX_TITLE_LEVELS = 3;
const MAX_TITLE = 100;
const TITLE =
  /(?:^|[\s_-])(?:code-?block-?title|codeblocktitle|code-?block-?caption|code-?title|file-?name|title|header|lang)(?:$|[\s_-])/;

/** Marks the name of a file before a block as part of it. A name that repeats the language is removed. */
function markTitle(block: DomElement, language: string): void {
  let place: DomElement | null = block;
  for (let level = 0; place && level < MAX_TITLE_LEVELS; level++, place = place.parentNode) {
    const title = previousElement(place);
    if (!title) continue;
    const text = plainText(title);
    if (!TITLE.test(namesOf(title)) || text === "" || text.length > MAX_TITLE) return;
    if (/^(?:div|span|figcaption)$/.test(title.localName)) {
      if (text.toLowerCase() === language) title.remove();
      else title.setAttribute(CODE_TITLE, "");
    }
    return;
  }
}

interface Code {
  /** "" if unknown. */
  language: string;
  text: string;
}

function replace(document: DomDocument, block: DomElement, { language, text: raw }: Code): void {
  const text = raw.replace(/\u00a0/g, " ").replace(/\r\n?/g, "\n");
  const code = document.createElement("code");
  if (language) code.setAttribute("class", `language-${language}`);
  code.textContent = withoutNumbers(text.replace(/^\n+/, "").trimEnd());
  const pre = document.createElement("pre");
  pre.append(code);
  block.replaceWith(pre);
}

/** The language in the attributes of the block, its <code>, or up to three parents without other blocks; "" if none. */
function languageOf(block: DomElement): string {
  const inner = block.querySelector("code");
  const places: DomElement[] = [block, ...(inner ? [inner] : [])];
  let parent = block.parentNode;
  for (
    let level = 0;
    level < 3 && parent && parent.localName !== "body";
    level++, parent = parent.parentNode
  ) {
    if ([...parent.querySelectorAll("pre")].length > 2) break;
    places.push(parent);
  }
  for (const place of places) {
    for (const name of LANGUAGE_ATTRIBUTES) {
      // Elsewhere, `lang` is the language of the text.
      if (
        name === "lang" &&
        !(place === block && place.localName === "pre" && !HUMAN.test(place.getAttribute(name) ?? ""))
      )
        continue;
      const language = clean(place.getAttribute(name) ?? "");
      if (language) return language;
    }
    const names = `${place.getAttribute("class") ?? ""} ${place.getAttribute("data-syntaxhighlighter-params") ?? ""}`;
    const isBlock = place === block || place === inner;
    for (const pattern of isBlock ? [...LANGUAGE, KNOWN] : LANGUAGE) {
      const language = clean(pattern.exec(names)?.[1] ?? "");
      if (language) return language;
    }
  }
  return "";
}

function clean(language: string): string {
  const name = language.trim().toLowerCase().replace(/;$/, "");
  if (/^python[23]$/.test(name)) return "python";
  return name.length <= 20 && /^[a-z][\w+#.-]*$/.test(name) && !NO_LANGUAGE.test(name) ? name : "";
}

/** The text of a node, with line breaks for <br> and for elements that are lines. */
function codeText(node: DomNode): string {
  const parts: string[] = [];
  write(node, parts);
  return parts.join("");
}

/** Adds the texts of a node, none of them empty. A text that grows would be copied with each check of its end. */
function write(node: DomNode, parts: string[]): void {
  if (!isElement(node)) {
    if (node.nodeType === 3 && node.textContent !== "") parts.push(node.textContent);
    return;
  }
  if (node.localName === "br") {
    parts.push("\n");
    return;
  }
  const start = parts.length;
  const isOpen = (from: number) => parts.length > from && !parts.at(-1)!.endsWith("\n");
  for (const child of childrenOf(node)) {
    if (!isElement(child) || !isLine(child)) {
      write(child, parts);
      continue;
    }
    if (isOpen(start)) parts.push("\n");
    const startOfLine = parts.length;
    write(child, parts);
    if (parts.length === startOfLine || isOpen(startOfLine)) parts.push("\n");
  }
}

function isLine(element: DomElement): boolean {
  if (/^(?:div|p|li|tr)$/.test(element.localName)) return true;
  if (!/(?:^|\s)(?:line|(?:code|view|token|highlight)-line|cl)(?:\s|$)/.test(namesOf(element))) return false;
  const next = element.nextSibling;
  return /display:\s*block/.test(element.getAttribute("style") ?? "") || (next !== null && isElement(next));
}

/** Removes line numbers if every line has one. */
function withoutNumbers(text: string): string {
  const lines = text.split("\n");
  if (lines.length < 3) return text;
  const first = Number(/^\s*(\d+)/.exec(lines[0]!)?.[1] ?? Number.NaN);
  if (first !== 0 && first !== 1) return text;
  const numbered = lines.every((line, i) => /^\s*(\d+)/.exec(line)?.[1] === String(first + i));
  return numbered ? lines.map((line) => line.replace(/^\s*\d+[.:|]?[ \t]?/, "")).join("\n") : text;
}
