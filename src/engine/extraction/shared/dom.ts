// The page as a tree: the DOM members that this folder uses, and how to walk over them. It does not parse HTML.

const ELEMENT = 1;

/** A node of the tree. */
export interface DomNode {
  readonly nodeType: number;
  readonly parentNode: DomElement | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  textContent: string;
  remove(): void;
}

/** An element of the tree. */
export interface DomElement extends DomNode {
  readonly localName: string;
  readonly firstChild: DomNode | null;
  readonly children: Iterable<DomElement> & { length: number };
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  innerHTML: string;
  readonly outerHTML: string;
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
  insertBefore(node: DomNode, before: DomNode | null): void;
  append(...nodes: (DomNode | string)[]): void;
  before(...nodes: (DomNode | string)[]): void;
}

/** A parsed page. */
export interface DomDocument extends DomElement {
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;
  createElement(name: string): DomElement;
  cloneNode(deep: true): DomDocument;
}

/** True for elements, false for text and comments. */
export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT;
}

/** A copy of the list of children, so that they may be removed during iteration. */
export function childrenOf(element: DomElement): DomNode[] {
  const nodes: DomNode[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/** Class and id in lower case; they often describe the purpose of an element. */
export function namesOf(element: DomElement): string {
  return `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.toLowerCase();
}

/** The text of a node with white space collapsed and trimmed. */
export function plainText(node: DomNode): string {
  return node.textContent.replace(/\s+/g, " ").trim();
}

/** The element before a node, across texts; null if there is none. */
export function previousElement(element: DomElement): DomElement | null {
  let node = element.previousSibling;
  while (node && !isElement(node)) node = node.previousSibling;
  return node;
}

/** The element after a node, across texts; null if there is none. */
export function nextElement(element: DomElement): DomElement | null {
  let node = element.nextSibling;
  while (node && !isElement(node)) node = node.nextSibling;
  return node;
}
