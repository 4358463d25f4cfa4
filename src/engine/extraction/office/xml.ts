// Reads the XML of Office files and e-books as a tree, and writes it. Entities that a file declares are not expanded.

import { Parser } from "htmlparser2";

/** Names have the prefix that the file uses, such as `w:p`. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
}

export type XmlNode = XmlElement | string;

/** The root element; one without a name if the text has none. Ends of elements that are missing are added. */
export function readXml(text: string): XmlElement {
  const document: XmlElement = { name: "", attributes: {}, children: [] };
  const open = [document];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [] };
        open.at(-1)!.children.push(element);
        open.push(element);
      },
      ontext(data) {
        const { children } = open.at(-1)!;
        const last = children.at(-1);
        if (typeof last === "string") children[children.length - 1] = last + data;
        else children.push(data);
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return document.children.find(isElement) ?? document;
}

export const isElement = (node: XmlNode): node is XmlElement => typeof node !== "string";

/** The elements directly inside, all or those of one name. */
export function elementsIn({ children }: XmlElement, name?: string): XmlElement[] {
  return children.filter(isElement).filter((child) => name === undefined || child.name === name);
}

/** The element at the end of a path of names; undefined if there is none. The first of several is taken. */
export function elementAt(element: XmlElement, ...path: string[]): XmlElement | undefined {
  let place: XmlElement | undefined = element;
  for (const name of path) {
    place = place?.children.find((child): child is XmlElement => isElement(child) && child.name === name);
  }
  return place;
}

/** All elements of these names inside, in the order of the file. What is inside of one is not searched. */
export function* elementsBelow(element: XmlElement, ...names: string[]): Generator<XmlElement> {
  for (const child of elementsIn(element)) {
    if (names.includes(child.name)) yield child;
    else yield* elementsBelow(child, ...names);
  }
}

/** All texts inside. */
export function xmlText(node: XmlNode): string {
  return isElement(node) ? node.children.map(xmlText).join("") : node;
}

const SPECIAL: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => SPECIAL[sign]!);

/** The XML of an element. */
export function writeXml(root: XmlElement): string {
  const parts: string[] = [];
  const write = (node: XmlNode) => {
    if (!isElement(node)) {
      parts.push(escaped(node));
      return;
    }
    parts.push(`<${node.name}`);
    for (const [name, value] of Object.entries(node.attributes)) parts.push(` ${name}="${escaped(value)}"`);
    parts.push(">");
    for (const child of node.children) write(child);
    parts.push(`</${node.name}>`);
  };
  write(root);
  return parts.join("");
}
