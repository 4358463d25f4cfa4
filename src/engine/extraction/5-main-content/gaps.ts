// Finds the element that contains an article, and adds parts of it that Readability removed by mistake.

import type { DomElement } from "../shared/dom.ts";
import { isCaption, isHeading } from "../shared/elements.ts";
import type { Amounts } from "./measures.ts";

/** Minimum share of the selected prose in the element that contains the article. */
const MIN_SCOPE_SHARE = 0.85;

/** A part is text if at least half of it is prose and less than a quarter links: teasers have more links. */
const MIN_PROSE = 0.5;
const MAX_LINKED = 0.25;
/** Levels above the scope at which sections are looked for. */
const MAX_LEVELS = 2;
/** Characters of a paragraph that is no caption or label. */
const MIN_PLAIN_TEXT = 25;

/** Elements whose neighbours belong to the same text. */
const PART = /^(?:ol|ul|dl|li|dd|table|thead|tbody|tr|td|blockquote|p|pre)$/;

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
    if (!next) break;
    scope = next;
  }
  return scope;
}

/** What contains a scope that is a part of a text, such as a list. */
export function aroundPart(found: DomElement): DomElement {
  let scope = found;
  while (PART.test(scope.localName) && scope.parentNode) scope = scope.parentNode;
  return scope;
}

/** Sections of plain text beside the scope, or beside what contains it. */
export function sectionsBeside(
  scope: DomElement,
  { amounts, allowed }: Pick<GapOptions, "amounts" | "allowed">,
): DomElement[] {
  const found: DomElement[] = [];
  let place = scope;
  for (let level = 0; level < MAX_LEVELS && place.localName !== "body" && place.parentNode; level++) {
    for (const sibling of place.parentNode.children) {
      if (sibling === place || !/^(?:div|section)$/.test(sibling.localName) || !allowed(sibling)) continue;
      if (amounts.of(sibling).headings > 0 && isPlainPart(sibling, amounts)) found.push(sibling);
    }
    place = place.parentNode;
  }
  return found;
}

/** Options of fillGaps. */
export interface GapOptions {
  amounts: Amounts;
  /** The elements that contain code blocks. */
  withCode: ReadonlySet<DomElement>;
  /** Whether only short parts without links are added. */
  plain: boolean;
  /** Whether boxes of links between kept parts are text: in an article, they are teasers. */
  links: boolean;
  allowed(element: DomElement): boolean;
}

/**
 * Adds the elements of `scope` that are text or headings to `kept`, with all their content. Skips what is not
 * `allowed`.
 */
export function fillGaps(scope: DomElement, kept: Set<DomElement>, options: GapOptions): void {
  const { allowed, amounts, withCode, links, plain } = options;
  const children = [...scope.children];
  const isKept = (child: DomElement) => kept.has(child) && amounts.of(child).text > 0;
  const [first, last] = [children.findIndex(isKept), children.findLastIndex(isKept)];
  for (const [index, child] of children.entries()) {
    if (!allowed(child)) continue;
    const { text, linked } = amounts.of(child);
    const hasLinks = linked >= MAX_LINKED * text && !(links && child.closest("main, article") !== null);
    const isBetween = index > first && index < last && text > 0 && !hasLinks;
    // The body also contains what is beside the text.
    const isPart =
      scope.localName !== "body" && ((!plain && isText(child, amounts)) || isPlainPart(child, amounts));
    if (kept.has(child)) fillGaps(child, kept, { ...options, plain: false });
    else if (isBetween || withCode.has(child) || isPart) {
      kept.add(child);
      for (const inner of child.querySelectorAll("*")) kept.add(inner);
    }
  }
}

/** Whether an element is a paragraph, list or table of a few words without links, or a short section of such. */
function isPlainPart(element: DomElement, amounts: Amounts): boolean {
  const { text, links, headings } = amounts.of(element);
  if (text < MIN_PLAIN_TEXT || links > 0 || isCaption(element)) return false;
  if (element.matches("form, form *") || element.querySelector("form, input, label") !== null) return false;
  return /^(?:p|ul|ol|dl|table|blockquote)$/.test(element.localName) || headings > 0;
}

function isText(element: DomElement, amounts: Amounts): boolean {
  const { text, linked, prose } = amounts.of(element);
  if (isHeading(element.localName) && element.localName !== "h1") return text > 0;
  const mostly = prose >= MIN_PROSE * text && linked < MAX_LINKED * text;
  return prose > 0 && mostly && !isCaption(element);
}
