// Finds the element that contains an article, and adds parts of it that Readability removed by mistake.

import type { DomElement } from "../shared/dom.ts";
import { isCaption, isHeading } from "../shared/elements.ts";
import type { Amounts } from "./measures.ts";

/** Minimum share of the selected prose in the element that contains the article. */
const MIN_SCOPE_SHARE = 0.85;

/** A part is text if at least half of it is prose and less than a quarter links: teasers have more links. */
const MIN_PROSE = 0.5;
const MAX_LINKED = 0.25;

/** The smallest element with nearly all of the selected prose that is not a paragraph; the body if there is none. */
export function scopeOf(
  body: DomElement,
  isSelected: (element: DomElement) => boolean,
  amounts: Amounts,
): DomElement {
  const prose = new Map<DomElement, number>();
  const add = (element: DomElement): number => {
    let sum = amounts.isParagraph(element) ? amounts.of(element).text : 0;
    for (const child of element.children) if (isSelected(child)) sum += add(child);
    prose.set(element, sum);
    return sum;
  };
  const minimum = Math.max(1, MIN_SCOPE_SHARE * add(body));
  let scope = body;
  for (;;) {
    const next = [...scope.children].find(
      (child) => (prose.get(child) ?? 0) >= minimum && !amounts.isParagraph(child),
    );
    if (!next) return scope;
    scope = next;
  }
}

/** Options of fillGaps. */
export interface GapOptions {
  amounts: Amounts;
  allowed(element: DomElement): boolean;
}

/**
 * Adds the elements of `scope` that are text or headings to `kept`, with all their content. Skips what is not
 * `allowed`.
 */
export function fillGaps(scope: DomElement, kept: Set<DomElement>, options: GapOptions): void {
  const { allowed, amounts } = options;
  for (const child of scope.children) {
    if (!allowed(child)) continue;
    if (kept.has(child)) fillGaps(child, kept, options);
    else if (isText(child, amounts)) {
      kept.add(child);
      for (const inner of child.querySelectorAll("*")) kept.add(inner);
    }
  }
}

function isText(element: DomElement, amounts: Amounts): boolean {
  const { text, linked, prose } = amounts.of(element);
  if (isHeading(element.localName) && element.localName !== "h1") return text > 0;
  const mostly = prose >= MIN_PROSE * text && linked < MAX_LINKED * text;
  return prose > 0 && mostly && !isCaption(element);
}
