// Text that a page has twice: once for each width of screen, or for each way to print it. It knows the tree and nothing of names.

import { childrenOf, type DomElement, isElement, plainText } from "../shared/dom.ts";
import type { Amounts } from "./measures.ts";

/** A paragraph may well be said again, in another tab or as a refrain; in a thread it is a quote. */
const PARAGRAPH = /^(?:p|li|dd|pre|blockquote|td|th)$/;

/** Characters of prose from which a repetition is no coincidence. */
const LEAST_PROSE = 200;

/**
 * The elements that say, word for word, what one before them says; outermost ones only. `quotes` is true where single
 * paragraphs count too. Linear in the page.
 */
export function findDuplicates(
  root: DomElement,
  amounts: Amounts,
  { quotes, keeps }: { quotes: boolean; keeps(element: DomElement): boolean },
): Set<DomElement> {
  const hashes = new Map<DomElement, number>();
  const hash = (element: DomElement): number => {
    let sum = 7;
    for (const child of childrenOf(element)) {
      if (!isElement(child)) sum = mix(sum, child.textContent);
      else if (keeps(child)) sum = (Math.imul(sum, 31) + hash(child)) | 0;
    }
    hashes.set(element, sum);
    return sum;
  };
  hash(root);
  const first = new Map<number, DomElement>();
  const found = new Set<DomElement>();
  const visit = (element: DomElement) => {
    for (const child of element.children) {
      if (!hashes.has(child) || amounts.of(child).prose < LEAST_PROSE) continue;
      if (!quotes && PARAGRAPH.test(child.localName)) continue;
      const seen = first.get(hashes.get(child)!);
      if (seen && !seen.contains(child) && plainText(seen) === plainText(child)) found.add(child);
      else {
        first.set(hashes.get(child)!, seen ?? child);
        visit(child);
      }
    }
  };
  visit(root);
  return found;
}

/** Goes on over the words of a text, whatever blanks part them. */
function mix(sum: number, text: string): number {
  let mixed = sum;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 32 && code !== 0xa0) mixed = (Math.imul(mixed, 31) + code) | 0;
  }
  return mixed;
}
