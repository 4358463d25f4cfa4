// The page as a tree: the DOM members that this folder uses, and how to walk over them. It does not parse HTML and does not
// depend on what elements mean.

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
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
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
