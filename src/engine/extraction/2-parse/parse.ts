// Parses HTML. No other file uses the parser.

import { parseHTML } from "linkedom";
import { childrenOf, type DomDocument, type DomElement, isElement } from "../shared/dom.ts";
import { withOuterTags } from "./outer-tags.ts";

/** Parses a page, also an invalid one. The result always has `documentElement`, `head` and `body`. */
export function parseDocument(html: string): DomDocument {
  // The parser passes the words of a class as arguments of one call: too many words cause a stack overflow.
  const withoutLongClasses = html.replace(/\sclass\s*=\s*(?:"[^"]{5000,}"|'[^']{5000,}')/gi, "");
  const { document } = parseHTML(withOuterTags(withoutLongClasses));
  moveNodesIntoBody(document as DomDocument);
  return document as DomDocument;
}

/** Moves nodes beside head and body into the body. The parser leaves them there, and then does not find the body. */
function moveNodesIntoBody(document: DomDocument): void {
  const parts = childrenOf(document.documentElement);
  const found = parts.find((part): part is DomElement => isElement(part) && part.localName === "body");
  const body = found ?? document.createElement("body");
  const inside = parts.flatMap((part) => {
    if (part === body) return childrenOf(body);
    return isElement(part) && part.localName === "head" ? [] : [part];
  });
  for (const node of inside) body.append(node);
  document.documentElement.append(body);
}
