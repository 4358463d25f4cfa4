// Counts text, links and prose of every element, once for the whole page.

import { childrenOf, type DomElement, isElement } from "../shared/dom.ts";

/** What one element contains. */
export interface Amount {
  /** Characters of text with collapsed white space. */
  text: number;
  /** Characters of text within links. */
  linked: number;
  links: number;
  /** Characters in paragraphs of prose: long ones with few links. */
  prose: number;
  headings: number;
}

const NONE: Amount = { text: 0, linked: 0, links: 0, prose: 0, headings: 0 };

/** The amounts of all elements. */
export interface Amounts {
  /** The amounts of one element with its content. */
  of(element: DomElement): Amount;
  /** True for a paragraph of prose: long enough and not mostly links. */
  isParagraph(element: DomElement): boolean;
}

/** Counts everything below `root`; other elements have zero. */
export function measure(root: DomElement): Amounts {
  const paragraphs = new Set<DomElement>();
  const amounts = new Map<DomElement, Amount>();
  const count = (element: DomElement, inLink: boolean): Amount => {
    const linked = inLink || element.localName === "a";
    const amount: Amount = { ...NONE };
    if (element.localName === "a") amount.links++;
    if (/^h[1-6]$/.test(element.localName)) amount.headings++;
    let own = "";
    for (const child of childrenOf(element)) {
      if (isElement(child)) {
        const inner = count(child, linked);
        amount.text += inner.text;
        amount.linked += inner.linked;
        amount.links += inner.links;
        amount.prose += inner.prose;
        amount.headings += inner.headings;
      } else own += child.textContent;
    }
    const length = own.replace(/\s+/g, " ").trim().length;
    amount.text += length;
    if (linked) amount.linked += length;
    const isParagraph = element.localName === "p" || length > 80;
    if (isParagraph && amount.text > 60 && amount.linked * 3 < amount.text) {
      amount.prose = amount.text;
      paragraphs.add(element);
    }
    amounts.set(element, amount);
    return amount;
  };
  count(root, false);
  return {
    of: (element) => amounts.get(element) ?? NONE,
    isParagraph: (element) => paragraphs.has(element),
  };
}
