// Selects the main content of a page: all but boilerplate and duplicates. For an article the selection is narrowed to what
// Readability keeps, plus the gaps that gaps.ts fills. Pages of many parts (products, listings, services) keep all parts.

import { childrenOf, type DomDocument, type DomElement, isElement } from "../shared/dom.ts";
import { findBoilerplate } from "./boilerplate.ts";
import { findDuplicates } from "./duplicates.ts";
import { fillGaps, scopeOf } from "./gaps.ts";
import { type Amounts, measure } from "./measures.ts";
import { readabilityKeeps } from "./readability.ts";

/** Minimum share of the prose that Readability must keep: less if the page declares that it is an article. */
const MIN_DECLARED_SHARE = 0.4;
const MIN_UNDECLARED_SHARE = 0.8;
/** Minimum share of the whole text if the page does not declare it: cards and tables are not prose. */
const MIN_UNDECLARED_TEXT_SHARE = 0.6;

/** Minimum share of the selected text inside the article's element for the rest to be removed. */
const MIN_SCOPE_TEXT = 0.75;

/** Text before the main heading is removed if it is less than this share of the text. */
const MAX_BEFORE_HEADING = 0.3;

type Keeps = (element: DomElement) => boolean;

/**
 * Returns a function that is true for selected elements; the content of an element that is not selected is not selected
 * either. `page` is what the page declares.
 */
export function findMainContent(
  document: DomDocument,
  page: { isArticle: boolean; isForum: boolean },
): Keeps {
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
  if (scope !== body) fillGaps(scope, kept, { amounts, allowed: parts });
  const filled = count(body, narrow, amounts);
  const isWhole = count(scope, narrow, amounts).text >= MIN_SCOPE_TEXT * filled.text;
  const article: Keeps = isWhole
    ? (element) => narrow(element) && (scope.contains(element) || element.contains(scope))
    : narrow;
  const one = page.isArticle ? filled : found;
  const isOne = page.isArticle
    ? one.prose >= MIN_DECLARED_SHARE * all.prose
    : one.prose >= MIN_UNDECLARED_SHARE * all.prose && one.text >= MIN_UNDECLARED_TEXT_SHARE * all.text;
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

/** The selection without what precedes the first main heading, if that is little: bars and notices. */
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
  return length < MAX_BEFORE_HEADING * amounts.of(body).text
    ? (element) => keeps(element) && !before.has(element)
    : keeps;
}

function isKept(element: DomElement, keeps: Keeps): boolean {
  for (let place: DomElement | null = element; place && place.localName !== "body"; place = place.parentNode)
    if (!keeps(place)) return false;
  return true;
}
