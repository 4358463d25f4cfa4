// Parts that React streams later: each is sent as a hidden <div id="S:0"> at the end of the page, and a script moves it
// to its <template id="B:0">. Here they are moved without the script. https://github.com/facebook/react,
// ReactDOMFizzInstructionSetShared

import { childrenOf, type DomDocument, type DomElement, type DomNode } from "../shared/dom.ts";

/** Moves every streamed part to its place and removes the fallback there. */
export function placeStreamedParts(document: DomDocument): void {
  const places = new Map<string, DomElement>();
  for (const template of document.querySelectorAll("template[id]"))
    places.set(template.getAttribute("id")!, template);
  if (places.size === 0) return;
  for (const part of [...document.querySelectorAll("div[hidden][id]")]) {
    const id = part.getAttribute("id")!;
    if (!/S:[\da-f]+$/.test(id)) continue;
    const boundary = places.get(id.replace(/S:(?=[\da-f]+$)/, "B:"));
    const place = boundary ?? places.get(id.replace(/S:(?=[\da-f]+$)/, "P:"));
    if (!place || part.contains(place)) continue;
    if (boundary) removeFallback(boundary);
    place.replaceWith(...childrenOf(part));
    part.remove();
  }
}

/** Removes the nodes between a boundary's template and the comment that closes the boundary. */
function removeFallback(template: DomElement): void {
  const fallback: DomNode[] = [];
  let depth = 0;
  for (let node = template.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === 8) {
      if (node.textContent === "/$" && depth-- === 0) {
        for (const part of fallback) part.remove();
        return;
      }
      if (/^\$[?!~]?$/.test(node.textContent)) depth++;
    }
    fallback.push(node);
  }
}
