// Removes everything that is not readable text: scripts, styles, controls, and hidden elements except panels that a
// click opens. The decision does not depend on the words of a text.

import {
  childrenOf,
  type DomDocument,
  type DomElement,
  isElement,
  namesOf,
  previousElement,
} from "../shared/dom.ts";

const UNREADABLE = [
  "script, style, noscript, template, link, meta, param, [type=hidden]",
  "svg, canvas, object, embed, applet, iframe, frame, frameset, audio, video, track, map",
  "dialog:not([open]), input:not([type=checkbox]), select, textarea, datalist, progress, meter",
].join(", ");

/** Names of panels that open on a click: they are part of the text even if hidden. */
const PANEL =
  /(?:^|[\s_-])(?:tab(?:s|panel|pane|content)?|accordion|collaps\w*|expand\w*|toggle\w*|panel|faq\w*|answer|details|spoiler|read-?more|more-?text|truncat\w*|slide\w*|carousel\w*|swiper\w*)(?:$|[\s_-])/;

const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const HIDING_CLASS =
  /(?:^|\s)(?:sr-only|screen-reader-text|visually-?hidden|visuallyhidden|u-hidden-visually|a11y-hidden|is-hidden|hidden|d-none|hide|noprint|print-only|skip-?link|skip-to-content)(?:\s|$)/;

/** Classes that depend on the screen size: the page is read as on a large screen. */
const SHOWN_WHEN_LARGE =
  /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):(?:block|flex|grid|inline\S*|table\S*)|d-(?:sm|md|lg|xl)-(?:block|flex|grid|inline\S*|table\S*))(?:\s|$)/;
const HIDDEN_WHEN_LARGE = /(?:^|\s)(?:(?:sm|md|lg):hidden|d-(?:sm|md|lg)-none)(?:\s|$)/;

const ICON = /(?:^|[\s_-])(?:icons?|fa|fas|far|fab|material|glyphicon|emoji)(?:$|[\s_-])/;

/** A longer text with aria-hidden is not a decoration. */
const MAX_DECORATION_TEXT = 200;

/** A page with less text in its body is rendered by a script. */
const MIN_BODY_TEXT = 300;

/** Removes unreadable elements, comments and hidden elements from the whole page. */
export function removeHidden(document: DomDocument): void {
  useNoscript(document);
  for (const element of [...document.querySelectorAll(UNREADABLE)]) element.remove();
  const total = document.body.textContent.length;
  removeBelow(document.body, total);
}

function removeBelow(element: DomElement, total: number): void {
  for (const child of childrenOf(element)) {
    if (!isElement(child)) {
      if (child.nodeType !== 3) child.remove();
    } else if (isHidden(child, total)) child.remove();
    else {
      // What stays is shown: Readability would remove it by these attributes.
      for (const name of ["hidden", "aria-hidden"]) child.removeAttribute(name);
      if (HIDING_STYLE.test(child.getAttribute("style") ?? "")) child.removeAttribute("style");
      removeBelow(child, total);
    }
  }
}

function isHidden(element: DomElement, total: number): boolean {
  if (element.localName === "code" || element.localName === "pre") return false;
  const names = namesOf(element);
  const isHiddenByStyle =
    (element.hasAttribute("hidden") && element.getAttribute("hidden") !== "until-found") ||
    HIDING_STYLE.test(element.getAttribute("style") ?? "") ||
    (HIDING_CLASS.test(names) && !SHOWN_WHEN_LARGE.test(names)) ||
    (HIDDEN_WHEN_LARGE.test(names) && !SHOWN_WHEN_LARGE.test(names));
  const isDecoration = element.getAttribute("aria-hidden") === "true";
  if (!isHiddenByStyle && !isDecoration) return false;
  const length = element.textContent.trim().length;
  // An element with most of the text is shown later by a script, or was hidden by an overlay.
  if (length * 2 > total) return false;
  if (isHiddenByStyle && isPanel(element, names)) return length === 0;
  return isHiddenByStyle || (length < MAX_DECORATION_TEXT && !isVisibleText(element));
}

/** Whether words are hidden from screen readers only, and nothing else says them. */
function isVisibleText(element: DomElement): boolean {
  if (!/\p{L}{2}|\p{N}/u.test(element.textContent)) return false;
  // Names of icons are drawn as pictures by their font.
  if (ICON.test(namesOf(element)) || element.localName === "i") return false;
  return (
    element.closest("p, li, td, th, dd, dt, figcaption, blockquote") !== null &&
    !element.closest("a, button, nav")
  );
}

function isPanel(element: DomElement, names: string): boolean {
  const role = element.getAttribute("role");
  if (role === "tabpanel" || role === "region" || PANEL.test(names) || element.closest("details") !== null)
    return true;
  return isDisclosed(element);
}

/** Whether an element follows a heading or a button that opens it. */
function isDisclosed(element: DomElement): boolean {
  if (!element.querySelector("p, li") || element.closest("nav, header, footer, [role=dialog]")) return false;
  const before =
    previousElement(element) ?? (element.parentNode ? previousElement(element.parentNode) : null);
  if (!before) return false;
  return (
    before.matches("h1, h2, h3, h4, h5, h6, button, [aria-expanded], [aria-controls]") ||
    before.querySelector("h2, h3, h4, h5, h6, [aria-expanded]") !== null
  );
}

/** Uses the text in <noscript> if the page has hardly any other text. */
function useNoscript(document: DomDocument): void {
  const blocks = [...document.body.querySelectorAll("noscript")];
  const inside = blocks.reduce((sum, block) => sum + block.textContent.trim().length, 0);
  if (inside < MIN_BODY_TEXT) return;
  for (const script of [...document.body.querySelectorAll("script, style, template")]) script.remove();
  if (document.body.textContent.replace(/\s+/g, " ").length - inside >= MIN_BODY_TEXT) return;
  for (const block of blocks) block.replaceWith(...childrenOf(block));
}
