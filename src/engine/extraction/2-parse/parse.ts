// The only file that parses HTML.

import { parseHTML } from "linkedom";
import { childrenOf, type DomDocument, type DomElement, isElement } from "../shared/dom.ts";
import { withOuterTags } from "./outer-tags.ts";

/** Parses a page, however broken; `documentElement`, `head` and `body` are always there. */
export function parseDocument(html: string): DomDocument {
  // The parser passes the words of a class as arguments of one call: too many overflow its stack.
  const tame = html.replace(/\sclass\s*=\s*(?:"[^"]{5000,}"|'[^']{5000,}')/gi, "");
  const { document } = parseHTML(withOuterTags(tame));
  gatherBody(document as DomDocument);
  return document as DomDocument;
}

/** The parser leaves what stands beside head and body where it is, and then does not find the body. */
function gatherBody(document: DomDocument): void {
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
