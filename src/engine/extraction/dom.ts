// The page as a tree, and the one place that parses HTML. It knows the few DOM members that this room uses and no more;
// what the tree means is known elsewhere.

import { parseHTML } from "linkedom";
import { withOuterTags } from "./outer-tags.ts";

const ELEMENT = 1;

export interface DomNode {
  readonly nodeType: number;
  readonly parentNode: DomElement | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  textContent: string;
  remove(): void;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly firstChild: DomNode | null;
  readonly children: Iterable<DomElement> & { length: number };
  readonly outerHTML: string;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  hasAttribute(name: string): boolean;
  removeAttribute(name: string): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  closest(selector: string): DomElement | null;
  matches(selector: string): boolean;
  contains(other: DomNode): boolean;
  replaceWith(...nodes: (DomNode | string)[]): void;
  append(...nodes: (DomNode | string)[]): void;
  before(...nodes: (DomNode | string)[]): void;
}

export interface DomDocument extends DomElement {
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;
  createElement(name: string): DomElement;
  cloneNode(deep: true): DomDocument;
}

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

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT;
}

/** The children of an element at this moment: they may be removed while one walks over them. */
export function childrenOf(element: DomElement): DomNode[] {
  const nodes: DomNode[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/** Class and id in lower case, for words that tell what an element is for. */
export function namesOf(element: DomElement): string {
  return `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.toLowerCase();
}

/** Text with every run of white space as one blank, none at the ends. */
export function plainText(node: DomNode): string {
  return node.textContent.replace(/\s+/g, " ").trim();
}
