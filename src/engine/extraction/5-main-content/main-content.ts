// Selects the main content of a page: everything except boilerplate and duplicates. Of an article, only what
// Readability keeps and the gaps that gaps.ts fills are selected. Pages of many parts (products, listings, services)
// keep all parts.

import { childrenOf, type DomDocument, type DomElement, isElement } from "../shared/dom.ts";
import { findBoilerplate } from "./boilerplate.ts";
import { CODE_TITLE } from "../shared/elements.ts";
import { areComments, isDiscussion } from "./discussion.ts";
import { findDuplicates } from "./duplicates.ts";
import { aroundPart, fillGaps, scopeOf, sectionsBeside } from "./gaps.ts";
import { type Amounts, measure } from "./measures.ts";
import { keptByReadability } from "./readability.ts";

/** Minimum share of the prose that Readability must keep, if the page declares that it is an article and if not. */
const MIN_DECLARED_SHARE = 0.4;
const MIN_UNDECLARED_SHARE = 0.8;
/** Minimum share of the text, because cards and tables are not prose. */
const MIN_UNDECLARED_TEXT_SHARE = 0.6;

/** Minimum share of the selected text inside the article's element for the rest to be removed. */
const MIN_SCOPE_TEXT = 0.75;

/** Text before the main heading is removed if it is less than this share of the text. */
const MAX_BEFORE_HEADING = 0.3;

/** Whether an element is selected. The content of an element that is not selected is not selected either. */
type Selection = (element: DomElement) => boolean;

/** What was selected, and how many paragraphs that are no boilerplate were not. */
export interface MainContent {
  isSelected: Selection;
  /** 0 if they have less than a tenth of the selected prose. */
  aside: number;
}

/** Share of the selected prose from which prose that was not selected is counted. */
const MIN_ASIDE = 0.1;

/** Selects the main content. `page` is what the page declares. */
export function findMainContent(
  document: DomDocument,
  page: { isArticle: boolean; isForum: boolean },
): MainContent {
  const { body } = document;
  const amounts = measure(body);
  const isForum = page.isForum || (!page.isArticle && isDiscussion(body, amounts));
  // Below the posts of a forum, comments are remarks, unless they are the posts.
  const comments = isForum && (!page.isForum || areComments(body, amounts));
  const removed = findBoilerplate(body, amounts, { isForum, comments });
  const duplicates = findDuplicates(body, amounts, {
    quotes: isForum,
    isSelected: (element) => !removed.has(element),
  });
  for (const duplicate of duplicates) removed.add(duplicate);
  const isNotRemoved: Selection = (element) => !removed.has(element);
  if (isForum) return { isSelected: isNotRemoved, aside: 0 };

  const kept = keptByReadability(document);
  for (const element of [...kept])
    for (let parent = element.parentNode; parent && !kept.has(parent); parent = parent.parentNode)
      kept.add(parent);
  const isInArticle: Selection = (element) => !removed.has(element) && kept.has(element);
  const all = count(body, isNotRemoved, amounts);
  const beforeFilling = count(body, isInArticle, amounts);
  const part = scopeOf(body, isInArticle, amounts);
  const scope = aroundPart(part);
  const withCode = ancestorsOf(body.querySelectorAll("pre"));
  const options = { amounts, withCode, links: !page.isArticle, allowed: isNotRemoved };
  if (beforeFilling.prose > 0) fillGaps(scope, kept, { ...options, plain: scope !== part });
  for (const title of body.querySelectorAll(`[${CODE_TITLE}]`))
    if (title.parentNode && kept.has(title.parentNode))
      for (const one of [title, ...title.querySelectorAll("*")]) kept.add(one);
  const beside = new Set(page.isArticle ? [] : sectionsBeside(scope, options));
  for (const section of beside) for (const one of [section, ...section.querySelectorAll("*")]) kept.add(one);
  const filled = count(body, isInArticle, amounts);

  const article = page.isArticle ? filled : beforeFilling;
  const hasArticle = page.isArticle
    ? article.prose >= MIN_DECLARED_SHARE * all.prose
    : article.prose >= MIN_UNDECLARED_SHARE * all.prose &&
      article.text >= MIN_UNDECLARED_TEXT_SHARE * all.text;
  if (!hasArticle || article.prose === 0)
    return { isSelected: withoutTextBeforeHeading(body, isNotRemoved, amounts), aside: 0 };
  const isMostlyInScope = count(scope, isInArticle, amounts).text >= MIN_SCOPE_TEXT * filled.text;
  const weighed = (isSelected: Selection): MainContent => {
    const final = count(body, isSelected, amounts);
    const isMuch = all.prose - final.prose > MIN_ASIDE * final.prose;
    return { isSelected, aside: isMuch ? all.paragraphs - final.paragraphs : 0 };
  };
  if (!isMostlyInScope) return weighed(isInArticle);
  const isBeside: Selection = (element) => {
    for (let place: DomElement | null = element; place; place = place.parentNode)
      if (beside.has(place)) return true;
    return false;
  };
  return weighed(
    (element) =>
      isInArticle(element) && (scope.contains(element) || element.contains(scope) || isBeside(element)),
  );
}

/** The elements and all that contain them. */
function ancestorsOf(elements: Iterable<DomElement>): Set<DomElement> {
  const all = new Set<DomElement>();
  for (const element of elements) {
    for (let place: DomElement | null = element; place && !all.has(place); place = place.parentNode)
      all.add(place);
  }
  return all;
}

function count(root: DomElement, isSelected: Selection, amounts: Amounts) {
  const sum = { text: 0, prose: 0, paragraphs: 0 };
  const add = (element: DomElement) => {
    if (amounts.isParagraph(element)) {
      sum.prose += amounts.of(element).text;
      sum.paragraphs++;
    }
    for (const child of childrenOf(element)) {
      if (!isElement(child)) sum.text += child.textContent.replace(/\s+/g, " ").trim().length;
      else if (isSelected(child)) add(child);
    }
  };
  add(root);
  return sum;
}

/** The selection without the text before the first main heading if that is short: bars and notices. */
function withoutTextBeforeHeading(body: DomElement, isSelected: Selection, amounts: Amounts): Selection {
  const headings = [...body.querySelectorAll("h1")].filter(
    (heading) => amounts.of(heading).text > 0 && isWithinSelection(heading, isSelected),
  );
  const [heading] = headings;
  if (!heading) return isSelected;
  const before = new Set<DomElement>();
  let length = 0;
  for (let place: DomElement = heading; place !== body && place.parentNode; place = place.parentNode) {
    for (const sibling of childrenOf(place.parentNode)) {
      if (sibling === place) break;
      if (!isElement(sibling) || !isSelected(sibling)) continue;
      before.add(sibling);
      length += amounts.of(sibling).text;
      if (amounts.of(sibling).prose > 0) return isSelected;
    }
  }
  return length < MAX_BEFORE_HEADING * amounts.of(body).text
    ? (element) => isSelected(element) && !before.has(element)
    : isSelected;
}

function isWithinSelection(element: DomElement, isSelected: Selection): boolean {
  for (let place: DomElement | null = element; place && place.localName !== "body"; place = place.parentNode)
    if (!isSelected(place)) return false;
  return true;
}
