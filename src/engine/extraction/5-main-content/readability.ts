// Finds the elements that Mozilla's Readability would keep. Its output is not used: it loses heading levels and code
// languages.

import { Readability } from "@mozilla/readability";
import { type DomDocument, type DomElement, isElement } from "../shared/dom.ts";
import { MAX_TITLE } from "../shared/title.ts";

/**
 * Readability reads the content of every element repeatedly: 100,000 open paragraphs took 5 s. The largest of the 498
 * benchmark pages has 19,000 nodes and a sum of depths of 240,000 after cleaning.
 */
const MAX_NODES = 50_000;
const MAX_SUM_OF_DEPTHS = 500_000;
const MAX_ATTRIBUTE = 2_000;
/**
 * Characters of a heading: Readability compares the words of all headings with the title, which may be the only <h1>.
 */
const MAX_HEADING = 1_000;

/** The elements that Readability keeps; empty if it finds no article or the page is too large for it. */
export function keptByReadability(document: DomDocument): Set<DomElement> {
  const size = { nodes: 0, depths: 0 };
  addSize(document.body, 1, size);
  if (size.nodes > MAX_NODES || size.depths > MAX_SUM_OF_DEPTHS) return new Set();
  for (const heading of document.body.querySelectorAll("h1, h2"))
    if (heading.textContent.length > MAX_HEADING) return new Set();
  const numbered = [...document.body.querySelectorAll("*")];
  for (const [index, element] of numbered.entries()) element.setAttribute("data-n", String(index));
  const kept = new Set<DomElement>();
  try {
    const copy = document.cloneNode(true);
    // Readability replaces these links by new nodes without our number, which would lose their text.
    for (const link of copy.querySelectorAll('a[href^="javascript:"]')) link.removeAttribute("href");
    shorten(copy);
    const article = new Readability<DomElement>(
      copy as unknown as ConstructorParameters<typeof Readability>[0],
      {
        disableJSONLD: true,
        serializer: (node: unknown) => node as DomElement,
      },
    ).parse();
    for (const element of article?.content?.querySelectorAll("[data-n]") ?? [])
      kept.add(numbered[Number(element.getAttribute("data-n"))]!);
    // It replaces two line breaks by a paragraph of its own, and removes check boxes.
    for (const element of document.body.querySelectorAll("br, input"))
      if (element.parentNode && kept.has(element.parentNode)) kept.add(element);
  } catch {
    // Readability throws on some trees, for example with a body inside of the body.
    return new Set();
  } finally {
    for (const element of numbered) element.removeAttribute("data-n");
  }
  return kept;
}

/**
 * Cuts attributes, which Readability reads with quadratic expressions, and titles, which it compares with all headings.
 */
function shorten(copy: DomDocument): void {
  for (const element of copy.querySelectorAll("*")) {
    const max = element.localName === "meta" ? MAX_TITLE : MAX_ATTRIBUTE;
    for (const { name, value } of element.attributes)
      if (value.length > max) element.setAttribute(name, value.slice(0, max));
    if (element.localName === "title" && element.textContent.length > MAX_TITLE)
      element.textContent = element.textContent.slice(0, MAX_TITLE);
  }
}

function addSize(element: DomElement, depth: number, size: { nodes: number; depths: number }): void {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    size.nodes++;
    size.depths += depth;
    if (isElement(node)) addSize(node, depth + 1, size);
  }
}
