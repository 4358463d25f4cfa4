// What the names of elements say about them. No page is known here.

import { type DomElement, namesOf } from "./dom.ts";

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option output p pre section summary table " +
    "tbody td tfoot th thead tr ul search caption"
  ).split(" "),
);

export function isBlock(name: string): boolean {
  return BLOCKS.has(name);
}

export function isHeading(name: string): boolean {
  return name.length === 2 && name[0] === "h" && name[1]! >= "1" && name[1]! <= "6";
}

const CALLOUT =
  /(?:^|\s)(?:admonition|callout|markdown-alert|alert-box|theme-admonition|custom-block|notecard|starlight-aside)(?:\s|$)/;

/** Boxes beside the text that belong to it: notes, warnings, tips. */
export function isCallout(element: DomElement): boolean {
  if (element.getAttribute("role") === "note") return true;
  if (element.localName !== "div" && element.localName !== "aside") return false;
  const names = namesOf(element);
  if (CALLOUT.test(names)) return true;
  const alert = names.search(/(?:^|\s)alert\s/);
  return alert >= 0 && /\salert-/.test(names.slice(alert + 1));
}

const CAPTION = /(?:^|[\s_-])(?:caption|photo-?credit|image-?credit)(?:$|[\s_-])/;

/** True for what stands under pictures, by tag or name. */
export function isCaption(element: DomElement): boolean {
  return element.localName === "figcaption" || CAPTION.test(namesOf(element));
}
