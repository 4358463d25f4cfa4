// Finds text that a page contains twice, for example once for each screen width.

import { childrenOf, type DomElement, isElement, plainText } from "../shared/dom.ts";
import type { Amounts } from "./measures.ts";

/** Single paragraphs are ignored, because they may be repeated on purpose; in a thread they are quotes. */
const PARAGRAPH = /^(?:p|li|dd|pre|blockquote|td|th)$/;

/** Minimum characters of prose in a duplicate. */
const MIN_PROSE = 200;

/**
 * The outermost elements with the same words as an earlier element. `quotes` is true if single paragraphs count too.
 * Linear in the page.
 */
export function findDuplicates(
  root: DomElement,
  amounts: Amounts,
  { quotes, isSelected }: { quotes: boolean; isSelected(element: DomElement): boolean },
): Set<DomElement> {
  const hashes = new Map<DomElement, number>();
  const hash = (element: DomElement): number => {
    let sum = 7;
    for (const child of childrenOf(element)) {
      if (!isElement(child)) sum = mix(sum, child.textContent);
      else if (isSelected(child)) sum = (Math.imul(sum, 31) + hash(child)) | 0;
    }
    hashes.set(element, sum);
    return sum;
  };
  hash(root);
  const first = new Map<number, DomElement>();
  const found = new Set<DomElement>();
  const visit = (element: DomElement) => {
    for (const child of element.children) {
      if (!hashes.has(child) || amounts.of(child).prose < MIN_PROSE) continue;
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

/** Continues a hash with the characters of a text, without white space. */
function mix(sum: number, text: string): number {
  let mixed = sum;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 32 && code !== 0xa0) mixed = (Math.imul(mixed, 31) + code) | 0;
  }
  return mixed;
}
