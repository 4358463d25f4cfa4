// Removes permalinks in headings, edit links and buttons.

import { childrenOf, type DomDocument, type DomElement, namesOf, plainText } from "../shared/dom.ts";

const PERMALINK =
  /^[\u200b-\u200d\ufeff]*(?:#|¶|§|🔗|\uf0c1|link|anchor|permalink|edit|\[?edit\]?|copy link|\[source\]|.{0,20}(?:direct )?link to .*)?$/i;

/** Buttons that open a panel remain if they have a longer text: questions of an FAQ, names of tabs. */
const OPENER = "[aria-expanded], [aria-controls], [data-toggle], [data-bs-toggle], [data-target], [role=tab]";

/** Removes controls of a page that are not part of its text. */
export function removePageControls(document: DomDocument): void {
  removePermalinks(document);
  for (const link of [...document.querySelectorAll("a")])
    if (isSkipLink(link) || isTurningLink(link)) link.remove();
  for (const box of [...document.querySelectorAll("input")])
    if (box.parentNode?.localName === "body" || TOGGLE.test(namesOf(box))) box.remove();
  for (const edit of [...document.querySelectorAll("span, div, a")])
    if (/(?:^|[\s_-])edit-?(?:section|link|page)/.test(namesOf(edit)) && plainText(edit).length < 40)
      edit.remove();
  for (const button of [...document.querySelectorAll("button, [role=button]")]) {
    if (
      button.closest("h1, h2, h3, h4, h5, h6, summary, dt") ||
      button.querySelector("h1, h2, h3, h4, h5, h6, p")
    )
      continue;
    if (button.localName !== "button" && button.localName !== "a") continue;
    if (button.matches(OPENER) && plainText(button).length > 24) continue;
    if (button.querySelector("img") && plainText(button) === "") continue;
    button.remove();
  }
}

/** Whether a link skips the navigation. */
function isSkipLink(link: DomElement): boolean {
  if (!(link.getAttribute("href") ?? "").startsWith("#")) return false;
  return /^(?:skip|jump) to (?:the )?(?:main )?(?:content|text|navigation|footer|search)$/i.test(
    plainText(link),
  );
}

/** Whether a link turns to the page before or after, with the title of that page in an element of its own. */
function isTurningLink(link: DomElement): boolean {
  const text = plainText(link);
  if (!/^(?:previous|next)/i.test(text) || text.length > MAX_TURNING) return false;
  const label = [...link.querySelectorAll("span, div, small")].find(
    (part) => part.children.length === 0 && /^(?:previous|next)(?: page| chapter)?$/i.test(plainText(part)),
  );
  return label !== undefined;
}

/** Check boxes that open a menu without a script. */
const TOGGLE = /(?:^|[\s_-])toggle(?:$|[\s_-])/;

const MAX_TURNING = 200;

/** Unwraps a link of a heading to itself. */
function unwrapOwnLink(heading: DomElement, link: DomElement): void {
  const target = link.getAttribute("href") ?? "";
  if (target.startsWith("#") && heading.localName !== "dt") link.replaceWith(...childrenOf(link));
}

/**
 * Removes links of headings to themselves. Characters are counted once for each heading, which may contain thousands of
 * links.
 */
function removePermalinks(document: DomDocument): void {
  const characters = new Map<DomElement, number>();
  const count = (element: DomElement) => element.textContent.replace(/\s+/g, "").length;
  for (const link of [...document.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, h6 a, dt a")]) {
    const heading = link.closest("h1, h2, h3, h4, h5, h6, dt")!;
    const ofHeading = characters.get(heading) ?? count(heading);
    characters.set(heading, ofHeading);
    const text = plainText(link);
    const ofLink = count(link);
    if (ofLink === ofHeading && text !== "") unwrapOwnLink(heading, link);
    const isControl = ofLink === ofHeading ? text === "" : PERMALINK.test(text);
    if (!isControl || link.querySelector("img")) continue;
    link.remove();
    characters.set(heading, ofHeading - ofLink);
  }
}
