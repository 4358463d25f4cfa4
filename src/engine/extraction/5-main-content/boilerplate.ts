// What surrounds the content on most pages: navigation, footers, banners, asides. Told by tag, role, name and links, never by
// site; each sign yields when the element holds most of the page.

import { childrenOf, type DomElement, isElement, plainText } from "../shared/dom.ts";
import { isBlock, isHeading } from "../shared/elements.ts";
import {
  ASIDE_HEADING,
  BOILERPLATE_NAMES,
  COMMENT_NAMES,
  CONTROL_TEXT,
  ITEM_NAMES,
} from "./boilerplate-words.ts";
import type { Amount, Amounts } from "./measures.ts";

const ROLES = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "dialog",
  "alertdialog",
  "menu",
  "menubar",
  "toolbar",
  "complementary",
  "status",
]);

const LONGEST_CONTROL = 30;

/** A list of links with shorter texts, and nothing else, is a menu. */
const MENU_LINK = 22;
const MENU_LINKS = 5;

export interface BoilerplateOptions {
  /** True where comments may be the content: they then stay if they hold most of the prose. */
  comments: boolean;
}

/** A word that marks more than this share of the page's prose names its layout, and no boilerplate. */
const LAYOUT_SHARE = 0.5;
/** Characters: a page with less prose than this has no layout to tell. */
const LAYOUT_PROSE = 500;

/** What page builders call every part of a page, and others what stands beside it. */
const PART_NAME = /^widgets?$/;

/** Elements that hold text of their own or a part of it: never judged by their names. */
const CONTENT =
  /^(?:main|article|pre|code|table|thead|tbody|tfoot|tr|td|th|h[1-6]|p|li|dd|dt|a|em|strong|b|i|figure|blockquote|body)$/;

/** The elements to leave out, outermost ones only. */
export function findBoilerplate(
  root: DomElement,
  amounts: Amounts,
  options: BoilerplateOptions,
): Set<DomElement> {
  const page = amounts.of(root);
  const layoutWords = new Set<string>();
  for (;;) {
    const found = new Set<DomElement>();
    const marked = new Map<string, number>();
    const visit = (element: DomElement) => {
      for (const child of childrenOf(element)) {
        if (!isElement(child)) continue;
        const isTold = isOutside(child, amounts, page) || isControl(child, amounts);
        const word = isTold ? "" : wordOf(child, amounts, page, options, layoutWords);
        if (word === null) {
          visit(child);
          continue;
        }
        if (word !== "") marked.set(word, (marked.get(word) ?? 0) + amounts.of(child).prose);
        if (PART_NAME.test(word) && isProse(child, amounts)) visit(child);
        else found.add(child);
      }
    };
    visit(root);
    const known = layoutWords.size;
    for (const [word, prose] of marked)
      if (prose > Math.max(LAYOUT_SHARE * page.prose, LAYOUT_PROSE)) layoutWords.add(word);
    if (layoutWords.size === known) return found;
  }
}

/** A link or a label of a few words, alone in its paragraph. */
function isControl(element: DomElement, amounts: Amounts): boolean {
  const { text } = amounts.of(element);
  if (text === 0 || text > LONGEST_CONTROL || isHeading(element.localName)) return false;
  const place = element.parentNode;
  const isAlone = !place || isBlock(element.localName) || amounts.of(place).text <= 2 * LONGEST_CONTROL;
  return isAlone && CONTROL_TEXT.test(plainText(element));
}

/** Class and id; an id of many words is the slug of a heading, whose words are the text's own. */
function wordsOf(element: DomElement): string {
  const id = element.getAttribute("id") ?? "";
  const classes = element.getAttribute("class") ?? "";
  return (id.split(/[-_]/).length > 3 ? classes : `${classes} ${id}`).toLowerCase();
}

/** By tag and role alone. */
function isOutside(element: DomElement, amounts: Amounts, page: Amount): boolean {
  const { text, prose } = amounts.of(element);
  if (text === 0 || text > 0.5 * page.text) return false;
  switch (element.localName) {
    case "nav":
      return true;
    case "aside":
      if (
        element.closest("article, main") &&
        prose > 0.6 * text &&
        wordsOf(element).search(BOILERPLATE_NAMES) < 0
      )
        return false;
      return prose <= 0.35 * page.prose;
    case "footer":
      return prose <= 0.35 * page.prose;
    case "header":
      return (
        text < 0.3 * page.text && !element.querySelector("h1") && !element.closest("article, main, section")
      );
    case "form":
      return text < 0.3 * page.text && prose < 0.3 * text;
  }
  return ROLES.has(element.getAttribute("role") ?? "");
}

/** The word in its names that tells an element as boilerplate; null if there is none. */
function wordOf(
  element: DomElement,
  amounts: Amounts,
  page: Amount,
  options: BoilerplateOptions,
  layoutWords: Set<string>,
): string | null {
  const { text, prose } = amounts.of(element);
  if (text === 0 || CONTENT.test(element.localName)) return null;
  if (text < 0.35 * page.text && 2 * prose < text && ASIDE_HEADING.test(firstHeading(element))) return "";
  if (text < 0.3 * page.text && isMenu(amounts.of(element)) && !isMainPart(element, amounts)) return "";
  const names = wordsOf(element);
  if (ITEM_NAMES.test(names)) return null;
  if (text < 0.3 * page.text && prose < Math.max(0.35 * page.prose, LAYOUT_PROSE)) {
    for (const [, word] of names.matchAll(BOILERPLATE_NAMES)) {
      if (!layoutWords.has(word!)) return word!;
    }
  }
  if (!COMMENT_NAMES.test(names)) return null;
  if (options.comments) return layoutWords.has("comment") ? null : "comment";
  return text < 0.7 * page.text ? "" : null;
}

function isProse(element: DomElement, amounts: Amounts): boolean {
  const { text, prose, linked } = amounts.of(element);
  return element.closest("main, article") !== null && 2 * prose >= text && 4 * linked < text;
}

function isMenu({ text, linked, links, prose, headings }: Amount): boolean {
  return (
    links >= MENU_LINKS && headings === 0 && prose === 0 && linked > 0.8 * text && text < MENU_LINK * links
  );
}

/** An index of links is what some pages are for. */
function isMainPart(element: DomElement, amounts: Amounts): boolean {
  const main = element.closest("main, [role=main], article");
  return main !== null && amounts.of(element).text > 0.3 * amounts.of(main).text;
}

/** The text of the heading that an element begins with; "" if it begins with something else. */
function firstHeading(element: DomElement): string {
  let place = element;
  for (let depth = 0; depth < 4; depth++) {
    const first = childrenOf(place).find((child) => child.textContent.trim() !== "");
    if (!first || !isElement(first)) return "";
    if (isHeading(first.localName)) return plainText(first);
    place = first;
  }
  return "";
}
