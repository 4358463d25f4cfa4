// Finds footnotes: marks in the text that link to notes, and notes that link back. The notes are removed from the page
// before the main content is selected, so that only notes with a selected mark are written.

import { type DomDocument, type DomElement, plainText } from "../shared/dom.ts";
import { isBlock, isHeading } from "../shared/elements.ts";
import { FOOTNOTE, type Footnote } from "../shared/footnote.ts";

const MARK = /^[[(]?([\w*†‡§]{1,4})[\])]?$/;
const NOTE_ID = /^(?:user-content-)?(?:fn|footnote|endnote|_ftn|_edn|cite[_-]?note)/i;
const MAX_NOTE = 3_000;
const MAX_NOTES = 2_000;
/** Maximum number of links that are examined. */
const MAX_MARKS = 10_000;

/**
 * Removes the notes and replaces every mark by <sup data-footnote>. `page` is the page's address. Returns the notes.
 */
export function extractFootnotes(document: DomDocument, page: string): Footnote[] {
  const ids = new Map<string, DomElement>();
  for (const element of document.body.querySelectorAll("[id]")) {
    const id = element.getAttribute("id")!;
    if (!ids.has(id)) ids.set(id, element);
  }
  const places = new Map<DomElement, DomElement | null>();
  const notes = new Map<DomElement, Footnote>();
  let examined = 0;
  const labels = new Set<string>();
  for (const link of [...document.body.querySelectorAll("a[href]")]) {
    const id = fragmentOf(link, page);
    const sign = MARK.exec(plainText(link))?.[1];
    const target = id ? ids.get(id) : undefined;
    if (!target || !sign || link.contains(target)) continue;
    if (++examined > MAX_MARKS) break;
    const content = places.get(target) ?? (places.has(target) ? null : noteAt(target));
    places.set(target, content);
    if (!content || content.contains(link) || !document.body.contains(content)) continue;
    let note = notes.get(content);
    if (!note) {
      if (notes.size >= MAX_NOTES || !isNote(content, { link, id, page })) continue;
      const label = /^\w+$/.test(sign) && !labels.has(sign) ? sign : nextOf(labels);
      labels.add(label);
      note = { label, content };
      notes.set(content, note);
    }
    const mark = document.createElement("sup");
    mark.setAttribute(FOOTNOTE, note.label);
    mark.textContent = note.label;
    const parent = link.parentNode?.localName === "sup" ? link.parentNode : link;
    const isAlone = parent.children.length === 1 && plainText(parent) === plainText(link);
    (isAlone ? parent : link).replaceWith(mark);
  }
  const parents = new Set<DomElement>();
  for (const { content } of notes.values()) {
    if (content.parentNode) parents.add(content.parentNode);
    detach(content, page, ids);
  }
  for (const parent of parents) removeEmpty(parent);
  return [...notes.values()];
}

/** The id that a link within the page refers to; "" for other links. */
function fragmentOf(link: DomElement, page: string): string {
  const href = link.getAttribute("href")!.trim();
  const at = href.indexOf("#");
  if (at < 0 || (at > 0 && href.slice(0, at) !== page.split("#")[0])) return "";
  const fragment = href.slice(at + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The block around the target of a mark; null if it cannot be a note. */
function noteAt(target: DomElement): DomElement | null {
  let block: DomElement | null = target;
  while (block && !isBlock(block.localName)) block = block.parentNode;
  block = block?.closest("li") ?? block;
  if (!block || !/^(?:li|p|div|dd|aside)$/.test(block.localName)) return null;
  const length = plainText(block).length;
  if (length === 0 || length > MAX_NOTE) return null;
  return isHeading(block.localName) || block.querySelector("h1, h2, h3, h4, article, main") ? null : block;
}

interface Mark {
  link: DomElement;
  /** The id that the link refers to. */
  id: string;
  page: string;
}

/** Whether a block links back to its mark, or is a list item with the id of a note. */
function isNote(content: DomElement, { link, id, page }: Mark): boolean {
  const own = new Set<string>();
  for (
    let place: DomElement | null = link, level = 0;
    place && level < 3;
    place = place.parentNode, level++
  ) {
    const name = place.getAttribute("id");
    if (name) own.add(name);
  }
  const links = [...content.querySelectorAll("a[href]")];
  if (links.some((back) => own.has(fragmentOf(back, page)))) return true;
  return content.localName === "li" && NOTE_ID.test(id);
}

function nextOf(labels: Set<string>): string {
  let number = labels.size + 1;
  while (labels.has(String(number))) number++;
  return String(number);
}

/** Removes a note from the page, and the back links and the number from the note. */
function detach(content: DomElement, page: string, ids: Map<string, DomElement>): void {
  for (const back of [...content.querySelectorAll("a[href]")]) {
    const id = fragmentOf(back, page);
    const isBack = id !== "" && (NOTE_ID.test(id) || /ref|anchor|-link$|^fr-/i.test(id) || !ids.has(id));
    if (isBack && plainText(back).length <= 4) back.remove();
  }
  for (const sign of [...content.querySelectorAll("sup, a, span, label")])
    if (/^[[(]?[\d^↑↩]{0,4}[\])]?[.:]?$/.test(plainText(sign)) && !sign.querySelector("img")) sign.remove();
  content.remove();
}

function removeEmpty(list: DomElement): void {
  let place: DomElement | null = list;
  while (place && place.localName !== "body" && plainText(place) === "" && !place.querySelector("img")) {
    const parent: DomElement | null = place.parentNode;
    place.remove();
    place = parent;
  }
}
