// The element that holds an article, told by the prose that was kept, and the parts of it that were left out by mistake.

import type { DomElement } from "../shared/dom.ts";
import { isCaption, isHeading } from "../shared/elements.ts";
import type { Amounts } from "./measures.ts";

/** An element with this share of the kept prose holds the article. */
const SCOPE_SHARE = 0.85;

/** A part is text when at least half of it is prose and less than a quarter links: teasers of other articles have more. */
const LEAST_PROSE = 0.5;
const MOST_LINKED = 0.25;

/** The smallest element with nearly all of the prose that is kept, larger than a paragraph; the body when there is none. */
export function scopeOf(
  body: DomElement,
  keeps: (element: DomElement) => boolean,
  amounts: Amounts,
): DomElement {
  const prose = new Map<DomElement, number>();
  const add = (element: DomElement): number => {
    let sum = amounts.isParagraph(element) ? amounts.of(element).text : 0;
    for (const child of element.children) if (keeps(child)) sum += add(child);
    prose.set(element, sum);
    return sum;
  };
  const least = Math.max(1, SCOPE_SHARE * add(body));
  let scope = body;
  for (;;) {
    const next = [...scope.children].find(
      (child) => (prose.get(child) ?? 0) >= least && !amounts.isParagraph(child),
    );
    if (!next) return scope;
    scope = next;
  }
}

/** Adds to `kept` the elements of the scope that are plainly text or headings among the rest, with all that is in them. */
export function fillGaps(
  scope: DomElement,
  kept: Set<DomElement>,
  allowed: (element: DomElement) => boolean,
  amounts: Amounts,
): void {
  for (const child of scope.children) {
    if (!allowed(child)) continue;
    if (kept.has(child)) fillGaps(child, kept, allowed, amounts);
    else if (isText(child, amounts)) {
      kept.add(child);
      for (const inner of child.querySelectorAll("*")) kept.add(inner);
    }
  }
}

function isText(element: DomElement, amounts: Amounts): boolean {
  const { text, linked, prose } = amounts.of(element);
  if (isHeading(element.localName) && element.localName !== "h1") return text > 0;
  const mostly = prose >= LEAST_PROSE * text && linked < MOST_LINKED * text;
  return prose > 0 && mostly && !isCaption(element);
}
