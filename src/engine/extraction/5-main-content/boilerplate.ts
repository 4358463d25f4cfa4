// Finds boilerplate: navigation, footers, banners, asides. It is recognized by tag, role, class, id and links. An
// element with most of the page's text is never boilerplate.

import { childrenOf, type DomElement, isElement, plainText } from "../shared/dom.ts";
import { isBlock, isCallout, isHeading } from "../shared/elements.ts";
import {
  ALWAYS_BOILERPLATE,
  ASIDE_HEADING,
  BOILERPLATE_NAMES,
  COMMENT_NAMES,
  CONTENTS_NAMES,
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

const MAX_CONTROL = 30;

/** A list of at least this many links with a shorter average text is a menu. */
const MAX_MENU_LINK_TEXT = 22;
const MIN_MENU_LINKS = 5;

/** Options of findBoilerplate. */
export interface BoilerplateOptions {
  /** True for a discussion. */
  isForum: boolean;
  /** True if comments are its content. */
  comments: boolean;
}

interface Context extends BoilerplateOptions {
  amounts: Amounts;
  /** The amounts of the whole page. */
  page: Amount;
  layoutWords: Set<string>;
}

/**
 * A word that would mark a larger share of the page's prose is part of the page's layout and does not mark boilerplate.
 */
const MAX_MARKED_SHARE = 0.5;
/** With less marked prose, in characters, a word is never part of the layout. */
const MIN_LAYOUT_PROSE = 500;

/** Page builders use this word for every part of a page, other pages for asides. */
const PART_NAME = /^widgets?$/;

/** Elements that contain text themselves: their names are ignored. */
const CONTENT =
  /^(?:main|article|pre|code|table|thead|tbody|tfoot|tr|td|th|h[1-6]|p|li|dd|dt|a|em|strong|b|i|figure|blockquote|body)$/;

/** Returns the outermost boilerplate elements. */
export function findBoilerplate(
  root: DomElement,
  amounts: Amounts,
  options: BoilerplateOptions,
): Set<DomElement> {
  const page = amounts.of(root);
  const layoutWords = new Set<string>();
  const context: Context = { ...options, amounts, page, layoutWords };
  for (;;) {
    const found = new Set<DomElement>();
    const marked = new Map<string, number>();
    const visit = (element: DomElement) => {
      for (const child of childrenOf(element)) {
        if (!isElement(child)) continue;
        const isUnnamed = isBoilerplateByTag(child, amounts, page) || isControl(child, amounts);
        const word = isUnnamed ? "" : wordOf(child, context);
        if (word === null) {
          // Words of classes inside of a note are those of the note.
          if (!isNote(child, amounts, page)) visit(child);
          continue;
        }
        if (word !== "") marked.set(word, (marked.get(word) ?? 0) + amounts.of(child).prose);
        if (PART_NAME.test(word) && isProse(child, amounts)) visit(child);
        else found.add(child);
      }
    };
    visit(root);
    const previousSize = layoutWords.size;
    for (const [word, prose] of marked)
      if (prose > Math.max(MAX_MARKED_SHARE * page.prose, MIN_LAYOUT_PROSE)) layoutWords.add(word);
    if (layoutWords.size === previousSize) return found;
  }
}

const isNote = (element: DomElement, amounts: Amounts, page: Amount) =>
  isCallout(element) && amounts.of(element).text < 0.3 * page.text;

/** Whether an element is a link or a label of a few words, alone in its paragraph. */
function isControl(element: DomElement, amounts: Amounts): boolean {
  const { text } = amounts.of(element);
  if (text === 0 || text > MAX_CONTROL || isHeading(element.localName)) return false;
  const place = element.parentNode;
  const isAlone = !place || isBlock(element.localName) || amounts.of(place).text <= 2 * MAX_CONTROL;
  return isAlone && CONTROL_TEXT.test(plainText(element));
}

/** Class and id in lower case; an id of many words is ignored, because it is the slug of a heading. */
function wordsOf(element: DomElement): string {
  const id = element.getAttribute("id") ?? "";
  const classes = element.getAttribute("class") ?? "";
  return (id.split(/[-_]/).length > 3 ? classes : `${classes} ${id}`).toLowerCase();
}

/** Whether tag and role mark boilerplate. */
function isBoilerplateByTag(element: DomElement, amounts: Amounts, page: Amount): boolean {
  const { text, prose } = amounts.of(element);
  if (text === 0 || text > 0.5 * page.text) return false;
  switch (element.localName) {
    case "nav":
      return true;
    case "aside":
      // Notes and warnings; asides about other things are links, or say so.
      if (isInText(element, amounts) && wordsOf(element).search(BOILERPLATE_NAMES) < 0) return false;
      if (isCallout(element)) return false;
      return prose <= 0.35 * page.prose;
    case "footer":
      return prose <= 0.35 * page.prose;
    case "header":
      return (
        text < 0.3 * page.text && !element.querySelector("h1") && !element.closest("article, main, section")
      );
    case "form":
      return text < 0.3 * page.text && prose < 0.3 * text && !describesFields(element, text);
  }
  return ROLES.has(element.getAttribute("role") ?? "");
}

/** Whether a form in the text says more than the names of its fields, as descriptions of parameters do. */
function describesFields(form: DomElement, text: number): boolean {
  if (!form.closest("article, main")) return false;
  const isDescribed = form.querySelector("p") !== null && form.querySelector("label") !== null;
  const names = [...form.querySelectorAll("label, legend, button, a, option, small")];
  return isDescribed && names.reduce((sum, name) => sum + plainText(name).length, 0) < 0.5 * text;
}

/** The word in class or id that marks boilerplate, "" if something else marks it; null if it is not boilerplate. */
function wordOf(
  element: DomElement,
  { isForum, comments, amounts, page, layoutWords }: Context,
): string | null {
  const { text, prose } = amounts.of(element);
  if (text === 0 || CONTENT.test(element.localName)) return null;
  if (text < 0.35 * page.text && 2 * prose < text && ASIDE_HEADING.test(firstHeading(element))) return "";
  if (text < 0.3 * page.text && isMenu(amounts.of(element)) && !isMainPart(element, amounts)) return "";
  const names = wordsOf(element);
  if (CONTENTS_NAMES.test(names) && isListOfHeadings(element, amounts.of(element))) return "";
  if (ITEM_NAMES.test(names)) return null;
  if (CONSENT_NAMES.test(names) && text < MAX_CONSENT * page.text && CONSENT_TEXT.test(plainText(element)))
    return "";
  if (text < 0.3 * page.text && prose < Math.max(0.35 * page.prose, MIN_LAYOUT_PROSE)) {
    const isText = isInText(element, amounts);
    for (const [, word = ""] of names.matchAll(BOILERPLATE_NAMES)) {
      if (isText && !ALWAYS_BOILERPLATE.test(word)) continue;
      if (!layoutWords.has(word)) return word;
    }
  }
  if (!COMMENT_NAMES.test(names)) return null;
  if (comments) return null;
  if (isForum) return layoutWords.has("comment") ? null : "comment";
  return text < 0.7 * page.text ? "" : null;
}

/** Whether an element without links is between the paragraphs, lists or code blocks of a text. */
function isInText(element: DomElement, amounts: Amounts): boolean {
  if (amounts.of(element).links > 0 || !element.closest("main, article, [role=main]")) return false;
  return hasTextBeside(element, "previousSibling", amounts) && hasTextBeside(element, "nextSibling", amounts);
}

/** Elements that are looked at beside a box. */
const MAX_BESIDE = 8;

function hasTextBeside(
  element: DomElement,
  side: "previousSibling" | "nextSibling",
  amounts: Amounts,
): boolean {
  let looked = 0;
  for (let node = element[side]; node && looked < MAX_BESIDE; node = node[side]) {
    if (!isElement(node)) continue;
    looked++;
    const { text, linked } = amounts.of(node);
    if (/^(?:p|pre|ul|ol|table|blockquote|dl)$/.test(node.localName) && 2 * linked < text) return true;
  }
  return false;
}

function isProse(element: DomElement, amounts: Amounts): boolean {
  const { text, prose, linked } = amounts.of(element);
  return element.closest("main, article") !== null && 2 * prose >= text && 4 * linked < text;
}

/** A banner may be longer than a short page. */
const MAX_CONSENT = 0.8;
const CONSENT_NAMES = /(?:^|[\s_-])(?:cookies?|consent|gdpr|cmp)(?:$|[\s_-])/;
const CONSENT_TEXT = /\b(?:cookies?|partners|consent|tracking)\b/i;

function isMenu({ text, linked, links, prose, headings }: Amount): boolean {
  return (
    links >= MIN_MENU_LINKS &&
    headings === 0 &&
    prose === 0 &&
    linked > 0.8 * text &&
    text < MAX_MENU_LINK_TEXT * links
  );
}

/** Whether all links of an element lead to headings of the page, and it has hardly any other text. */
function isListOfHeadings(element: DomElement, { links, linked, text }: Amount): boolean {
  if (links === 0 || linked < 0.7 * text) return false;
  return [...element.querySelectorAll("a")].every((link) => (link.getAttribute("href") ?? "").includes("#"));
}

/** Whether an element has much of the main part's text: the main part of some pages is an index of links. */
function isMainPart(element: DomElement, amounts: Amounts): boolean {
  const main = element.closest("main, [role=main], article");
  return main !== null && amounts.of(element).text > 0.3 * amounts.of(main).text;
}

/** The text of the heading at the start of an element; "" if it starts with something else. */
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
