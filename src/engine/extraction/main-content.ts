// Which elements of a page are its main content: what is left without the boilerplate, narrowed to what Readability would
// keep where that is most of it. Pages of many parts (products, listings, services) keep all of their parts.

import { findBoilerplate } from "./boilerplate.ts";
import { childrenOf, type DomDocument, type DomElement, isElement } from "./dom.ts";
import { measure } from "./measures.ts";
import { readabilityKeeps } from "./readability.ts";

/** From this share of the page on, Readability has found an article and not one part of many. */
const ARTICLE_SHARE = 0.6;

/** Tells for every element below the body whether it stays; what is in a dropped one is dropped with it. */
export function chooseMain(document: DomDocument): (element: DomElement) => boolean {
  const amounts = measure(document.body);
  const left = findBoilerplate(document.body, amounts, { comments: false });
  const kept = readabilityKeeps(document);
  for (const element of [...kept])
    for (let parent = element.parentNode; parent && !kept.has(parent); parent = parent.parentNode)
      kept.add(parent);
  const cleaned = countText(document.body, (element) => !left.has(element));
  const both = countText(document.body, (element) => !left.has(element) && kept.has(element));
  if (both >= ARTICLE_SHARE * cleaned) return (element) => !left.has(element) && kept.has(element);
  return (element) => !left.has(element);
}

function countText(root: DomElement, keeps: (element: DomElement) => boolean): number {
  let length = 0;
  for (const child of childrenOf(root)) {
    if (!isElement(child)) length += child.textContent.replace(/\s+/g, " ").trim().length;
    else if (keeps(child)) length += countText(child, keeps);
  }
  return length;
}
