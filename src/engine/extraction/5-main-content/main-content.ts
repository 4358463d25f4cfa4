// Which elements of a page are its main content: what is left without the boilerplate and without copies, narrowed to what
// Readability would keep where the page is an article, and to the element of it that gaps.ts tells. Pages of many parts
// (products, listings, services) keep all of their parts.

import { childrenOf, type DomDocument, type DomElement, isElement } from "../shared/dom.ts";
import { findBoilerplate } from "./boilerplate.ts";
import { findDuplicates } from "./duplicates.ts";
import { fillGaps, scopeOf } from "./gaps.ts";
import { type Amounts, measure } from "./measures.ts";
import { readabilityKeeps } from "./readability.ts";

/** Share of the page's prose that Readability must have kept: little where the page says it is an article, else most. */
const DECLARED_SHARE = 0.4;
const UNDECLARED_SHARE = 0.8;
/** And of all its text, where the page does not say so: cards and tables are no prose. */
const UNDECLARED_TEXT_SHARE = 0.6;

/** What stands outside of the article's element goes if the element holds this share of the text that is kept. */
const SCOPE_TEXT = 0.75;

/** What stands before the main heading goes when it is less than this share of the text. */
const BEFORE_HEADING = 0.3;

type Keeps = (element: DomElement) => boolean;

/**
 * Tells for every element below the body whether it stays; what is in a dropped one is dropped with it. `page` is
 * what the page says of itself.
 */
export function chooseMain(document: DomDocument, page: { isArticle: boolean; isForum: boolean }): Keeps {
  const { body } = document;
  const amounts = measure(body);
  const left = findBoilerplate(body, amounts, { comments: page.isForum });
  const copies = findDuplicates(body, amounts, {
    quotes: page.isForum,
    keeps: (element) => !left.has(element),
  });
  for (const copy of copies) left.add(copy);
  const parts: Keeps = (element) => !left.has(element);
  if (page.isForum) return parts;
  const kept = readabilityKeeps(document);
  for (const element of [...kept])
    for (let parent = element.parentNode; parent && !kept.has(parent); parent = parent.parentNode)
      kept.add(parent);
  const narrow: Keeps = (element) => !left.has(element) && kept.has(element);
  const all = count(body, parts, amounts);
  const found = count(body, narrow, amounts);
  const scope = scopeOf(body, narrow, amounts);
  if (scope !== body) fillGaps(scope, kept, parts, amounts);
  const filled = count(body, narrow, amounts);
  const isWhole = count(scope, narrow, amounts).text >= SCOPE_TEXT * filled.text;
  const article: Keeps = isWhole
    ? (element) => narrow(element) && (scope.contains(element) || element.contains(scope))
    : narrow;
  const one = page.isArticle ? filled : found;
  const isOne = page.isArticle
    ? one.prose >= DECLARED_SHARE * all.prose
    : one.prose >= UNDECLARED_SHARE * all.prose && one.text >= UNDECLARED_TEXT_SHARE * all.text;
  if (!isOne || one.prose === 0) return afterHeading(body, parts, amounts);
  return article;
}

function count(root: DomElement, keeps: Keeps, amounts: Amounts): { text: number; prose: number } {
  const sum = { text: 0, prose: 0 };
  const add = (element: DomElement) => {
    if (amounts.isParagraph(element)) sum.prose += amounts.of(element).text;
    for (const child of childrenOf(element)) {
      if (!isElement(child)) sum.text += child.textContent.replace(/\s+/g, " ").trim().length;
      else if (keeps(child)) add(child);
    }
  };
  add(root);
  return sum;
}

/** Without what stands before the page's only main heading, if that is little: bars and notices. */
function afterHeading(body: DomElement, keeps: Keeps, amounts: Amounts): Keeps {
  const headings = [...body.querySelectorAll("h1")].filter(
    (one) => amounts.of(one).text > 0 && isKept(one, keeps),
  );
  const heading = headings[0];
  if (!heading) return keeps;
  const before = new Set<DomElement>();
  let length = 0;
  for (let place: DomElement = heading; place !== body && place.parentNode; place = place.parentNode) {
    for (const sibling of childrenOf(place.parentNode)) {
      if (sibling === place) break;
      if (!isElement(sibling) || !keeps(sibling)) continue;
      before.add(sibling);
      length += amounts.of(sibling).text;
      if (amounts.of(sibling).prose > 0) return keeps;
    }
  }
  return length < BEFORE_HEADING * amounts.of(body).text
    ? (element) => keeps(element) && !before.has(element)
    : keeps;
}

function isKept(element: DomElement, keeps: Keeps): boolean {
  for (let place: DomElement | null = element; place && place.localName !== "body"; place = place.parentNode)
    if (!keeps(place)) return false;
  return true;
}
